import { differences } from "../../provider/core/compare/diff";
import { plannedOutputs } from "../../provider/plugin/planned-outputs";
import { type Properties, unknownValue } from "../../provider/value";
import { declared, emulator, heard, provider, urnOf } from "./process";

const kind = "serverlessEndpoint";
const pools = ["AMPERE_24"];
let count = 0;
const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } };

/** An endpoint that is made with some settings, changed by somebody else, and then updated. Nothing differs afterwards. */
async function updated(before: Properties, elsewhere: object, after: Properties): Promise<Properties> {
  const { serverlessEndpoint: of } = provider();
  const whose = { name: "llm", __urn: urnOf(kind, `it${count++}`) };
  const made = await of.create(declared(kind, { ...whose, ...before }));
  emulator.service.endpoints.update(made.id, elsewhere);
  const news = declared(kind, { ...whose, ...before, ...after });
  const outs = (await of.update?.(made.id, made.outs, news))?.outs;
  expect((await of.read?.(made.id, outs))?.props).toEqual(outs);
  expect(await of.diff?.(made.id, { ...outs, __provider: "p" }, news)).toMatchObject({ changes: false });
  return { ...emulator.service.endpoints.get(made.id) };
}

/** The same, where what somebody else changed stays: the endpoint, the state after the update, and what the update says. */
async function edited(before: Properties, elsewhere: object, after: Properties) {
  const { serverlessEndpoint: of } = provider();
  const whose = { name: "llm", __urn: urnOf(kind, `it${count++}`) };
  const { id, outs } = await of.create(declared(kind, { ...whose, ...before }));
  emulator.service.endpoints.update(id, elsewhere);
  const news = declared(kind, { ...whose, ...before, ...after });
  const { result, said } = await heard(() => of.update(id, outs as Properties, news));
  return { ...emulator.service.endpoints.get(id), id, said, news, state: result.outs as Properties };
}
const made = (env: Record<string, string>, name = "b") =>
  emulator.service.templates.create({ name, image: "org/app:1", serverless: true, env }).id;

test.each([
  ["max", { min: 0, max: 3 }, { min: 0, max: 0 }, { min: 1, max: 3 }],
  ["min", { min: 1, max: 5 }, { min: 3, max: 5 }, { min: 1, max: 2 }],
])("workers.%s of the program goes along where that of the service does not fit", async (_name, ...all) => {
  const [before, elsewhere, after] = all.map((workers) => ({ workers }));
  expect(await updated(before ?? {}, elsewhere ?? {}, after ?? {})).toMatchObject(after ?? {});
});

test("exclusions that the program does not declare, or that somebody else made, stay while the pools do", async () => {
  const all = [...pools, "ADA_24"];
  const excludedTypes = ["NVIDIA L4", "NVIDIA GeForce RTX 4090"];
  const elsewhere = { gpu: { pools: all, excludedTypes } };
  const more = await updated({ gpu: { pools: all } }, elsewhere, { gpu: { pools: all, count: 2 } });
  expect(more.gpu).toMatchObject({ count: 2, excludedTypes });
  const declares = { pools: all, excludedTypes: [] };
  const { gpu } = await edited({ gpu: declares }, elsewhere, { gpu: { ...declares, count: 2 } });
  expect(gpu).toMatchObject({ count: 2, excludedTypes });
  for (const before of [{ pools: all }, declares]) {
    const { gpu: fewer } = await edited({ gpu: before }, elsewhere, { gpu: { ...before, pools } });
    expect(fewer).toEqual({ pools, count: 1, allowedCudaVersions: [], minCudaVersion: null });
  }
});

test("an exclusion that stands twice is sent once", async () => {
  const twice = { gpu: { pools, excludedTypes: ["NVIDIA L4", "NVIDIA L4"] } };
  const { serverlessEndpoint: of } = provider();
  const { id, outs } = await of.create(declared(kind, { name: "twice", ...twice }));
  expect(emulator.service.endpoints.get(id).gpu).toMatchObject({ excludedTypes: ["NVIDIA L4"] });
  expect(
    (await of.diff(id, outs as Properties, declared(kind, { name: "twice", ...twice }))).fields.size,
  ).toBe(0);
  const found = await updated({ gpu: { pools } }, {}, twice);
  expect(found.gpu).toMatchObject({ excludedTypes: ["NVIDIA L4"] });
});

test("exclusions that the program takes out end", async () => {
  const after = await updated({ gpu: { pools, excludedTypes: ["NVIDIA L4"] } }, {}, { gpu: { pools } });
  expect(after.gpu).not.toHaveProperty("excludedTypes");
});

test("a CUDA constraint takes the place of the other one, whoever set it", async () => {
  const { id } = emulator.service.templates.create({
    name: "cuda",
    image: "org/app:1",
    serverless: true,
    allowedCudaVersions: ["12.8"],
  });
  const floor = await updated(
    { templateId: id, gpu: { pools } },
    {},
    { gpu: { pools, minCudaVersion: "12.4" } },
  );
  expect(floor.gpu).toMatchObject({ allowedCudaVersions: [], minCudaVersion: "12.4" });
  const list = { gpu: { pools, allowedCudaVersions: ["12.8"] } };
  const versions = await updated({ gpu: { pools } }, { gpu: { minCudaVersion: "12.4" } }, list);
  expect(versions.gpu).toMatchObject({ allowedCudaVersions: ["12.8"], minCudaVersion: null });
});

test.each<[string, Record<string, string>, string]>([
  ["of a load balancer is the platform's again", {}, "80"],
  ["is the template's", { PORT: "70" }, "70"],
])("a port that the program takes out with a new template %s", async (_title, env, port) => {
  const before = { ...balancer, templateId: made({}, "a"), env: { PORT: "90" } };
  const { env: after } = await updated(before, {}, { templateId: made(env), env: undefined });
  expect(after).toMatchObject({ PORT: port, PORT_HEALTH: "80", PODLUMI_MARK: expect.anything() });
});

test("a port that the program takes out is the platform's again", async () => {
  const before = { ...balancer, env: { PORT: "90", A: "1" } };
  expect((await updated(before, {}, { env: { A: "1" } })).env).toMatchObject({
    PORT: "80",
    PORT_HEALTH: "80",
  });
  expect((await updated(before, {}, { env: undefined })).env).not.toHaveProperty("A");
});

test("a port that somebody else set stays, and one that is missing stays missing", async () => {
  const port = { env: { PORT: "95", PODLUMI_MARK: "x" } };
  const { env } = await updated({ ...balancer, env: { A: "1" } }, port, {
    env: { A: "2" },
    templateId: made({}),
  });
  expect(env).toEqual({ A: "2", PORT: "95", PODLUMI_MARK: "x" });
});

describe("an update of one key of an object leaves the others to those who changed them", () => {
  const workers = (min: number, max: number, idleTimeout: number) => ({ workers: { min, max, idleTimeout } });
  const gpu = (count: number, ...pools: string[]) => ({ gpu: { pools, count } });
  const floor = (minCudaVersion: string, count = 1) => ({
    gpu: { pools, count, minCudaVersion },
  });

  test.each<[string, Properties, object, Properties, Properties, string]>([
    ["workers", workers(0, 3, 5), workers(0, 10, 5), workers(0, 3, 60), workers(0, 10, 60), "workers.max"],
    ["a GPU count", gpu(1, ...pools), { gpu: { count: 2 } }, gpu(1, "ADA_24"), gpu(2, "ADA_24"), "gpu.count"],
    ["pools", gpu(1, ...pools), gpu(1, "ADA_24"), gpu(2, ...pools), gpu(2, "ADA_24"), "gpu.pools"],
    [
      "a CUDA floor",
      floor("12.4"),
      { gpu: { minCudaVersion: "", allowedCudaVersions: ["12.8"] } },
      floor("12.4", 2),
      { gpu: { count: 2, minCudaVersion: null, allowedCudaVersions: ["12.8"] } },
      "gpu.minCudaVersion",
    ],
  ])("%s", async (_title, before, elsewhere, after, expected, drifted) => {
    const { said, state, news, id, ...found } = await edited(before, elsewhere, after);
    expect(found).toMatchObject(expected);
    expect(said).toContain(`${drifted}: not what the program says, and not part of this update`);
    const of = provider().serverlessEndpoint;
    expect((await of.diff(id, state, news)).fields.size).toBe(0);
    const { props = {} } = await of.read(id, state);
    const [name = ""] = drifted.split(".");
    expect([...(await of.diff(id, props as Properties, news)).fields.keys()]).toEqual([name]);
  });

  test("but a scaler is sent whole, since its keys mean nothing without each other", async () => {
    const scaling = (queueDelay: number) => ({ scaling: { type: "QUEUE_DELAY", queueDelay } });
    const { said, ...found } = await edited(scaling(4), { scaling: balancer.scaling }, scaling(5));
    expect(found).toMatchObject(scaling(5));
    expect(said).toBe("");
  });
});

test("another revision of a template sends the program's own container settings again, and leaves other drift", async () => {
  const templateId = emulator.service.templates.create({
    name: "a",
    image: "org/app:1",
    serverless: true,
    args: "--a",
  }).id;
  const before = {
    ...{ image: "org/app:2", templateId, templateRevision: "1", timeout: 60_000 },
    workers: { min: 0, max: 2 },
  };
  const elsewhere = { image: "org/app:3", timeout: 90_000, workers: { max: 7 } };
  const { said, state, news, id, ...found } = await edited(before, elsewhere, { templateRevision: "2" });
  expect(found).toMatchObject({ image: "org/app:2", args: "--a", timeout: 90_000, workers: { max: 7 } });
  expect(said).toContain("workers.max, timeout: not what the program says, and not part of this update");
  const of = provider().serverlessEndpoint;
  expect((await of.diff(id, state, news)).fields.size).toBe(0);
  const { props = {} } = await of.read(id, state);
  expect([...(await of.diff(id, props as Properties, news)).fields.keys()]).toEqual(["workers", "timeout"]);
});

test("volumes that were detached before a refused update are not in the state, so that the next one attaches them", async () => {
  const { service } = emulator;
  const mine = service.volumes.create({ name: "v", size: 20, dataCenter: "EU-RO-1" }).id;
  const shared = service.globalVolumes.create({ name: "g" }).id;
  const whose = { name: "llm", timeout: 60_000 };
  const before = declared(kind, { ...whose, networkVolumes: [mine] });
  const { id, outs = {} } = await provider().serverlessEndpoint.create(before);
  const match = { method: "PATCH", path: `/serverless/${id}` };
  emulator.faults.add({ match, when: "before", skip: 1, what: { status: 400 } });
  const after = declared(kind, { ...whose, timeout: 70_000, globalVolumes: [shared] });
  const error = await provider()
    .serverlessEndpoint.update(id, outs, after)
    .catch((error) => error);
  expect(error.message).toMatch(
    /^could not update serverless endpoint "llm" \(\w+\): .*400.* Before that, its networkVolumes were detached.* \[PODLUMI-REFUSED\]$/,
  );
  expect(error).toMatchObject({ id, properties: { ...outs, networkVolumes: [] }, reasons: [error.message] });

  const { serverlessEndpoint: of } = provider();
  expect([...(await of.diff(id, error.properties, before)).fields.keys()]).toEqual(["networkVolumes"]);
  expect([...(await of.diff(id, error.properties, after)).fields.keys()]).toEqual([
    "timeout",
    "globalVolumes",
  ]);
  await of.update(id, error.properties, before);
  expect(service.endpoints.get(id)).toMatchObject({ networkVolumes: [mine], timeout: 60_000 });
});

test("an update that takes more workers waits for one of the run that gives some up, and else is retried once", async () => {
  emulator.service.workersQuota = 6;
  const endpoint = (name: string, max: number) =>
    declared(kind, { name, workers: { max }, __urn: urnOf(kind, name) });
  const patches = () => emulator.requests.filter(({ method }) => method === "PATCH");
  const first = provider().serverlessEndpoint;
  const [asr, llm] = [await first.create(endpoint("asr", 1)), await first.create(endpoint("llm", 5))];
  const raise = async (of: typeof first) => of.update(asr.id, asr.outs as Properties, endpoint("asr", 5));

  const { serverlessEndpoint: alone } = provider();
  await alone.check(endpoint("asr", 1), endpoint("asr", 5));
  await expect(raise(alone)).rejects.toThrow(/quota/);
  expect(patches()).toHaveLength(2);

  const { serverlessEndpoint: both } = provider();
  await both.check(endpoint("asr", 1), endpoint("asr", 5));
  await both.check(endpoint("llm", 5), endpoint("llm", 1));
  const raised = raise(both);
  while (patches().length < 5) await new Promise((tick) => setTimeout(tick, 5));
  await both.update(llm.id, llm.outs as Properties, endpoint("llm", 1));
  await raised;
  expect(emulator.service.endpoints.get(asr.id).workers.max).toBe(5);
});

test("a time-out that is new or changed and looks like seconds is warned of", async () => {
  const endpoint = (timeout: unknown) => declared("serverlessEndpoint", { name: "llm", timeout });
  const toldOf = async (before: Properties | undefined, timeout: unknown) => {
    const { serverlessEndpoint } = provider();
    return (await heard(() => serverlessEndpoint.check(before ?? {}, endpoint(timeout)))).said;
  };
  expect(await toldOf(undefined, 600)).toContain("timeout is in milliseconds: 600 is 0.6 s [PODLUMI-ODD]");
  expect(await toldOf(endpoint(600), 4_999)).toContain("timeout is in milliseconds: 4999 is 4.999 s");
  expect(await toldOf(endpoint(601), 601)).toBe("");
  for (const fine of [0, 5_000, undefined, unknownValue]) expect(await toldOf(endpoint(7), fine)).toBe("");
});

test("default workers make no difference to an endpoint that scales without idling, which has no idleTimeout to clear", async () => {
  const { serverlessEndpoint: of } = provider();
  const scaling = { type: "REQUEST_COUNT", requestCount: 4 };
  const program = (workers?: object) => declared(kind, { name: "rc", scaling, ...(workers && { workers }) });
  const compared = async (before: Properties, after: Properties) => {
    const { id, outs } = await of.create(before);
    const { pod: _pod, serverlessEndpoint: next } = provider();
    await next.check(before, after);
    return next.diff(id, { ...outs, __provider: "p" }, after);
  };
  expect((await compared(program(), program({ max: 3 }))).changes).toBe(false);
  expect((await compared(program({ min: 0, max: 3 }), program())).fields.size).toBe(0);
  expect((await compared(program({ max: 5 }), program())).fields.size).toBe(1);
});

test.each<[string, "known" | "unknown", Properties]>([
  ["a variable", "known", { env: { A: "1" } }],
  ["the path of its health check", "unknown", { env: { HEALTH_CHECK_PATH: "/ok" } }],
  ["all variables to unknown ones", "unknown", { env: unknownValue }],
  ["its template", "unknown", { templateId: unknownValue }],
])(
  "in a preview that changes %s of a load balancer, its addresses are %s",
  async (_title, expected, after) => {
    const { serverlessEndpoint: of, run } = provider();
    const { id, outs: olds = {} } = await of.create(declared(kind, { ...balancer, name: "llm" }));
    const inputs = declared(kind, { ...balancer, name: "llm", ...after });
    const changed = await differences(of.kind.fields, { state: olds, inputs, api: () => run.api() });
    const { requestUrls } = plannedOutputs(of.kind, run, inputs, { id, olds, changed });
    expect(requestUrls).toEqual(expected === "known" ? olds.requestUrls : unknownValue);
  },
);
