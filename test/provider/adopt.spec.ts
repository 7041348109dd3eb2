import { systemClock } from "../../provider/client/clock";
import { resourceOf } from "../../provider/core/call";
import { adoption, markInName } from "../../provider/core/mark/mark";
import { imported } from "../../provider/core/verbs/import";
import { pod } from "../../provider/resources/pod";
import { template } from "../../provider/resources/template";
import { type Properties, unknownValue } from "../../provider/value";
import { patch } from "../harness/account";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  provider,
  stacks,
  urnOf,
  withoutSecretsOverRest,
} from "./process";

// These tests need a certain order of checks, which the real engine does not promise. programs/ has the other tests.

const args = { name: "data", size: 20, dataCenter: "EU-RO-1" };
const once = /is .* already. To rename that resource, use aliases/;

test("an object that a resource of the state has is adopted by no other, whichever is looked at first", async () => {
  const { id } = emulator.service.volumes.create(args);
  const holder = { ...args, __urn: "urn:holder" };
  const twin = { ...args, adopt: id, __urn: "urn:twin" };
  const { outs } = (await provider().networkVolume.create?.({ ...holder, adopt: id })) ?? {};

  const { networkVolume: holderFirst } = provider();
  await holderFirst.check?.(outs, holder);
  await holderFirst.diff?.(id, outs, holder);
  expect((await holderFirst.check?.({}, twin))?.failures).toEqual([
    { property: "adopt", reason: expect.stringMatching(once) },
  ]);

  const { networkVolume: twinFirst } = provider();
  expect((await twinFirst.check?.({}, twin))?.failures).toEqual([]);
  await twinFirst.check?.(outs, holder);
  await expect(twinFirst.diff?.(id, outs, holder)).rejects.toThrow(once);
});

test("a pod is adopted with arguments that no read returns, and nothing is replaced or sent", async () => {
  const shown = { name: "trainer", image: "nginx", disk: 10 };
  const { id } = emulator.service.pods.create({
    ...shown,
    cloud: "SECURE",
    gpu: { id: "NVIDIA L4", count: 1 },
  });
  const { id: templateId } = emulator.service.templates.create({ name: "jupyter", image: "nginx" });
  const unread = { startSsh: true, startJupyter: true, dataCenterIds: ["EU-RO-1", "US-KS-2"], templateId };
  const gpu = { id: "NVIDIA L4", minCudaVersion: "12.4", minRamPerGpu: 16, minVcpuCountPerGpu: 2 };
  const adopter = { ...shown, ...unread, gpu, adopt: id, __urn: "urn:adopter" };
  const { pod } = provider();
  const { inputs = {}, failures } = (await pod.check?.({}, adopter)) ?? {};
  expect(failures).toEqual([]);
  const { outs } = (await pod.create?.({ ...adopter, ...inputs })) ?? {};
  expect(await pod.diff?.(id, outs, { ...adopter, ...inputs })).toMatchObject({
    changes: false,
    replaces: [],
  });
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("an adoption that changes nothing asks for no list", async () => {
  const { id } = emulator.service.volumes.create(args);
  await create("networkVolume", declared("networkVolume", { ...args, adopt: id }));
  const [isListed, isRead] = ["/network-volumes", `/network-volumes/${id}`].map((end) =>
    emulator.requests.some(({ path }) => path.endsWith(end)),
  );
  expect({ isListed, isRead }).toEqual({ isListed: false, isRead: true });
});

const failuresOf = ({ message, failures = [] }: { message?: string; failures?: { reason: string }[] }) =>
  message === undefined ? failures.map(({ reason }) => reason) : [message];

test("of several resources that take one object in the same run, all but the first fail", async () => {
  const { id } = emulator.service.volumes.create(args);
  const one = provider().networkVolume;
  const named = (name: string) => declared("networkVolume", { __urn: urnOf("NetworkVolume", name) });
  const imports = [one.import(id, named("a")), one.import(id, named("b"))];
  const adopts = one.create({ ...named("c"), ...args, adopt: id });
  const results = await Promise.allSettled<unknown>([...imports, adopts]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  const had = results.findIndex(({ status }) => status === "fulfilled");
  const refused = { message: expect.stringMatching(`"${"abc"[had]}" already. To rename`) };
  for (const { reason = refused } of results as PromiseRejectedResult[])
    expect(reason).toMatchObject(refused);

  // In the preview, the engine reads what it imports while it checks another resource.
  const preview = provider().networkVolume;
  const reading = preview.import(id, named("a")).then(() => [], failuresOf);
  const checking = preview.check({}, { ...named("b"), ...args, adopt: id }).then(failuresOf);
  const failures = (await Promise.all([reading, checking])).flat();
  expect(failures).toEqual([
    expect.stringMatching(/NetworkVolume "[ab]" already\. To .*\[PODLUMI-DECLARED-TWICE\]$/),
  ]);
});

test.each([
  ["known", "data"],
  ["unknown", unknownValue],
])(
  "of two resources that have one object in the state, the second fails, also where its name is %s yet",
  async (_what, name) => {
    const { id, outs = {} } = await begin("networkVolume");
    const resources = ["a", "b"].map((one) => ({ ...outs, __urn: urnOf("NetworkVolume", one) }));
    const { networkVolume } = provider();
    const compared = resources.map(async (state) => {
      const news = { ...declared("networkVolume", { name }), __urn: state.__urn };
      const { inputs = {} } = await networkVolume.check(news, news);
      return networkVolume.diff(id, state, inputs);
    });
    const message = expect.stringMatching(/NetworkVolume "a" already\. To .*\[PODLUMI-DECLARED-TWICE\]/);
    expect(await Promise.allSettled(compared)).toMatchObject([
      { status: "fulfilled" },
      { reason: { message } },
    ]);
  },
);

test("what names no object is told what would", async () => {
  const { failures } = (await provider().pod.check?.({}, { ...inputs.pod, adopt: {}, __urn: "urn:a" })) ?? {};
  expect(failures).toEqual([
    { property: "adopt", reason: 'must be an id, or a name as in { name: "…" } [PODLUMI-INVALID]' },
  ]);
});

test.each(["pod", "secret", "networkVolume"] as const)(
  "an adoption that was interrupted after it had replaced the mark of another stack continues: a %s",
  async (kind) => {
    const theirs = { __providerId: stacks.theirs, __urn: urnOf(kind, "it", "prod") };
    const { id } = await begin(kind, theirs);
    const ours = { __urn: urnOf(kind, "mine"), adopt: id };
    // No state learns of it.
    await begin(kind, ours);
    await expect(begin(kind, ours)).resolves.toMatchObject({ id });
    expect(existing()).toEqual([id]);
  },
);

test("a secret that the service cannot change is adopted as it is", async () => {
  await withoutSecretsOverRest();
  const { id } = await begin("secret", { __providerId: stacks.theirs, name: "token" });
  await expect(begin("secret", { adopt: id, name: "token", value: "another" })).resolves.toMatchObject({
    id,
  });
  expect(emulator.service.secrets.valueOf(id)).toBe(inputs.secret.value);
});

test.each(["registryAuth", "registryDelegation"] as const)(
  "what the service does not rename keeps its name, which has the mark of the other resource: a %s",
  async (kind) => {
    const { id, outs } = await begin(kind, { __providerId: stacks.theirs });
    const adopted = await begin(kind, { adopt: id });
    expect(adopted).toMatchObject({ id, outs: { name: outs?.name } });
    const news = declared(kind, { adopt: id });
    expect((await provider()[kind].diff(id, adopted.outs ?? {}, news)).replaces).toEqual([]);
    await provider()[kind].delete(id, adopted.outs ?? {});
    expect(existing()).toEqual([]);
  },
);

test("the name of what a replacement adopts shows that it was adopted, so that no sweep takes what was another stack's for this one's", async () => {
  const theirs = await begin("networkVolume", { __providerId: stacks.theirs });
  const { id, outs = {} } = await begin("networkVolume");
  const { run, networkVolume: replacing } = provider();
  run.configure((key) => (key === "podlumi:confirmDataLoss" ? id : undefined));
  const news = declared("networkVolume", { adopt: theirs.id });
  await replacing.check(outs, news);
  const { inputs: checked } = await replacing.check({}, news);
  const { outs: adopted = {} } = await replacing.create(checked ?? {});
  expect(markInName(outs.name)?.attempt).toBe(undefined);
  expect(markInName(adopted.name)?.attempt).toBe(adoption);
});

test("an adopted object whose mark is its name gets a name of the program, and the preview waits for one that it does not know", async () => {
  const { id } = await begin("networkVolume", { __providerId: stacks.theirs });
  const { outs = {} } = await begin("networkVolume", { adopt: id });
  const named = (name: unknown) => declared("networkVolume", { name });
  const { networkVolume } = provider();
  const { inputs: unknown } = await networkVolume.check(outs, named(unknownValue));
  await expect(networkVolume.diff(id, outs, unknown)).resolves.toMatchObject({ replaces: [] });
  const { outs: renamed = {} } = await provider().networkVolume.update(id, outs, named("mine"));
  expect(renamed).toMatchObject({ name: "mine", __mark: outs.__mark });
  await provider().networkVolume.delete(id, renamed);
  expect(existing()).toEqual([]);
});

test("an adopted secret keeps its name where its logical name would make none", async () => {
  const { id } = emulator.service.secrets.create({ name: "HF_TOKEN", value: "hunter22" });
  await begin("secret", { adopt: id, __urn: urnOf("secret", "hf token") });
  expect(emulator.service.secrets.list()).toMatchObject([{ id, name: "HF_TOKEN" }]);
});

test("what is not there fails the preview", async () => {
  const { failures } = await provider().networkVolume.check(
    {},
    declared("networkVolume", { adopt: "missing" }),
  );
  const reason = expect.stringMatching(/^there is no network volume with the id "missing"/);
  expect(failures).toEqual([{ property: "adopt", reason }]);
});

describe("what an adoption cannot change fails its preview", () => {
  const withVolume = { mounts: { network: [{ volumeId: unknownValue, path: "/net" }] } };
  const adopting = async (kind: "pod" | "template", adopt: string, more: Properties) =>
    (await provider()[kind].check({}, declared(kind, { ...more, adopt }))).failures;

  test("also where the rest of it is unknown: the pod has no volume", async () => {
    const { id } = await begin("pod");
    expect(await adopting("pod", id, withVolume)).toEqual([
      {
        property: "adopt",
        reason: expect.stringMatching(/mounts is .* there\. .*\[PODLUMI-ADOPT-DIFFERS\]$/),
      },
    ]);
  });

  test("unless that may be what it has", async () => {
    const { id: volumeId } = emulator.service.volumes.create(args);
    const { id } = await begin("pod", { mounts: { network: [{ volumeId, path: "/net" }] } });
    expect(await adopting("pod", id, withVolume)).toEqual([]);
  });

  test.each([
    ["network", "volumeId", {}],
    ["persistent", "size", { size: 30 }],
  ])(
    "unless it then changes in place: the path of a %s mount whose %s is unknown",
    async (kind, unknown, has) => {
      const { id: volumeId } = emulator.service.volumes.create(args);
      const mount = { path: "/before", ...(kind === "network" ? { volumeId } : has) };
      const written = (one: Properties) => ({ mounts: { [kind]: kind === "network" ? [one] : one } });
      const { id } = await begin("pod", written(mount));
      const news = written({ ...mount, path: "/after", [unknown]: unknownValue });
      expect(await adopting("pod", id, news)).toEqual([]);
    },
  );

  test("and what it has beside the program's word is no matter of a refresh", async () => {
    const mounts = { persistent: { size: 20, path: "/data" } };
    const { id } = emulator.service.templates.create({ name: "worker", image: "org/worker:1", mounts });
    expect(await adopting("template", id, { serverless: true })).toEqual([
      {
        property: "mounts.persistent",
        reason: expect.stringMatching(
          /does not declare mounts, .*: declare it, or remove adopt to create another one \[/,
        ),
      },
    ]);
  });
});

test.each<[string, Properties, (id: string) => unknown, string]>([
  [
    "that is stopped is started",
    {},
    (id) => emulator.service.pods.act(id, "stop"),
    'and changes desiredStatus from "EXITED" to "RUNNING"',
  ],
  [
    "that failed is started",
    {},
    (id) => emulator.service.pods.fail(id),
    'and changes desiredStatus from "ERROR" to "RUNNING"',
  ],
  ["with global networking keeps it", { globalNetworking: true }, () => undefined, "as it is"],
])("a preview says that an adopted pod %s", async (_what, args, before, says) => {
  const { name, image, env, ports } = inputs.pod as never;
  const gpu = { id: "NVIDIA L4", count: 1 };
  const { id } = emulator.service.pods.create({ name, image, env, ports, gpu, ...args });
  await systemClock.sleep(10_000);
  before(id);
  const look = () => provider().pod.check({}, declared("pod", { adopt: id, ...args }));
  expect((await heard(look)).said).toMatch(new RegExp(`adopts the pod "trainer" \\(${id}\\) ${says}\n`));
});

test("a preview of an adoption has the former and the new values, except of what may be secret", async () => {
  const { id } = emulator.service.pods.create({
    name: "trainer",
    image: "org/pod:1",
    args: "--key old-key",
    env: { KEY: "old-value" },
    gpu: { id: "NVIDIA L4", count: 1 },
  });
  const given = { name: "trainer", image: "org/pod:2", args: "--key new-key", env: { KEY: "new-value" } };
  const adoption = declared("pod", { ...given, adopt: id });
  const { said } = await heard(() => provider().pod.check({}, adoption));
  expect(said).toContain('and changes image from "org/pod:1" to "org/pod:2", args, env, ports');
  expect(said).not.toMatch(/old-|new-/);
});

const lost = "the pod: what is on its disk outside of mounts is lost\n";

test.each<[string, Properties, string]>([
  ["another image does", { image: "org/pod:2" }, `a change of image restarts ${lost}`],
  ["an unknown one may", { image: unknownValue }, `a change of image may restart ${lost}`],
  ["a time limit does", { expiresAfter: "8h" }, `a change of expiresAfter restarts ${lost}`],
  ["what is as it is does not", {}, "as it is\n"],
  ["a name does not", { name: "other" }, 'and changes name from "trainer" to "other"\n'],
  [
    "what stops it after that does",
    { desiredStatus: "EXITED", disk: 70 },
    `a change of disk, desiredStatus stops ${lost}`,
  ],
])("an adoption tells where it restarts a running pod: %s", async (_what, changes, told) => {
  const { image, env, ports } = inputs.pod as never;
  const gpu = { id: "NVIDIA L4", count: 1 };
  const { id } = emulator.service.pods.create({ name: "trainer", image, env, ports, gpu });
  await systemClock.sleep(10_000);
  const adoption = declared("pod", { adopt: id, env: undefined, ...changes });
  const { said } = await heard(() => provider().pod.check({}, adoption));
  expect(said.slice(-told.length)).toBe(told);
});

test("an adoption of what has the mark of another resource, and a take-over, tell where they restart a running pod", async () => {
  const { id } = await begin("pod", { __urn: urnOf("pod", "theirs") });
  const adoption = declared("pod", { adopt: id });
  const { said } = await heard(() => provider().pod.check({}, adoption));
  expect(said).toContain(`\na change of its mark of ownership restarts ${lost}`);
  await begin("pod");
  const takeOver = await heard(() => provider().pod.check({}, declared("pod", { args: "--more" })));
  expect(takeOver.said).toMatch(/takes over the pod .* and changes args/);
  expect(takeOver.said).toContain(`\na change of args restarts ${lost}`);
});

test("a preview says that a pod is started that a killed run has left and that is stopped", async () => {
  const { id } = await begin("pod");
  emulator.service.pods.act(id, "stop");
  const { said } = await heard(() => provider().pod.check({}, declared("pod")));
  expect(said).toMatch(/takes over the pod .* and changes desiredStatus: it carries the mark/);
});

test("a cluster is adopted only with the settings that its pods have, which the service does not return of the cluster", async () => {
  const compute = { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 };
  const made = { ...inputs.cluster, name: "training", type: "TRAINING" as const, compute };
  const { id: adopt } = emulator.service.clusters.create({
    ...made,
    image: "org/app:1",
    args: "--token hf_1",
  });
  const checked = (more: Properties) =>
    provider().cluster.check({}, declared("cluster", { ...made, image: "org/app:1", adopt, ...more }));
  expect((await checked({ args: "--token hf_1" })).failures).toEqual([]);
  expect((await checked({ image: "org/app:2" })).failures).toMatchObject([
    { reason: expect.stringContaining('image is "org/app:1" there') },
  ]);
  expect((await checked({ args: "--other" })).failures).toMatchObject([
    { reason: expect.stringContaining("args is different there") },
  ]);
});

test("a cluster is adopted only with the template from which it is, and is not replaced for that when the program gives it later", async () => {
  const { clusters, templates } = emulator.service;
  const [templateId, other] = ["one", "other"].map(
    (name) => templates.create({ name, image: "org/pod:1" }).id,
  );
  const compute = { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 };
  const made = { name: "training", type: "TRAINING" as const, compute, templateId };
  const settings = { image: undefined, env: undefined };
  const { id: adopt } = clusters.create(made);
  const args = { ...settings, adopt };
  const { failures } = await provider().cluster.check(
    {},
    declared("cluster", { ...args, templateId: other }),
  );
  expect(failures).toMatchObject([
    { reason: expect.stringContaining(`templateId is "${templateId}" there`) },
  ]);

  const { id, outs } = await begin("cluster", args);
  const later = (more: Properties) => declared("cluster", { ...settings, ...more });
  const olds = { ...outs, __provider: "p" };
  expect(await provider().cluster.diff(id, olds, later({ templateId }))).toMatchObject({ replaces: [] });
  const requests = emulator.requests.length;
  const updated = await provider().cluster.update(id, olds, later({ templateId }));
  expect(updated.outs).toMatchObject({ templateId });
  expect(emulator.requests.slice(requests).filter(({ method }) => method === "PATCH")).toEqual([]);
  const replaced = await provider().cluster.diff(id, olds, later({ templateId: other }));
  expect(replaced.replaces).toEqual(["templateId"]);
});

describe.each<[string, "pod" | "template", Properties, () => string, RegExp]>([
  [
    "a pod of a cluster",
    "pod",
    { gpu: { id: "NVIDIA H200", count: 8 } },
    () => {
      const compute = { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 };
      const { id } = emulator.service.clusters.create({ ...inputs.cluster, name: "c", type: "RAY", compute });
      return String(emulator.service.clusters.pods(id)[0]?.id);
    },
    /^the pod \w+ belongs to the cluster \w+, which alone changes and deletes its pods: .* `get` \[PODLUMI-READ-ONLY\]$/,
  ],
  [
    "a public template of another account",
    "template",
    { mounts: { persistent: { size: 20, path: "/workspace" } } },
    () => "pubpytorch",
    /^the template pubpytorch is a public one of another account, .* `get` \[PODLUMI-READ-ONLY\]$/,
  ],
])("%s, which nobody else can delete,", (_title, kind, more, madeBy, reason) => {
  test("is not adopted: the preview says so", async () => {
    const adopt = madeBy();
    const { failures } = await provider()[kind].check({}, declared(kind, { ...more, adopt }));
    expect(failures).toEqual([{ property: "adopt", reason: expect.stringMatching(reason) }]);
  });

  test("is not imported", async () => {
    const { run } = provider();
    const importing = imported(resourceOf({ pod, template }[kind], run, declared(kind)), madeBy());
    await expect(importing).rejects.toThrow(
      new RegExp(reason.source.replace("^", `^could not import ${kind} \\w+: `)),
    );
  });

  test("is read", async () => {
    const id = madeBy();
    expect(await provider()[kind].read(id, {})).toMatchObject({ id, props: { name: expect.any(String) } });
  });
});

test("a public template of the account itself is adopted", async () => {
  const { id } = emulator.service.templates.create({ name: "mine", image: "org/worker:1", public: true });
  const look = () => provider().template.check({}, declared("template", { adopt: id }));
  expect((await heard(look)).said).toContain(`adopts the template "mine" (${id})`);
});

test("a replacement that deletes first keeps what its resource adopts, as one that creates first does", async () => {
  const { id } = emulator.service.volumes.create(args);
  const given = { ...args, __urn: urnOf("networkVolume"), adopt: id };
  const { outs = {} } = await create("networkVolume", given);
  const { networkVolume } = provider();
  // What the user names for a replacement is checked as if it were new.
  await networkVolume.check({}, declared("networkVolume", given));
  expect((await heard(() => networkVolume.delete(id, outs))).said).toContain(
    `keeps the network volume ${id}`,
  );
  expect(await create(networkVolume, "networkVolume", given)).toMatchObject({ id });
  expect(existing()).toEqual([id]);
});

test("a name in adopt means the object of which the check has told, though another one has got that name since", async () => {
  const [first, second] = ["data", "other"].map(
    (name) => emulator.service.volumes.create({ ...args, name }).id,
  );
  const { networkVolume } = provider();
  const given = { size: 20, dataCenter: "EU-RO-1", adopt: { name: "data" } };
  const { inputs: checked } = await networkVolume.check({}, declared("networkVolume", given));
  await patch(emulator, `network-volumes/${first}`, { name: "former" });
  await patch(emulator, `network-volumes/${second}`, { name: "data" });
  expect(await networkVolume.create({ ...checked, size: 50 })).toMatchObject({ id: first });
  expect(emulator.service.volumes.get(String(second))).toMatchObject({ size: 20 });
});
