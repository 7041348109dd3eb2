import type { Properties } from "../../provider/value";
import { emulator, heard, type Kind, provider, urnOf } from "./process";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const pod = { name: "trainer", image: "org/app:1", gpu: { id: "NVIDIA L4" } };
const endpoint = {
  name: "llm",
  type: "QUEUE",
  image: "org/app:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};
const cluster = {
  name: "training",
  type: "TRAINING",
  compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
  image: "org/app:1",
};
const volume = { name: "data", size: 10, dataCenter: "EU-RO-1" };

let kinds: ReturnType<typeof provider>;
beforeEach(() => {
  kinds = provider();
});

/** The properties that a check of a new resource refuses. */
async function refused(kind: Kind, news: Properties, olds: Properties = {}): Promise<string[]> {
  const whose = { __urn: urnOf(kind, String(news.name)), __providerId: "stack" };
  const { failures = [] } = (await kinds[kind].check?.(olds, { ...whose, ...news })) ?? {};
  return failures.map(({ property }) => property);
}

const on = (volumeId: string, more: Properties) => ({
  ...pod,
  mounts: { network: [{ volumeId, path: "/data" }] },
  ...more,
});
const uses = { "mounts.network[0].volumeId": urnOf("networkVolume", "data") };

test("of a resource of the program, what it declares counts before it has an id", async () => {
  expect(await refused("networkVolume", volume)).toEqual([]);
  const news = on(unknown, { __uses: uses, dataCenterIds: ["US-KS-2"] });
  expect(await refused("pod", news)).toEqual(["dataCenterIds"]);
  expect(await refused("pod", { ...news, dataCenterIds: ["US-KS-2", "EU-RO-1"] })).toEqual([]);
  expect(await refused("pod", { ...news, dataCenterIds: [unknown] })).toEqual([]);
  expect(await refused("pod", { ...news, dataCenterIds: [] })).toEqual([]);
  expect(await refused("pod", on(unknown, { dataCenterIds: ["US-KS-2"] }))).toEqual([]);
});

test("settings beside a template that the program creates fail in the preview, before it has an id", async () => {
  const { name, image, ...rest } = { ...cluster, templateId: unknown };
  const later = { __uses: { templateId: urnOf("template", "t") } };
  expect(await refused("template", { name: "t", image: "org/app:1" })).toEqual([]);
  expect(await refused("cluster", { name, image, ...rest, ...later })).toEqual(["image"]);
  expect(await refused("cluster", { name, ...rest, ...later })).toEqual([]);
  expect(await refused("cluster", { name, image, ...rest })).toEqual([]);
});

test("what is answered in place of an object is no sign that it is there", async () => {
  const what = { answer: { status: 200, body: { message: "ok" } } };
  emulator.faults.add({ match: { path: "/network-volumes/*" }, when: "after", what, times: 0 });
  const { result, said } = await heard(() => refused("pod", on("gone", { dataCenterIds: ["EU-RO-1"] })));
  expect(result).toEqual([]);
  expect(said).toMatch(
    /could not check what the account has: GET \/network-volumes\/gone .* it is not the object/,
  );
});

test("placements fail when none of them has the volume", async () => {
  await refused("networkVolume", volume);
  const { gpu, ...rest } = on(unknown, { __uses: uses }) as typeof pod;
  const places = (...ids: string[][]) => ids.map((dataCenterIds) => ({ gpu, dataCenterIds }));
  expect(await refused("pod", { ...rest, placements: places(["US-KS-2"], ["US-TX-3"]) })).toEqual([
    "placements",
  ]);
  expect(await refused("pod", { ...rest, placements: places(["US-KS-2"], ["EU-RO-1"]) })).toEqual([]);
  expect(await refused("pod", { ...rest, placements: places(["US-KS-2"], []) })).toEqual([]);
});

test("a resource of another kind fails at its path, whether its id is known yet or not", async () => {
  const told = async (kind: Kind, news: Properties, olds: Properties = {}) => {
    const whose = { __urn: urnOf(kind, String(news.name)), __providerId: "stack" };
    const { failures = [] } = await kinds[kind].check(olds, { ...whose, ...news });
    return failures;
  };
  const { id } = emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
  kinds.run.holders.note(id, urnOf("networkVolume", "data"));
  kinds.run.holders.note("tpl0read12", urnOf("template", "read"));
  const data = (kind: string) => `is the NetworkVolume "data": give a ${kind} [PODLUMI-INVALID]`;
  const read = 'is the Template "read": give a NetworkVolume [PODLUMI-INVALID]';
  const later = (property: string) => ({ __uses: { [property]: urnOf("networkVolume", "data") } });
  const registry = [{ property: "registry", reason: data("RegistryAuth") }];
  expect(await told("pod", { ...pod, registry: id })).toEqual(registry);
  expect(await told("pod", { ...pod, registry: unknown, ...later("registry") })).toEqual(registry);
  expect(await told("pod", { ...pod, registry: unknown, adopt: unknown, ...later("registry") })).toEqual(
    registry,
  );
  expect(await told("pod", { ...pod, templateId: unknown, ...later("templateId") })).toEqual([
    { property: "templateId", reason: data("Template") },
  ]);
  expect(await told("pod", on("tpl0read12", {}))).toEqual([
    { property: "mounts.network[0].volumeId", reason: read },
  ]);
  expect(await told("serverlessEndpoint", { ...endpoint, networkVolumes: [id, "tpl0read12"] })).toEqual([
    { property: "networkVolumes[1]", reason: read },
  ]);
  // The id of `ignoreChanges` counts, not what the program passes in its place.
  const kept = { ...on(id, {}), __uses: { "mounts.network[0].volumeId": urnOf("template", "other") } };
  expect(await told("pod", kept)).toEqual([]);
});

test("of what only the account has, the service is asked once", async () => {
  const { id } = emulator.service.volumes.create({ name: "old", size: 10, dataCenter: "EU-RO-1" });
  emulator.requests.splice(0);
  expect(await refused("pod", on(id, { dataCenterIds: ["US-KS-2"] }))).toEqual(["dataCenterIds"]);
  expect(await refused("pod", on(id, { dataCenterIds: ["EU-RO-1"], name: "second" }))).toEqual([]);
  expect(await refused("serverlessEndpoint", { ...endpoint, networkVolumes: [id] })).toEqual([]);
  const elsewhere = { ...endpoint, networkVolumes: [id], dataCenterIds: ["US-KS-2"] };
  expect(await refused("serverlessEndpoint", elsewhere)).toEqual(["dataCenterIds"]);
  const asked = emulator.requests.filter(({ path }) => path.startsWith("/v2/network-volumes"));
  expect(asked.map(({ path }) => path)).toEqual(["/v2/network-volumes"]);
});

test("nothing is asked or refused of what did not change", async () => {
  const { id } = emulator.service.volumes.create({ name: "old", size: 10, dataCenter: "EU-RO-1" });
  const news = on(id, { dataCenterIds: ["US-KS-2"] });
  expect(await refused("pod", { ...news, locked: true }, news)).toEqual([]);
});

test.each<[Kind, Properties, string, string]>([
  ["pod", on("none", { dataCenterIds: ["US-KS-2"] }), "mounts.network[0].volumeId", "network volume"],
  ["pod", on("none", {}), "mounts.network[0].volumeId", "network volume"],
  ["serverlessEndpoint", { ...endpoint, networkVolumes: ["none"] }, "networkVolumes[0]", "network volume"],
  ["serverlessEndpoint", { ...endpoint, globalVolumes: ["none"] }, "globalVolumes[0]", "global volume"],
  ["pod", { ...pod, registry: "none" }, "registry", "registry credential"],
  ["serverlessEndpoint", { ...endpoint, registry: "none" }, "registry", "registry credential"],
  ["template", { name: "t", image: "org/app:1", registry: "none" }, "registry", "registry credential"],
])(
  "a %s that names what the account does not have fails when it names it for the first time: %j",
  async (kind, news, property, noun) => {
    const whose = { __urn: urnOf(kind, String(news.name)), __providerId: "stack" };
    const { failures = [] } = await kinds[kind].check({}, { ...whose, ...news });
    const nothing = `there is no ${noun} with the id "none" in this account`;
    const reason = `${nothing}: \`npx podlumi ls\` lists what there is [PODLUMI-NOT-FOUND]`;
    expect(failures).toEqual([{ property, reason }]);
    // What has it already does not need it any more.
    expect(await refused(kind, { ...news, image: "org/app:2" }, news)).toEqual([]);
    kinds = provider({ RUNPOD_API_KEY: "" });
    expect(await refused(kind, news)).toEqual([]);
  },
);

test("what the state has and somebody has deleted fails where it is named for the first time", async () => {
  const { id, outs = {} } = await kinds.networkVolume.create({
    ...volume,
    __urn: urnOf("networkVolume", "data"),
    __providerId: "stack",
  });
  const named = on(id, {});
  const check = async (olds: Properties = {}) => {
    kinds = provider();
    await refused("networkVolume", volume, volume);
    await kinds.networkVolume.diff(id, outs, { ...volume, __urn: urnOf("networkVolume", "data") });
    const whose = { __urn: urnOf("pod", "trainer"), __providerId: "stack" };
    const { failures = [] } = await kinds.pod.check(olds, { ...whose, ...named, locked: true });
    return failures.map(({ property, reason }) => `${property} ${reason}`);
  };
  expect(await check()).toEqual([]);
  emulator.service.volumes.delete(id);
  expect(await check()).toEqual([
    `mounts.network[0].volumeId there is no network volume with the id "${id}" in this account: \`npx podlumi ls\` lists what there is [PODLUMI-NOT-FOUND]`,
  ]);
  expect(await check(named)).toEqual([]);
});

test("a name in place of an id is told from an id, and the error has the id of what has the name", async () => {
  const { id } = emulator.service.volumes.create(volume);
  const whose = { __urn: urnOf("pod", "trainer"), __providerId: "stack" };
  const { failures = [] } = await kinds.pod.check({}, { ...whose, ...on(volume.name, {}) });
  expect(failures.map(({ reason }) => reason)).toEqual([
    `there is no network volume with the id "data" in this account, but one of that name, with the id "${id}" [PODLUMI-NOT-FOUND]`,
  ]);
});

test("what this run has created is asked for by nobody", async () => {
  await kinds.run.lists.atFirst(kinds.registryAuth.kind, kinds.run.api());
  const whose = { __urn: urnOf("registryAuth", "login"), __providerId: "stack" };
  const { inputs } = await kinds.registryAuth.check(
    {},
    { name: "ghcr", username: "bot", password: "hunter22", ...whose },
  );
  const { id } = await kinds.registryAuth.create(inputs);
  emulator.requests.splice(0);
  expect(await refused("template", { name: "t", image: "org/app:1", registry: id })).toEqual([]);
  expect(emulator.requests.filter(({ path }) => path.includes("registries"))).toEqual([]);
});

test("nothing is asked of an object that the inputs do not name", async () => {
  emulator.requests.splice(0);
  expect(await refused("pod", { ...pod, dataCenterIds: ["EU-RO-1"] })).toEqual([]);
  expect(emulator.requests.filter(({ path }) => /templates|volumes/.test(path))).toEqual([]);
});

describe("a template", () => {
  const template = { name: "template", image: "org/app:1" };
  const made = (serverless: boolean) =>
    emulator.service.templates.create({ name: `of-${serverless}`, image: "org/app:1", serverless }).id;

  test("of the account is looked at, and one that the account does not list, too", async () => {
    expect(await refused("pod", { ...pod, templateId: made(true) })).toEqual(["templateId"]);
    expect(await refused("serverlessEndpoint", { ...endpoint, templateId: made(false) })).toEqual([
      "templateId",
    ]);
    expect(await refused("pod", { ...pod, templateId: "pubworker1" })).toEqual(["templateId"]);
    expect(await refused("pod", { ...pod, templateId: "pubpytorch" })).toEqual([]);
  });

  test("that the account cannot use fails at its path when it is named for the first time", async () => {
    const news = { ...pod, templateId: "gone12345x" };
    expect(await refused("pod", news)).toEqual(["templateId"]);
    expect(await refused("pod", news, { ...pod, templateId: made(false) })).toEqual(["templateId"]);
    // A pod that has it already does not need it any more.
    expect(await refused("pod", { ...news, dataCenterIds: ["EU-RO-1"] }, news)).toEqual([]);
    kinds = provider({ RUNPOD_API_KEY: "" });
    expect(await refused("pod", news)).toEqual([]);
  });

  test("counts with its variables, of which a pod has 50 at most", async () => {
    const env = (from: number, to: number) =>
      Object.fromEntries([...Array(to - from).keys()].map((n) => [`K${from + n}`, "1"]));
    const { id } = emulator.service.templates.create({ name: "large", image: "org/app:1", env: env(0, 45) });
    const pods = [
      { env: env(40, 49) },
      { env: env(40, 50) },
      { env: env(40, 49), expiresAfter: "8h" },
      { env: unknown },
    ].map((more) => ({ ...pod, templateId: id, ...more }));
    const told = [];
    for (const news of pods) told.push(await refused("pod", news));
    expect(told).toEqual([[], ["env"], ["env"], []]);
    emulator.requests.splice(0);
    await expect(
      kinds.pod.create({ ...pods[1], __urn: urnOf("trainer"), __providerId: "stack" }),
    ).rejects.toThrow(/at most 50/);
  });

  test("counts as the program declares it, and not as the service still has it", async () => {
    const templateId = made(false);
    const serverless = { ...template, serverless: true };
    const state = {
      ...template,
      __urn: urnOf("template", "template"),
      __providerId: "stack",
      __declared: { name: true, image: true },
    };
    await refused("template", serverless, template);
    await kinds.template.diff?.(templateId, state, {
      ...serverless,
      __urn: urnOf("template", "template"),
      __providerId: "stack",
    });
    expect(await refused("pod", { ...pod, templateId })).toEqual(["templateId"]);
    expect(await refused("serverlessEndpoint", { ...endpoint, templateId })).toEqual([]);
  });

  test("that leaves its flag out has the service's default when it is new, and keeps its own when adopted", async () => {
    const whose = { __uses: { templateId: urnOf("template", "template") }, templateId: unknown };
    await refused("template", template);
    expect(await refused("serverlessEndpoint", { ...endpoint, ...whose })).toEqual(["templateId"]);
    await refused("template", { ...template, adopt: made(true) });
    expect(await refused("serverlessEndpoint", { ...endpoint, ...whose })).toEqual([]);
  });

  test("whose flag the program takes out is one for pods again", async () => {
    const whose = { __uses: { templateId: urnOf("template", "template") }, templateId: unknown };
    await refused("template", template, { ...template, serverless: true });
    expect(await refused("serverlessEndpoint", { ...endpoint, ...whose })).toEqual(["templateId"]);
    expect(await refused("pod", { ...pod, ...whose })).toEqual([]);
  });
});
