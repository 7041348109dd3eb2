import { systemClock } from "../../provider/client/clock";
import type { Properties } from "../../provider/value";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  type Kind,
  kinds,
  provider,
  stacks,
  urnOf,
} from "./process";

test.each(kinds)("a %s that a program gets and that does not exist is an error with the id", async (kind) => {
  await expect(provider()[kind].read?.("no-such-id", {})).rejects.toThrow(
    /there is no .* with the id "no-such-id" in this account.* take the `get` out of the program \[PODLUMI-NOT-FOUND\]$/,
  );
});

test.each(kinds)(
  "a %s that the program only reads, and that is gone, leaves the state with a refresh",
  async (kind) => {
    const { id, outs = {} } = await create(kind);
    const { props = {} } = (await provider()[kind].read(id, {})) ?? {};
    await provider()[kind].delete(id, outs);
    const { result, said } = await heard(() => provider()[kind].read(id, props));
    expect(result).toEqual({});
    expect(said).toMatch(/ is not in this account any more, so it leaves the state: the next /);
  },
);

test("a refresh gives back the inputs with what differs, and with the settings", async () => {
  const { template } = provider();
  const { id, outs } = await create(template, "template", { deleteTimeout: 60 });
  emulator.service.templates.update(id, { image: "org/worker:2" });
  const { inputs: found } = (await provider().template.read?.(id, { ...outs, __provider: "p" })) ?? {};
  expect(found).toEqual({
    ...inputs.template,
    image: "org/worker:2",
    deleteTimeout: 60,
    __urn: urnOf("template"),
    __providerId: stacks.ours,
  });
});

test("a refresh gives back the defaults that the program has written out since, and what differs beside them", async () => {
  const { serverlessEndpoint } = provider();
  const { id, outs } = await create(serverlessEndpoint, "serverlessEndpoint", { workers: { max: 2 } });
  emulator.service.endpoints.update(id, { workers: { max: 1 } });
  const written = { flashboot: "OFF", dataCenterIds: [], globalVolumes: [] };
  const ofEngine = { ...declared("serverlessEndpoint"), ...written, workers: { min: 0, max: 2 }, timeout: 5 };
  const { inputs: found } = await provider().serverlessEndpoint.read(id, outs, ofEngine);
  expect(found).toMatchObject({ ...written, workers: { min: 0, max: 1 } });
  expect(found).not.toHaveProperty("timeout");
});

test("a refresh tells of a setting that somebody changed, and that a template gave", async () => {
  const template = emulator.service.templates.create({
    name: "worker",
    image: "org/worker:1",
    serverless: true,
  });
  const of = { templateId: template.id, image: undefined, args: "--own" };
  const { id, outs } = await create("serverlessEndpoint", of);
  emulator.service.endpoints.update(id, { image: "org/other:1", args: "--other" });
  const refresh = (state: Properties) => heard(() => provider().serverlessEndpoint.read(id, state));
  const { said, result } = await refresh(outs);
  expect(said).toBe(
    "somebody has changed image, which the template gave: no later up restores it. Declare image to have it kept\n",
  );
  expect((await refresh({ ...result.props })).said).toBe("");
});

test("a refresh names a command of the template in the one form that the program can declare", async () => {
  const template = emulator.service.templates.create({ name: "worker", image: "org/worker:1", args: "a" });
  const { id, outs = {} } = await create("pod", {
    templateId: template.id,
    image: undefined,
  });
  emulator.service.pods.update(id, { args: "b" });
  const { said } = await heard(() => provider().pod.read(id, outs));
  expect(said).toMatch(/^somebody has changed args, which .* Declare args to have it kept\n$/);
});

test("a refresh with a wrong key says where the key comes from", async () => {
  const { id, outs } = await create("pod");
  emulator.faults.add({ match: {}, when: "before", what: { status: 401 }, times: 0 });
  await expect(provider().pod.read(id, outs)).rejects.toThrow(
    /could not read .* answered 401.* the Provider's apiKey, podlumi:apiKey or RUNPOD_API_KEY; a refresh and a destroy then need --run-program\./,
  );
});

test("a secret whose value somebody else has set stays so where the program ignores it", async () => {
  const { id, outs } = await create("secret");
  const later = systemClock.now() + 60_000;
  jest.spyOn(systemClock, "now").mockImplementation(() => later);
  emulator.service.secrets.update(id, { value: "theirs" });
  const { props: state = {}, inputs: olds = {} } = (await provider().secret.read(id, outs)) ?? {};
  expect(olds).not.toHaveProperty("value");
  // With ignoreChanges, the engine gives the old inputs.
  const { secret } = provider();
  const { inputs: news, failures } = await secret.check(olds, olds);
  expect(failures).toEqual([]);
  expect(await secret.diff(id, state, news)).toMatchObject({ changes: false });
  // The program's value again.
  const own = await secret.check(olds, { ...olds, value: "hunter22" });
  expect((await secret.diff(id, state, own.inputs)).fields).toEqual(new Map([["value", "update"]]));
});

test.each([true, false])(
  "a pod whose program ignores its global networking is checked: %s",
  async (ignored) => {
    const made = { ...declared("pod", { globalNetworking: true }) };
    const { inputs: checked } = await provider().pod.check({}, made);
    const { id, outs } = await provider().pod.create(checked);
    emulator.service.pods.update(id, { globalNetworking: ignored });
    emulator.service.pods.act(id, "restart");
    const { props: state = {}, inputs: olds = {} } = (await provider().pod.read(id, outs)) ?? {};
    const { pod } = provider();
    // With ignoreChanges, the engine gives the old inputs.
    const { inputs: news, failures } = await pod.check(olds, olds);
    expect(failures).toEqual([]);
    expect(news).toEqual(olds);
    expect(await pod.diff(id, state, news)).toMatchObject({ fields: new Map() });
    const wrong = await pod.check(olds, { ...olds, globalNetworking: { enabled: "yes" } });
    expect(wrong.failures).toMatchObject([{ reason: "must be true or false [PODLUMI-INVALID]" }]);
  },
);

test("a refresh reads a list once, however long it takes; who looks up an object later asks again", async () => {
  const first = provider().networkVolume;
  const names = ["a", "b", "c", "d"];
  const made = await Promise.all(
    names.map((name) => create(first, "networkVolume", { name, __urn: urnOf("networkVolume", name) })),
  );
  const refreshing = provider().networkVolume;
  emulator.requests.length = 0;
  const [late, ...early] = made.map(
    ({ id, outs }) =>
      () =>
        refreshing.read?.(id, outs),
  );
  await Promise.all(early.map((read) => read()));
  const later = systemClock.now() + 3_600_000;
  jest.spyOn(systemClock, "now").mockImplementation(() => later);
  expect((await late?.())?.id).toBe(made[0]?.id);
  const asked = () => emulator.requests.filter(({ path }) => path.startsWith("/v2/network-volumes"));
  expect(asked()).toMatchObject([{ method: "GET", path: "/v2/network-volumes" }]);
  await refreshing.read?.(String(made[0]?.id), {});
  expect(asked()).toHaveLength(2);
});

test("a refresh reads the pods of all clusters with one list", async () => {
  const { cluster } = provider();
  const made = await Promise.all(
    ["a", "b"].map((name) => create(cluster, "cluster", { name, __urn: urnOf("cluster", name) })),
  );
  emulator.requests.length = 0;
  const refreshing = provider().cluster;
  const read = await Promise.all(made.map(({ id, outs }) => refreshing.read?.(id, outs)));
  expect(read.map((found) => found?.props?.members)).toEqual(made.map(({ outs }) => outs?.members));
  const asked = emulator.requests.map(({ path }) => path).filter((path) => path.includes("luster"));
  expect(asked.sort()).toEqual(["/v2/clusters", "/v2/pods?includeClusterPods=true"]);
});

test("the first list of secrets is the one that shows whether REST has secrets", async () => {
  const { run, secret } = provider();
  let now = Date.now();
  // The request goes out in the millisecond in which it is wanted, and no two readings after it are the same.
  jest.spyOn(systemClock, "now").mockImplementation(() => (emulator.requests.length === 0 ? now : ++now));
  await run.lists.atFirst(secret.kind, run.api());
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/v2/account/secrets"]);
});

/** Arguments that the service returns in another form than the program's, or not at all. */
const spellings: [Kind, Properties][] = [
  ["pod", { env: {}, ports: [], args: "", mounts: {}, dataCenterIds: [] }],
  ["pod", { mounts: { network: [] }, ports: ["80/http", "22/tcp"], gpu: { id: "NVIDIA L4", count: 1 } }],
  [
    "pod",
    { cloud: "SECURE", locked: false, startSsh: false, globalNetworking: false, desiredStatus: "EXITED" },
  ],
  ["pod", { waitFor: "RUNNING", waitTimeout: 5, capacityTimeout: 3 }],
  [
    "pod",
    { gpu: undefined, placements: [{ gpu: { id: "NVIDIA L4" } }, { cpu: { id: "cpu3c", vcpuCount: 2 } }] },
  ],
  ["template", { env: {}, ports: [], args: "", readme: "", mounts: {}, allowedCudaVersions: [] }],
  ["template", { serverless: false, public: false, startSsh: true, category: "NVIDIA", deleteTimeout: 9 }],
  [
    "serverlessEndpoint",
    { workers: {}, dataCenterIds: [], networkVolumes: [], env: {}, ports: [], args: "" },
  ],
  [
    "serverlessEndpoint",
    { gpu: { pools: ["ADA_24"], excludedTypes: [], allowedCudaVersions: [], count: 1 } },
  ],
  ["serverlessEndpoint", { workers: { max: 3 }, flashboot: "OFF", timeout: 300_000, waitFor: "NONE" }],
  [
    "cluster",
    { args: "", env: {}, ports: [], dataCenterIds: [], startSsh: false, mounts: {}, waitTimeout: 9 },
  ],
  ["networkVolume", { type: "STANDARD", deleteTimeout: 9 }],
  ["registryAuth", { deleteTimeout: 9 }],
  ["secret", {}],
  ["registryDelegation", {}],
];

test.each(spellings)(
  "a refresh leaves the inputs of a %s as the program writes them: %j",
  async (kind, args) => {
    const given = { ...inputs[kind], ...args, __urn: urnOf(kind) };
    const { inputs: checked } = (await provider()[kind].check?.({}, JSON.parse(JSON.stringify(given)))) ?? {};
    const { id, outs } = await provider()[kind].create(checked);
    const read = await provider()[kind].read?.(id, outs);
    expect(read?.inputs).toEqual(checked);
  },
);

test.each<Kind>(["pod", "template", "serverlessEndpoint", "cluster"])(
  "an import of a %s has each of its variables, also one with an empty text, and none of the platform",
  async (kind) => {
    for (const [name, env] of Object.entries({ one: { EMPTY: "" }, two: { EMPTY: "", FULL: "1" } })) {
      const { id } = await create(kind, { name, env, __urn: urnOf(kind, name) });
      const { inputs: found } = await provider()[kind].import(id, { __urn: urnOf(kind, id) });
      expect(found?.env).toEqual(env);
    }
  },
);

describe.each<Kind>(["networkVolume", "pod", "serverlessEndpoint"])(
  "an import of a %s that another stack created",
  (kind) => {
    const whose = { __urn: urnOf(kind), __providerId: stacks.ours };
    const theirs = () => begin(kind, { __providerId: stacks.theirs });

    test("names adopt as the way out, since the mark stays", async () => {
      const { id } = await theirs();
      const { said } = await heard(async () => provider()[kind].import(id, whose));
      expect(said).toMatch(
        new RegExp(
          `carries the mark of .*: while that stack has it in its state, its destroy deletes it\\. Write adopt: "${id}" instead of the import \\[PODLUMI-FOREIGN-MARK\\]`,
        ),
      );
    });

    test("knows the mark, so that no one else seems to have adopted the object", async () => {
      const { id } = await theirs();
      const { props = {} } = await provider()[kind].import(id, whose);
      await provider()[kind].delete(id, props);
      expect(existing()).toEqual([]);
    });
  },
);

test("an import of a load balancer has the ports that somebody gave it, and not those of the platform", async () => {
  const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } };
  const { serverlessEndpoint } = provider();
  const { id } = await create(serverlessEndpoint, "serverlessEndpoint", {
    ...balancer,
    env: { PORT: "8080" },
  });
  const { inputs: found } = await provider().serverlessEndpoint.import(id, { __urn: urnOf("x") });
  expect(emulator.service.endpoints.get(id).env).toMatchObject({ PORT: "8080", PORT_HEALTH: "80" });
  expect(found?.env).toEqual({ PORT: "8080" });
});

test("an imported pod with global networking does not drift, and nothing differs from a program like it", async () => {
  const { id } = emulator.service.pods.create({
    name: "trainer",
    image: "org/pod:1",
    gpu: { id: "NVIDIA L4", count: 1 },
    globalNetworking: true,
  });
  await systemClock.sleep(10_000);
  const whose = { __urn: urnOf("pod"), __providerId: stacks.ours };
  const { props: state = {}, inputs } = await provider().pod.import(id, whose);
  // The program is written in this shape.
  expect(inputs).toMatchObject({ globalNetworking: true });
  expect(state.__declared).toMatchObject({ globalNetworking: { enabled: true } });
  const { props: seen = {}, inputs: found } = await provider().pod.read(id, state);
  expect(found).toMatchObject({ globalNetworking: { enabled: true } });
  expect(found?.globalNetworking).not.toHaveProperty("ip");
  const { pod } = provider();
  const { inputs: news } = await pod.check(found, { ...inputs, ...whose, __provider: "p" });
  expect((await pod.diff(id, { ...(seen as Properties), __provider: "p" }, news)).fields.size).toBe(0);
});

test.each<[string, Properties]>([
  ["text", { args: "a b" }],
  ["lists", { entrypoint: ["sh"], cmd: ["a"] }],
])(
  "an import of a pod with a command in %s declares that form, and its outputs have the others, too",
  async (_form, given) => {
    const { id } = emulator.service.pods.create({
      name: "it",
      image: "i",
      cpu: { id: "cpu3c", vcpuCount: 2 },
      ...given,
    });
    const { inputs, props = {} } = await provider().pod.import(id, { __urn: urnOf("pod") });
    const { args, entrypoint, cmd } = emulator.service.pods.get(id);
    expect([Object.keys(inputs ?? {}).filter((name) => name in { args, entrypoint, cmd }), props]).toEqual([
      Object.keys(given),
      expect.objectContaining({ args, entrypoint, cmd }),
    ]);
  },
);

test("the import of an endpoint that scales without idling has no empty argument", async () => {
  const { id } = emulator.service.endpoints.create({
    name: "llm",
    type: "QUEUE",
    image: "a:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "REQUEST_COUNT", requestCount: 4 },
    workers: { max: 3 },
  });
  const { inputs } = await provider().serverlessEndpoint.import(id, { __urn: urnOf("x") });
  expect(inputs).not.toHaveProperty("workers");
});

test("an import, a `get` and an adoption of what is not there suggest the id, also for the name of an object", async () => {
  const { id } = emulator.service.volumes.create({ name: "models", size: 10, dataCenter: "EU-RO-1" });
  const misspelt = `${id.slice(0, -1)}-`;
  const of = () => provider().networkVolume;
  const whose = { __urn: urnOf("networkVolume", "none") };
  for (const [wanted, next] of [
    ["models", `, but one of that name, with the id "${id}"`],
    [misspelt, `; did you mean "${id}"?`],
  ] as const) {
    const told = `there is no network volume with the id "${wanted}" in this account${next}`;
    await expect(of().import(wanted, whose)).rejects.toThrow(
      `could not import network volume ${wanted}: ${told} [PODLUMI-NOT-FOUND]`,
    );
    const end = next.endsWith("?") ? "" : ".";
    await expect(of().read(wanted, whose)).rejects.toThrow(
      `${told}${end} Give the id of another one, or take the \`get\` out of the program [PODLUMI-NOT-FOUND]`,
    );
    const adopting = of().create({ ...declared("networkVolume"), adopt: wanted });
    await expect(adopting).rejects.toThrow(`${told}${end} Remove adopt to create one [PODLUMI-ADOPT]`);
  }
  const other = 'with the id "zzz" in this account: `npx podlumi ls` lists what there is [PODLUMI-NOT-FOUND]';
  await expect(of().import("zzz", whose)).rejects.toThrow(other);
});

test("a refresh that does not find an object names it in a short line", async () => {
  const { pod } = provider();
  const { id, outs } = await create(pod, "pod");
  emulator.service.pods.delete(id);
  const { said, result } = await heard(() => provider().pod.read(id, outs));
  expect(said).toBe(`the pod "trainer" (${id}) is not in this account any more, so it leaves the state\n`);
  expect(result).toEqual({});
});
