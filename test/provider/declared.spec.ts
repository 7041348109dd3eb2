import type { Properties } from "../../provider/value";
import { declared, emulator, heard, provider, served } from "./process";

describe("what the program declares, and what no longer", () => {
  const of = () => provider().serverlessEndpoint;
  const endpoint = (more: Properties = {}) => declared("serverlessEndpoint", { name: "llm", ...more });

  /** Brings an endpoint from one state to what the program says, as the engine does. An update is made only where one is shown. */
  async function up(id: string, state: Properties, before: Properties, after: Properties) {
    const { serverlessEndpoint } = provider();
    await serverlessEndpoint.check(before, after);
    const { result, said } = await heard(() => serverlessEndpoint.diff(id, state, after));
    if (result.changes === false) return { state, shown: [] };
    const { outs: next = {} } = await serverlessEndpoint.update(id, state, after);
    const learned =
      /only the state changes, to what the program declares \((.*)\)/.exec(said)?.[1]?.split(", ") ?? [];
    return { state: { ...next, __provider: "p" }, shown: [...result.fields.keys(), ...learned] };
  }
  const refreshed = async (id: string, state: Properties) => {
    const { props = {} } = await of().read(id, state);
    return { ...props, __provider: "p" } as Properties;
  };
  async function made(inputs: Properties) {
    const { id, outs } = await of().create(inputs);
    return { id, state: { ...outs, __provider: "p" } as Properties };
  }

  const same = { flashboot: "FLASHBOOT", timeout: 600_000, workers: { max: 9 } };
  const defaults = { timeout: 300_000, workers: { min: 0, max: 3, idleTimeout: 10 } };

  test("is cleared when it goes, if the service had it before the program declared it", async () => {
    const first = await made(endpoint());
    emulator.service.endpoints.update(first.id, same as never);
    const drifted = await refreshed(first.id, first.state);
    const sent = emulator.requests.filter(({ method }) => method === "PATCH").length;
    const noted = await up(first.id, drifted, endpoint(), endpoint(same));
    expect(noted.shown).toEqual(["workers", "flashboot", "timeout"]);
    expect(emulator.requests.filter(({ method }) => method === "PATCH")).toHaveLength(sent);
    const again = await up(first.id, noted.state, endpoint(same), endpoint(same));
    expect(again.shown).toEqual([]);
    await up(first.id, again.state, endpoint(same), endpoint());
    expect(emulator.service.endpoints.get(first.id)).toMatchObject({ flashboot: "OFF", ...defaults });
  });

  test("is not touched after it went, if it was the default", async () => {
    const { id, state } = await made(endpoint(defaults));
    const noted = await up(id, state, endpoint(defaults), endpoint());
    expect(noted.shown).toEqual(["workers", "timeout"]);
    emulator.service.endpoints.update(id, { timeout: 900_000, workers: { max: 20 } });
    const later = await up(id, await refreshed(id, noted.state), endpoint(), endpoint());
    expect(later.shown).toEqual([]);
    expect(emulator.service.endpoints.get(id)).toMatchObject({ timeout: 900_000, workers: { max: 20 } });
  });

  test("is an update without a path in the plugin, so that replaceOnChanges replaces nothing for it", async () => {
    const urn = "urn:pulumi:dev::project::podlumi:index:ServerlessEndpoint::it";
    const { __urn, __provider, __providerId, ...none } = endpoint();
    const all = { ...none, ...same };
    const plugin = served("serverlessEndpoint");
    const { id, properties } = await plugin.create({ urn, properties: all });
    const { workers, flashboot, ...shape } = properties.__declared as Properties;
    const undeclared = { ...properties, __declared: { ...shape, workers: { min: true } } };
    await plugin.check({ urn, olds: none, news: all });
    const { changes, paths } = await plugin.diff({ urn, id, olds: undeclared, oldInputs: none, news: all });
    expect([changes, ...paths]).toEqual([true]);
  });

  test("needs no update where a default is written out", async () => {
    const { id, state } = await made(endpoint());
    const { shown } = await up(id, state, endpoint(), endpoint({ ...defaults, flashboot: "OFF", ports: [] }));
    expect(shown).toEqual([]);
  });
});

test("the plugin shows what goes beside what changes, and nothing that only the service has", async () => {
  const urn = "urn:pulumi:dev::project::podlumi:index:ServerlessEndpoint::it";
  const { __urn, __provider, __providerId, ...rest } = declared("serverlessEndpoint", { name: "llm" });
  const before = { ...rest, env: { GONE: "", STAYS: "1" }, workers: { min: 0, max: 5, idleTimeout: 20 } };
  const after = { ...rest, env: { STAYS: "2" }, workers: { max: 6 } };
  const plugin = served("serverlessEndpoint");
  const { id, properties } = await plugin.create({ urn, properties: before });
  await plugin.check({ urn, olds: before, news: after });
  const { paths } = await plugin.diff({ urn, id, olds: properties, oldInputs: before, news: after });
  expect(Object.fromEntries(paths)).toEqual({
    "env.GONE": "DELETE",
    "env.STAYS": "UPDATE",
    "workers.idleTimeout": "DELETE",
    "workers.max": "UPDATE",
  });
});

describe("a preview refuses what does not fit to what others have set", () => {
  const of = () => provider().serverlessEndpoint;
  const endpoint = (more: Properties) => declared("serverlessEndpoint", { name: "llm", ...more });
  const volume = () => emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" }).id;
  const global = () => emulator.service.globalVolumes.create({ name: "models" }).id;

  /** What a preview says of an edit of an endpoint that others have changed, and whether an update goes through. */
  async function edited(theirs: Properties, from: Properties, to: Properties) {
    const { id, outs } = await of().create(endpoint(from));
    emulator.service.endpoints.update(id, theirs as never);
    const { props = {} } = await of().read(id, outs);
    const serverlessEndpoint = of();
    const { failures } = await serverlessEndpoint.check(endpoint(from), endpoint(to));
    expect(failures).toEqual([]);
    const told = await serverlessEndpoint.diff(id, props, endpoint(to)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    const updated = of().update(id, props, endpoint(to));
    const isDone = await updated.then(
      () => true,
      () => false,
    );
    return { told, isDone };
  }

  test("beside fewer workers, or a volume of the other kind", async () => {
    const workers = await edited(
      { workers: { min: 5, max: 9 } },
      { workers: { max: 9 } },
      { workers: { max: 4 } },
    );
    expect(workers.told).toMatch(
      /workers.min: must not be above workers.max: 5 is more than 4. The program does not declare workers.min, .*\[PODLUMI-INVALID\]$/,
    );
    expect(workers.isDone).toBe(false);
    const volumes = await edited({ networkVolumes: [volume()] }, {}, { globalVolumes: [global()] });
    expect(volumes.told).toMatch(
      /globalVolumes: give .* not both. The program does not declare networkVolumes, /,
    );
    expect(volumes.isDone).toBe(false);
  });

  test("and nothing else: what it changes itself, what it does not change, what podlumi sees to", async () => {
    const theirs = { workers: { min: 5, max: 9, idleTimeout: 60 }, gpu: { allowedCudaVersions: ["12.8"] } };
    const workers = { max: 9 };
    const [{ gpu }] = [endpoint({})];
    for (const to of [
      { workers: { min: 1, max: 4 } },
      { workers, timeout: 1000 },
      { workers, scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
      { workers, gpu: { ...(gpu as object), minCudaVersion: "12.4" } },
    ])
      expect(await edited(theirs, { workers }, to)).toEqual({ told: undefined, isDone: true });
    const id = global();
    const detached = { networkVolumes: [], globalVolumes: [id] };
    expect(await edited({}, { networkVolumes: [volume()] }, detached)).toEqual({
      told: undefined,
      isDone: true,
    });
    expect(await edited({}, { networkVolumes: [volume()] }, { globalVolumes: [id] })).toMatchObject({
      isDone: true,
    });
  });

  test("such as a readme of a template that is serverless now, and has storage", async () => {
    const { template } = provider();
    const mounts = { persistent: { size: 10, path: "/data" } };
    const news = (readme: string) => declared("template", { name: "it", mounts, readme });
    const { id, outs } = await template.create(news("one"));
    emulator.service.templates.update(id, { serverless: true });
    const { props = {} } = await template.read(id, outs);
    expect((await template.check(news("one"), news("two"))).failures).toEqual([]);
    await expect(template.diff(id, props, news("two"))).rejects.toThrow(/does not declare serverless, /);
    await expect(template.update(id, props, news("two"))).rejects.toThrow(/saveTemplate was refused/);
  });

  test("in an adoption, too", async () => {
    const { id } = await of().create(endpoint({ workers: { min: 5, max: 9 } }));
    const adopting = endpoint({
      adopt: id,
      workers: { max: 4 },
      __urn: "urn:pulumi:dev::project::podlumi:index:ServerlessEndpoint::other",
    });
    expect((await of().check({}, adopting)).failures).toMatchObject([{ property: "workers.min" }]);
  });
});
