import { ENDPOINT, emulate, send } from "./client";

const MATCH = { path: "/pods" };
const FAULT = { match: MATCH, when: "before", what: { status: 503 } } as const;

/** Lists the pods `count` times. Returns the statuses of the answers. */
async function statuses(client: Awaited<ReturnType<typeof emulate>>, count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await client.rest("GET", "/pods")).status);
  return seen;
}

describe("a fault plan", () => {
  test("injects a fault once unless told otherwise", async () => {
    expect(await statuses(await emulate({ faults: [FAULT] }), 2)).toEqual([503, 200]);
  });

  test("lets requests pass first, and then strikes so many times", async () => {
    const client = await emulate({ faults: [{ ...FAULT, skip: 1, times: 2 }] });
    expect(await statuses(client, 4)).toEqual([200, 503, 503, 200]);
  });

  test("uses up one fault after the other", async () => {
    const client = await emulate({ faults: [FAULT, { ...FAULT, what: { status: 500 } }] });
    expect(await statuses(client, 3)).toEqual([503, 500, 200]);
  });

  test.each([0, Number.POSITIVE_INFINITY])("strikes until it is removed with times %d", async (times) => {
    const client = await emulate();
    const id = client.emulator.faults.add({ ...FAULT, times });
    expect(await statuses(client, 3)).toEqual([503, 503, 503]);
    expect(client.emulator.faults.remove(id)).toBe(true);
    expect(await statuses(client, 1)).toEqual([200]);
    expect(client.emulator.faults.injected).toHaveLength(3);
  });

  test("repeats its chances with the same seed", async () => {
    const fault = { ...FAULT, times: 0, probability: 0.5 };
    const run = async (faultSeed: number) => statuses(await emulate({ faults: [fault], faultSeed }), 20);
    const first = await run(7);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
  });

  test("tells which requests met which fault", async () => {
    const client = await emulate({ faults: [FAULT] });
    await statuses(client, 2);
    const [struck, spared] = client.emulator.requests;
    expect(client.emulator.faults.injected).toEqual([{ id: "fault-1", fault: FAULT, request: struck }]);
    expect(spared).not.toHaveProperty("fault");
  });

  test("leaves requests alone that the service turns away at the door", async () => {
    const { emulator } = await emulate({ faults: [FAULT] });
    expect((await send(`${emulator.apiUrl}/pods`, "GET", undefined, {})).status).toBe(401);
    expect(emulator.faults.injected).toEqual([]);
  });

  test("refuses what it does not know", async () => {
    const { emulator } = await emulate();
    const both = { ...FAULT, what: { reset: true, hang: true } } as const;
    expect(() => emulator.faults.add(both)).toThrow(/exactly one of/);
    expect(() => emulator.faults.add({ ...FAULT, times: -1 })).toThrow();
  });
});

describe("a match", () => {
  test.each([
    ["/pods", "GET", "/pods?x=1", true],
    ["/pods", "GET", "/pods/a", false],
    ["/pods/*", "GET", "/pods/a", true],
    ["/pods/*", "GET", "/pods/a/logs", false],
    ["/pods/*/action", "POST", "/pods/a/action", true],
    ["/*", "GET", "/templates", true],
  ])("with the path %s is asked about %s %s: %s", async (path, method, url, struck) => {
    const { rest, emulator } = await emulate({ faults: [{ ...FAULT, match: { path } }] });
    await rest(method, url, method === "POST" ? { action: "stop" } : undefined).catch(() => undefined);
    expect(emulator.faults.injected).toHaveLength(struck ? 1 : 0);
  });

  test("tells interfaces, methods and operations apart", async () => {
    const { rest, graphql, queue, emulator } = await emulate();
    const { id } = emulator.service.endpoints.create(ENDPOINT);
    const what = { status: 503 };
    const when = "before";
    const gql = emulator.faults.add({ match: { interface: "graphql", operation: "myself" }, when, what });
    const health = emulator.faults.add({ match: { interface: "queue", path: "/v2/*/health" }, when, what });
    const change = emulator.faults.add({ match: { interface: "rest", method: "patch" }, when, what });
    await rest("GET", "/pods");
    await rest("PATCH", "/pods/x", {});
    await graphql("{ gpuTypes { id } }");
    await graphql("{ myself { pods { id } } }");
    await queue("GET", `/${id}/health`);
    expect(emulator.requests.map(({ fault }) => fault)).toEqual([undefined, change, undefined, gql, health]);
  });
});

describe("the other interfaces", () => {
  const SAVE = `mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) { id } }`;
  const input = { name: "t", imageName: "i", containerDiskInGb: 10, volumeInGb: 0, env: [] };
  const match = { operation: "saveTemplate" };

  test("get a status of GraphQL with errors", async () => {
    const { graphql, emulator } = await emulate();
    emulator.faults.add({ match, when: "after", what: { status: 500, detail: "no luck" } });
    const answer = await graphql(SAVE, { input });
    expect([answer.status, answer.body]).toEqual([500, { errors: [{ message: "no luck" }] }]);
    expect(emulator.service.templates.list()).toHaveLength(1);
  });

  test("get a broken rule of GraphQL beside HTTP 200", async () => {
    const { graphql, emulator } = await emulate();
    emulator.faults.add({ match, when: "before", what: { nameTaken: true } });
    const { status, body } = await graphql(SAVE, { input });
    const message = "Template name must be unique: 't' already exists";
    expect(status).toBe(200);
    expect(body).toEqual({
      errors: [{ message, path: ["saveTemplate"], extensions: { code: "RUNPOD" } }],
      data: { saveTemplate: null },
    });
    // The injected error equals the service's own error when the name is really taken.
    await graphql(SAVE, { input });
    const own = (await graphql(SAVE, { input })).body;
    expect(own).toMatchObject({
      errors: [{ message, path: ["saveTemplate"] }],
      data: { saveTemplate: null },
    });
    expect(emulator.service.templates.list()).toHaveLength(1);
  });

  test("get a status of the queue", async () => {
    const { queue, emulator } = await emulate();
    const { id } = emulator.service.endpoints.create(ENDPOINT);
    emulator.faults.add({ match: { interface: "queue" }, when: "before", what: { status: 500 } });
    const { status, body } = await queue("POST", `/${id}/run`, { input: {} });
    expect([status, body]).toEqual([500, { error: "Internal Server Error" }]);
    expect((await queue("GET", `/${id}/health`)).body.jobs).toMatchObject({ inQueue: 0 });
  });
});
