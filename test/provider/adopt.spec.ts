import { systemClock } from "../../provider/client/clock";
import { handler } from "../../provider/core/handler";
import { adoption, markInName } from "../../provider/core/kind/mark";
import { Run } from "../../provider/core/run";
import { type Properties, unknownValue } from "../../provider/core/value";
import { imported } from "../../provider/core/verbs/read";
import { emptyBackend } from "../../provider/engine/stacks";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { template } from "../../provider/resources/template";
import { patch } from "../harness/account";
import {
  backend,
  begin,
  create,
  declared,
  emulator,
  existing,
  haveAs,
  haveInState,
  heard,
  inputs,
  loseState,
  provider,
  runs,
  stacks,
  stated,
  stateHas,
  urnOf,
  withoutSecretsOverRest,
} from "./process";

// These tests need a certain order of checks, which the real engine does not promise. programs/ has the other tests.

const args = { name: "data", size: 20, dataCenter: "EU-RO-1" };
const once = /is urn:\w+ already. To rename that resource, use aliases/;

test("an object that a resource of the state has is adopted by no other, whichever is looked at first", async () => {
  const { id } = emulator.service.volumes.create(args);
  const holder = { ...args, __urn: "urn:holder" };
  const twin = { ...args, adopt: id, __urn: "urn:twin" };
  const { outs } = (await provider().networkVolume.create?.({ ...holder, adopt: id })) ?? {};

  const { networkVolume: holderFirst } = provider();
  await holderFirst.diff?.(id, outs, holder);
  expect((await holderFirst.check?.({}, twin))?.failures).toEqual([
    { property: "adopt", reason: expect.stringMatching(once) },
  ]);

  const { networkVolume: twinFirst } = provider();
  expect((await twinFirst.check?.({}, twin))?.failures).toEqual([]);
  await expect(twinFirst.diff?.(id, outs, holder)).rejects.toThrow(once);
});

test("an object that another provider has in the same state is adopted when it is out of that, as the error says", async () => {
  const { id } = emulator.service.volumes.create(args);
  const urn = "urn:pulumi:dev::project::runpod:index:NetworkVolume::data";
  haveInState();
  stateHas?.set(id, urn);
  const adopting = declared("networkVolume", { ...args, adopt: id });
  const reason = expect.stringMatching(/first, with `pulumi state delete '(.*)'`, and out of the program \[/);
  const { failures } = await provider().networkVolume.check({}, adopting);
  expect(failures).toEqual([{ property: "adopt", reason }]);
  expect(failures?.[0]?.reason).toContain(`'${urn}'`);
  stateHas?.delete(id);
  expect((await provider().networkVolume.check({}, adopting)).failures).toEqual([]);
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
  const refused = { message: expect.stringMatching(`::${"abc"[had]} already. To rename`) };
  for (const { reason = refused } of results as PromiseRejectedResult[])
    expect(reason).toMatchObject(refused);

  // In the preview, the engine reads what it imports while it checks another resource.
  const preview = provider().networkVolume;
  const reading = preview.import(id, named("a")).then(() => [], failuresOf);
  const checking = preview.check({}, { ...named("b"), ...args, adopt: id }).then(failuresOf);
  const failures = (await Promise.all([reading, checking])).flat();
  expect(failures).toEqual([expect.stringMatching(/::[ab] already\. To .*\[PODLUMI-DECLARED-TWICE\]$/)]);
});

test.each([
  ["known", "data"],
  ["unknown", unknownValue],
])(
  "of two resources that have one object in the state, the second fails, also where its name is %s yet",
  async (_what, name) => {
    const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
    const resources = ["a", "b"].map((one) => ({ ...outs, __urn: urnOf("NetworkVolume", one) }));
    backend.objects = resources.map((outputs) => stated(outputs.__urn, id, { outputs }));
    const { networkVolume } = provider();
    const compared = resources.map(async (state) => {
      const news = { ...declared("networkVolume", { name }), __urn: state.__urn };
      const { inputs = {} } = await networkVolume.check(news, news);
      return networkVolume.diff(id, state, inputs);
    });
    const message = expect.stringMatching(/::a already\. To .*\[PODLUMI-DECLARED-TWICE\]/);
    expect(await Promise.allSettled(compared)).toMatchObject([
      { status: "fulfilled" },
      { reason: { message } },
    ]);
  },
);

test("a resource under a provider that is replaced does not adopt what was deleted before that, but creates another one", async () => {
  backend.objects = [stated(urnOf("pod"), "gone", { isGone: true })];
  const { id } = await begin(provider().pod, "pod", { adopt: "gone" });
  expect(existing()).toEqual([id]);
});

test.each([
  ["is read", "", "delete it yourself [PODLUMI-ORPHAN]"],
  [
    "cannot be read",
    "unread",
    "delete it yourself, unless a stack whose state podlumi could not read has it [PODLUMI-ORPHAN]",
  ],
])(
  "what a replacement kept and nothing adopts any more is told, where the state of another stack %s",
  async (_what, unread, end) => {
    const { id } = emulator.service.volumes.create(args);
    backend.objects = [stated(urnOf("networkVolume"), id, { isGone: true })];
    backend.otherIsLost = unread !== "";
    const { said } = await heard(() => provider().networkVolume.check({}, declared("networkVolume", args)));
    expect(said).toContain(`the network volume "data" (${id}) is still there`);
    expect(said).toContain(end);
  },
);

test.each([
  ["a new name", urnOf("networkVolume", "data")],
  ["another project", urnOf("networkVolume", "store").replace("::project::", "::former::")],
])(
  "after an interrupted replacement, a resource with %s adopts again what was kept under its former URN",
  async (_what, former) => {
    const { id } = emulator.service.volumes.create(args);
    const [before, now] = [former, urnOf("networkVolume", "store")].map((__urn) => {
      return declared("networkVolume", { ...args, adopt: id, __urn });
    });
    const state = { inputs: { adopt: id }, outputs: { name: "data" }, isGone: true };
    backend.objects = [stated(former, id, state)];
    const { networkVolume } = provider();
    await networkVolume.check(before, now ?? {});
    const { result, said } = await heard(() => networkVolume.check({}, now ?? {}));
    expect(said).toContain(`adopts the network volume "data" (${id}) as it is`);
    expect((await networkVolume.create(result.inputs as Properties)).id).toBe(id);
  },
);

test("after an interrupted replacement, the program adopts what it names by then, and what was kept is told", async () => {
  const [kept, named] = ["kept", "named"].map(
    (name) => emulator.service.volumes.create({ ...args, name }).id,
  );
  const state = { inputs: { adopt: { name: "kept" } }, outputs: { name: "kept" }, isGone: true };
  backend.objects = [stated(urnOf("networkVolume"), String(kept), state)];
  const { networkVolume } = provider();
  const adopting = declared("networkVolume", { size: 20, dataCenter: "EU-RO-1", adopt: { name: "named" } });
  const { result, said } = await heard(() => networkVolume.check({}, adopting));
  expect(said).toContain(`adopts the network volume "named" (${named}) as it is`);
  expect(said).toContain(`the network volume "kept" (${kept}) is still there`);
  expect((await networkVolume.create(result.inputs as Properties)).id).toBe(named);
});

test("what names no object is told what would", async () => {
  const { failures } = (await provider().pod.check?.({}, { ...inputs.pod, adopt: {}, __urn: "urn:a" })) ?? {};
  expect(failures).toEqual([
    { property: "adopt", reason: 'must be an id, or a name as in { name: "…" } [PODLUMI-INVALID]' },
  ]);
});

test("what another stack has is not adopted either when the check got no answer in time", async () => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  backend.othersHave = [id];
  const { networkVolume } = provider();
  await expect(networkVolume.create(declared("networkVolume", { adopt: id }))).rejects.toThrow(
    /prod has the network volume .*\[PODLUMI-ADOPT-HELD\]/,
  );
});

test("what a run of another stack is adopting is in no state from which to take it: the error says how to end that", async () => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  backend.othersAdopt = [id];
  const { networkVolume } = provider();
  const adoption = networkVolume.create(declared("networkVolume", { adopt: id }));
  const how =
    /a run of \S+prod is adopting (it|the network volume \w+), .* `pulumi refresh --clear-pending-creates` there/;
  await expect(adoption).rejects.toThrow(how);
  await expect(adoption).rejects.not.toThrow("state delete");
  await expect(networkVolume.import(id, declared("networkVolume"))).rejects.toThrow(how);
  // It may adopt by the name.
  backend.othersAdopt = [{ name: "data" }];
  await expect(provider().networkVolume.import(id, declared("networkVolume"))).rejects.toThrow(how);
});

test("what another stack with this one's provider has is not adopted under a mark that tells the two not apart", async () => {
  const theirs = { __urn: urnOf("pod", "it", "prod"), name: "one" };
  const { id, outs = {} } = await begin(provider().pod, "pod", theirs);
  await provider().pod.update(id, outs, declared("pod", { ...theirs, name: "two" }));
  backend.othersHave = [id];
  const adoption = declared("pod", { adopt: id, name: "two" });
  expect((await provider().pod.check({}, adoption)).failures).toEqual([
    {
      property: "adopt",
      reason: expect.stringMatching(
        /`pulumi state delete 'urn:\S+' --stack organization\/project\/prod` \[PODLUMI-ADOPT-HELD\]$/,
      ),
    },
  ]);
  await expect(provider().pod.create(adoption)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]/);
  // Under another name of the resource, the mark tells.
  const { failures } = await provider().pod.check({}, { ...adoption, __urn: urnOf("pod", "other") });
  expect(failures).toEqual([]);
});

describe("an adoption that was interrupted after it had replaced the mark of another stack, whose state has the object", () => {
  const ours = (kind: string) => ({ __urn: urnOf(kind, "mine") });

  async function interruptedAdoption(kind: "pod" | "secret" | "networkVolume") {
    const theirs = { __stack: stacks.theirs, __urn: urnOf(kind, "it", "prod") };
    const { id, outs = {} } = await begin(provider()[kind], kind, theirs);
    backend.othersHave = [id];
    backend.objects = [stated(theirs.__urn, id, { outputs: outs })];
    // No state learns of it.
    await begin(provider()[kind], kind, { ...ours(kind), adopt: id });
    return id;
  }

  test.each(["pod", "secret", "networkVolume"] as const)(
    "continues, since that stack sees it: a %s",
    async (kind) => {
      const id = await interruptedAdoption(kind);
      const again = begin(provider()[kind], kind, { ...ours(kind), adopt: id });
      await expect(again).resolves.toMatchObject({ id });
    },
  );

  test("does not take away the new mark by another name", async () => {
    const id = await interruptedAdoption("networkVolume");
    const adoption = declared("networkVolume", { ...ours("networkVolume"), adopt: id, name: "mine" });
    await expect(provider().networkVolume.create(adoption)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]$/);
  });
});

test("a secret that another stack has is not adopted where the service cannot change its mark", async () => {
  await withoutSecretsOverRest();
  const message = 'Cannot query field "secretDescriptionUpdate" on type "Mutation".';
  const body = { errors: [{ message, extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] };
  emulator.faults.add({
    match: { operation: "secretDescriptionUpdate" },
    when: "before",
    what: { answer: { status: 400, body } },
    times: 0,
  });
  const { id } = await begin(provider().secret, "secret", { __stack: stacks.theirs, name: "token" });
  backend.othersHave = [id];
  const adoption = declared("secret", { adopt: id, name: "token", value: "another" });
  expect((await provider().secret.check({}, adoption)).failures).toEqual([
    { property: "adopt", reason: expect.stringContaining("[PODLUMI-ADOPT-HELD]") },
  ]);
  await expect(provider().secret.create(adoption)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]/);
  expect(emulator.service.secrets.valueOf(id)).toBe("hunter22");

  backend.othersHave = [];
  const { result, said } = await heard(() => begin(provider().secret, "secret", adoption));
  expect(said).toMatch(/adopts the secret "token" \(\w+\) and changes value\n/);
  expect(said).toMatch(/the secret keeps the mark of another resource, .* \[PODLUMI-FOREIGN-MARK\]/);
  const news = { ...adoption, value: "a third" };
  await provider().secret.update(id, result.outs ?? {}, news);
  expect(emulator.service.secrets.valueOf(id)).toBe("a third");
});

test.each(["registryAuth", "registryDelegation"] as const)(
  "what the service does not rename keeps the name with the mark of another stack, and is not adopted while that has it: a %s",
  async (kind) => {
    const { id, outs } = await begin(provider()[kind], kind, { __stack: stacks.theirs });
    backend.othersHave = [id];
    const adoption = declared(kind, { adopt: id });
    const { failures = [] } = await provider()[kind].check({}, adoption);
    expect(failures).toEqual([
      { property: "adopt", reason: expect.stringContaining("[PODLUMI-ADOPT-HELD]") },
    ]);
    expect(failures[0]?.reason).not.toContain("leave name out");

    backend.othersHave = [];
    const { result, said } = await heard(() => begin(provider()[kind], kind, { adopt: id }));
    expect(result).toMatchObject({ id, outs: { name: outs?.name } });
    expect(said).toMatch(/keeps the mark of another resource, .* \[PODLUMI-FOREIGN-MARK\]/);
    expect((await provider()[kind].diff(id, result.outs ?? {}, adoption)).replaces).toEqual([]);
  },
);

test("an adoption of a secret that sets the mark and not the value says so, and the next one sets the value", async () => {
  const { id } = await begin(provider().secret, "secret", { __stack: stacks.theirs, name: "token" });
  const adoption = declared("secret", { adopt: id, name: "token", value: "another" });
  emulator.faults.add({ match: { method: "PATCH" }, when: "before", skip: 1, what: { status: 400 } });
  await expect(begin(provider().secret, "secret", adoption)).rejects.toThrow(
    /^could not create secret "token": PATCH .*400.* Before that, it got the mark of this resource: .* \[PODLUMI-REFUSED\]$/,
  );
  expect(emulator.service.secrets.valueOf(id)).toBe("hunter22");
  await begin(provider().secret, "secret", adoption);
  expect(emulator.service.secrets.valueOf(id)).toBe("another");
});

test("the name of what a replacement adopts shows that it was adopted, so that no sweep takes what was another stack's for this one's", async () => {
  const theirs = await begin(provider().networkVolume, "networkVolume", { __stack: stacks.theirs });
  const { id, outs = {} } = await begin(provider().networkVolume, "networkVolume");
  haveAs(urnOf("networkVolume"), id);
  const { run, networkVolume: replacing } = provider();
  run.configure((key) => (key === "podlumi:confirmDataLoss" ? id : undefined));
  const news = declared("networkVolume", { adopt: theirs.id });
  await replacing.check(outs, news);
  const { inputs: checked } = await replacing.check({}, news);
  const { outs: adopted = {} } = await replacing.create(checked ?? {});
  expect(markInName(outs.name)?.attempt).toBe(undefined);
  expect(markInName(adopted.name)?.attempt).toBe(adoption);
});

describe("an adopted object whose mark is its name", () => {
  async function adoptedVolume() {
    const { id } = await begin(provider().networkVolume, "networkVolume", { __stack: stacks.theirs });
    backend.othersHave = [id];
    const { outs = {} } = await begin(provider().networkVolume, "networkVolume", { adopt: id });
    return { id, outs };
  }
  const named = (name: unknown) => declared("networkVolume", { name });

  test("keeps it while another stack has the object, also in an update that was not compared", async () => {
    const { id, outs } = await adoptedVolume();
    const { networkVolume } = provider();
    const { inputs: news } = await networkVolume.check(outs, named("mine"));
    await expect(networkVolume.diff(id, outs, news)).rejects.toThrow(
      /will not change network volume "mine" .*: the stack organization\/project\/prod has .* or leave name out.* \[PODLUMI-ADOPT-HELD\]/,
    );
    await expect(provider().networkVolume.update(id, outs, news)).rejects.toThrow(/\[PODLUMI-ADOPT-HELD\]/);
    expect(emulator.service.volumes.get(id).name).toBe(outs.name);
    // A refresh and a deletion compare, too, and change nothing.
    await expect(provider().networkVolume.diff(id, outs, news)).resolves.toMatchObject({
      changes: undefined,
    });
  });

  test("gets a name of the program once no other stack has it, and a preview waits for a name that it does not know", async () => {
    const { id, outs } = await adoptedVolume();
    const { networkVolume } = provider();
    const { inputs: unknown } = await networkVolume.check(outs, named(unknownValue));
    await expect(networkVolume.diff(id, outs, unknown)).resolves.toMatchObject({ replaces: [] });
    backend.othersHave = [];
    const { outs: renamed = {} } = await provider().networkVolume.update(id, outs, named("mine"));
    expect(renamed).toMatchObject({ name: "mine", __mark: outs.__mark });
  });
});

test("an adopted secret keeps its name where its logical name would make none", async () => {
  const { id } = emulator.service.secrets.create({ name: "HF_TOKEN", value: "hunter22" });
  await begin(provider().secret, "secret", { adopt: id, __urn: urnOf("secret", "hf token") });
  expect(emulator.service.secrets.list()).toMatchObject([{ id, name: "HF_TOKEN" }]);
});

describe("while Pulumi does not tell whether another stack has an object", () => {
  const verbsOf = () => {
    const run = new Run({ ...emulator.env }, { ...emptyBackend, stacks: async () => undefined });
    return handler(networkVolume, run);
  };
  const unread =
    /does not know whether that stack has the network volume .*: `pulumi stack ls --all` tells why/;
  const named = { ...args, __urn: "urn:pulumi:d::p::T::a" };

  test("it is neither imported nor adopted by its name, and the preview of that fails already", async () => {
    const { id, name } = emulator.service.volumes.create(args);
    const adopting = { ...named, adopt: { name } };
    await expect(verbsOf().create(adopting)).rejects.toThrow(unread);
    const { failures } = await verbsOf().check({}, adopting);
    expect(failures).toEqual([{ property: "adopt", reason: expect.stringMatching(unread) }]);
    await expect(verbsOf().import(id, { __urn: "urn:pulumi:d::p::T::b" })).rejects.toThrow(unread);
  });

  test("it is adopted by its id, with a warning: the user named it", async () => {
    const { id } = emulator.service.volumes.create(args);
    const adopting = { ...named, adopt: id };
    const { result, said } = await heard(() => verbsOf().check({}, adopting));
    expect(result.failures).toEqual([]);
    expect((await verbsOf().create(adopting)).id).toBe(id);
    expect(said).toMatch(unread);
    expect(said).toContain("[PODLUMI-STATE-UNKNOWN]");
  });
});

test("a preview still finds what it cannot adopt, where nobody could tell whose the namesake of another resource is", async () => {
  emulator.service.volumes.create(args);
  loseState();
  const { networkVolume } = provider();
  const check = (name: string, more: Properties) =>
    networkVolume.check(
      {},
      declared("networkVolume", { ...args, __urn: urnOf("NetworkVolume", name), ...more }),
    );
  expect((await check("data", {})).failures).toEqual([]);
  const reason = expect.stringMatching(/^there is no network volume with the id "missing"/);
  expect((await check("other", { adopt: "missing" })).failures).toEqual([{ property: "adopt", reason }]);
});

describe("what an adoption cannot change fails its preview", () => {
  const withVolume = { mounts: { network: [{ volumeId: unknownValue, path: "/net" }] } };
  const adopting = async (kind: "pod" | "template", adopt: string, more: Properties) =>
    (await provider()[kind].check({}, declared(kind, { ...more, adopt }))).failures;

  test("also where the rest of it is unknown: the pod has no volume", async () => {
    const { id } = await begin(provider().pod, "pod");
    loseState();
    expect(await adopting("pod", id, withVolume)).toEqual([
      {
        property: "adopt",
        reason: expect.stringMatching(/mounts is .* there\. .*\[PODLUMI-ADOPT-DIFFERS\]$/),
      },
    ]);
  });

  test("unless that may be what it has", async () => {
    const { id: volumeId } = emulator.service.volumes.create(args);
    const { id } = await begin(provider().pod, "pod", { mounts: { network: [{ volumeId, path: "/net" }] } });
    loseState();
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
      const { id } = await begin(provider().pod, "pod", written(mount));
      loseState();
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

test("an adopted pod whose storage the program does not declare is not replaced by an option without a word", async () => {
  const { id } = await create(provider().pod, "pod", {
    mounts: { persistent: { size: 20, path: "/w" } },
  });
  haveInState();
  stateHas?.set(id, urnOf("pod"));
  const given = declared("pod", { name: inputs.pod.name, adopt: id });
  const { pod } = provider();
  // As the engine checks where `replacementTrigger` has another value: it compares nothing.
  await pod.check(given, given);
  await expect(pod.check({}, given)).rejects.toThrow(`pulumi config set podlumi:confirmDataLoss ${id}`);
  // As it checks for `pulumi up --replace`.
  expect((await provider().pod.check({}, given)).failures).toEqual([]);
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
  const { id } = await begin(provider().pod, "pod", { __urn: urnOf("pod", "theirs") });
  const adoption = declared("pod", { adopt: id });
  const { said } = await heard(() => provider().pod.check({}, adoption));
  expect(said).toContain(`\na change of its mark of ownership restarts ${lost}`);
  await begin(provider().pod, "pod");
  const takeOver = await heard(() => provider().pod.check({}, declared("pod", { args: "--more" })));
  expect(takeOver.said).toMatch(/takes over the pod .* and changes args/);
  expect(takeOver.said).toContain(`\na change of args restarts ${lost}`);
});

test("a preview says that a pod is started that an interrupted run left and that is stopped", async () => {
  const { id } = await begin(provider().pod, "pod");
  emulator.service.pods.act(id, "stop");
  const { said } = await heard(() => provider().pod.check({}, declared("pod")));
  expect(said).toMatch(/takes over the pod .* and changes desiredStatus: it carries the mark/);
});

test("an adoption from a stack that will see it warns in its check of the stack that has the object, where Pulumi tells", async () => {
  const theirs = { __stack: stacks.theirs, __urn: urnOf("networkVolume", "theirs") };
  const { id } = await begin(provider().networkVolume, "networkVolume", theirs);
  const check = () =>
    heard(() => provider().networkVolume.check({}, declared("networkVolume", { adopt: id })));
  expect((await check()).said).not.toMatch(/ADOPT-HELD/);
  backend.othersHave = [id];
  const { result, said } = await check();
  expect(result.failures).toEqual([]);
  expect(said).toContain(
    `the stack organization/project/prod has the network volume ${id}. The adoption takes it from there, and then a destroy here ` +
      "deletes it. To leave it there, remove adopt and read it with `get`; otherwise take it out there after the `up`, with `pulumi " +
      `state delete '${urnOf("it")}' --stack organization/project/prod\` [PODLUMI-ADOPT-HELD]`,
  );
  backend.othersHave = [];
  backend.otherIsLost = true;
  const unread = await check();
  expect(unread.result.failures).toEqual([]);
  expect(unread.said).not.toMatch(/ADOPT-HELD/);
  await begin(provider().networkVolume, "networkVolume", { adopt: id });
});

test("a first preview says, too, that another stack would not see an adoption under a name that pulumi:autonaming makes without digits", async () => {
  const theirs = { __stack: stacks.theirs, __urn: urnOf("networkVolume", "theirs") };
  const { id } = await begin(provider().networkVolume, "networkVolume", theirs);
  backend.othersHave = [id];
  const adoption = declared("networkVolume", { adopt: id, __stack: unknownValue });
  const failuresWith = async (mode: "default" | "verbatim") => {
    const { networkVolume, run } = provider();
    run.notes(adoption.__urn).naming = { mode };
    return (await networkVolume.check({}, adoption)).failures;
  };
  expect(await failuresWith("default")).toEqual([]);
  expect(await failuresWith("verbatim")).toEqual([
    { property: "adopt", reason: expect.stringContaining("[PODLUMI-ADOPT-HELD]") },
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

  const { id, outs } = await begin(provider().cluster, "cluster", args);
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
    const importing = imported({ pod, template }[kind], run, madeBy(), declared(kind));
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

test("a public template of the former account is not there where its resource gets the provider of this one", async () => {
  const { image } = emulator.service.templates.get("pubpytorch");
  const news = declared("template", { name: "pytorch", image, public: true });
  const each = provider().template;
  await each.check(news, news);
  const state = { ...news, __stack: stacks.theirs };
  await expect(each.diff("pubpytorch", state, news)).rejects.toThrow(/\[PODLUMI-OTHER-ACCOUNT\]/);
});

test.each([
  ["up --yes", true],
  ["preview", false],
  [undefined, true],
])(
  "a resource that gets another provider fails where nothing tells whether its account has the object: the command %s: %s",
  async (line, fails) => {
    runs(line);
    const { networkVolume } = provider();
    const { id, outs } = await begin(networkVolume, "networkVolume");
    const news = { ...declared("networkVolume"), name: outs?.name };
    await networkVolume.check(news, news);
    const match = { method: "GET", path: `/network-volumes/${id}` };
    emulator.faults.add({ match, when: "before", what: { status: 503 }, times: 0 });
    const compared = networkVolume.diff(id, { ...outs, __stack: stacks.theirs }, news);
    const refused = expect.stringMatching(/could not find out .* \[PODLUMI-OTHER-ACCOUNT\]/);
    if (fails) await expect(compared).rejects.toMatchObject({ message: refused });
    else await expect(compared).resolves.toMatchObject({ replaces: [] });
  },
);

test("a replacement that deletes first keeps what its resource adopts, as one that creates first does", async () => {
  const { id } = emulator.service.volumes.create(args);
  const given = { ...args, __urn: urnOf("networkVolume"), adopt: id };
  const { outs = {} } = await create(provider().networkVolume, "networkVolume", given);
  backend.objects = [stated(given.__urn, id, { servedBy: stacks.ours })];
  const { networkVolume } = provider();
  // What the user names for a replacement is checked as if it were new.
  await networkVolume.check({}, declared("networkVolume", given));
  expect((await heard(() => networkVolume.delete(id, outs))).said).toContain(
    `keeps the network volume ${id}`,
  );
  expect(await create(networkVolume, "networkVolume", given)).toMatchObject({ id });
  expect(existing()).toEqual([id]);
});

describe("a name in adopt means one object", () => {
  const given = { size: 20, dataCenter: "EU-RO-1", adopt: { name: "data" } };
  const rename = (id: string, name: string) => patch(emulator, `network-volumes/${id}`, { name });
  const two = () =>
    ["data", "other"].map((name) => emulator.service.volumes.create({ ...args, name }).id) as [
      string,
      string,
    ];

  test("which has that name by now, whatever a list shows that lags", async () => {
    const [first, second] = two();
    const match = { method: "GET", path: "/network-volumes" };
    emulator.faults.add({ match, when: "before", what: { lag: 60_000 }, times: 0 });
    await rename(first, "former");
    await rename(second, "data");
    const { failures } = await provider().networkVolume.check({}, declared("networkVolume", given));
    const reason = `the network volume "former" (${first}) was found by the name "data", and has another one by now`;
    expect(failures).toEqual([{ property: "adopt", reason: expect.stringContaining(reason) }]);
  });

  test("which is the one of which the check has told, where another one has got the name since", async () => {
    const [first, second] = two();
    const { networkVolume } = provider();
    const { inputs: checked } = await networkVolume.check({}, declared("networkVolume", given));
    await rename(first, "former");
    await rename(second, "data");
    await expect(networkVolume.create({ ...checked, size: 50 })).rejects.toThrow(
      /"former" \(\w+\) was found by the name "data", and has another one by now\. .* \[PODLUMI-ADOPT\]/,
    );
    expect(emulator.service.volumes.list()).toMatchObject([{ size: 20 }, { size: 20 }]);
  });

  test("which --replace keeps though it got another name with its adoption, and another one has that by now", async () => {
    const { id } = emulator.service.volumes.create(args);
    const { networkVolume } = provider();
    const named = { ...given, name: "renamed" };
    const { outs = {} } = await begin(networkVolume, "networkVolume", named);
    emulator.service.volumes.create(args);
    haveInState(id);
    stateHas?.set(id, urnOf("networkVolume"));
    backend.objects = [stated(urnOf("networkVolume"), id, { servedBy: stacks.ours, inputs: named })];
    const next = provider().networkVolume;
    expect(await begin(next, "networkVolume", named)).toMatchObject({ id });
    await next.delete(id, outs);
    expect(emulator.service.volumes.list()).toMatchObject([{ id, name: "renamed" }, { name: "data" }]);
  });
});
