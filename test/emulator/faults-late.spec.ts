import { type Emulator, type EmulatorOptions, ManualClock, type What } from "../../sdk/emulator/service";
import { ENDPOINT, emulate, until } from "./client";

const VOLUME = { name: "data", size: 50, dataCenter: "US-KS-2" };
const CREATE = { method: "POST", path: "/network-volumes" };

const volumes = (emulator: Emulator) => emulator.service.volumes.list().length;

/** Starts an emulator where the next create of a volume meets this fault. `create` sends that request. */
async function late(what: What = { later: 30_000 }, options: EmulatorOptions = {}) {
  const client = await emulate({ faults: [{ match: CREATE, when: "before", what }], ...options });
  const create = () => client.rest("POST", "/network-volumes", VOLUME);
  /** Counts the volumes after a round trip, so that a premature effect would have had time to happen. */
  const look = async () => {
    await client.rest("GET", "/pods");
    return volumes(client.emulator);
  };
  return { ...client, create, look };
}

describe("an effect that comes later than its error", () => {
  test("comes when its time has come, and only once", async () => {
    const { create, look, emulator, clock } = await late();
    const { status, headers, body } = await create();
    expect(headers.get("content-type")).toContain("application/problem+json");
    expect([status, body]).toEqual([
      504,
      { title: "Gateway Timeout", status: 504, detail: "Gateway Timeout" },
    ]);
    clock.advance(29_999);
    expect(await look()).toBe(0);
    clock.advance(1);
    await until(() => volumes(emulator) === 1);
    expect(emulator.service.volumes.list()).toMatchObject([VOLUME]);
    clock.advance(30_000);
    expect(await look()).toBe(1);
  });

  test("has the error that it is given", async () => {
    const { create, emulator, clock } = await late({ later: 1, status: 500, detail: "no luck" });
    expect(await create()).toMatchObject({ status: 500, body: { detail: "no luck" } });
    clock.advance(1);
    await until(() => volumes(emulator) === 1);
  });

  test("comes after a cut connection", async () => {
    const { create, look, emulator, clock } = await late({ later: 30_000, reset: true });
    await expect(create()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(await look()).toBe(0);
    clock.advance(30_000);
    await until(() => volumes(emulator) === 1);
    expect(emulator.requests[0]).toMatchObject({ method: "POST", status: 0, fault: "fault-1" });
  });

  test("comes to what a request without a body deletes", async () => {
    const { rest, emulator, clock } = await emulate();
    const { id } = emulator.service.volumes.create(VOLUME);
    emulator.faults.add({ match: { method: "DELETE" }, when: "before", what: { later: 1_000 } });
    expect((await rest("DELETE", `/network-volumes/${id}`)).status).toBe(504);
    expect(volumes(emulator)).toBe(1);
    clock.advance(1_000);
    await until(() => volumes(emulator) === 0);
  });

  test("does not come when the service refuses it by then", async () => {
    const { rest, emulator, clock } = await emulate();
    const create = (image: string) => rest("POST", "/templates", { name: "t", image });
    emulator.faults.add({ match: { path: "/templates" }, when: "before", what: { later: 1_000 } });
    expect((await create("first")).status).toBe(504);
    expect((await create("second")).status).toBe(201);
    const refused = new Promise<void>((resolve) => emulator.on("after", {}, () => resolve()));
    clock.advance(1_000);
    await refused;
    expect(emulator.service.templates.list()).toMatchObject([{ image: "second" }]);
  });

  test("comes to GraphQL, in its own form", async () => {
    const { graphql, emulator, clock } = await emulate();
    const query = `mutation ($input: SecretCreateInput!) { secretCreate(input: $input) { id } }`;
    emulator.faults.add({
      match: { operation: "secretCreate" },
      when: "before",
      what: { later: 1_000, detail: "late" },
    });
    const { status, body } = await graphql(query, { input: { name: "token", value: "x" } });
    expect([status, body]).toEqual([504, { errors: [{ message: "late" }] }]);
    expect(emulator.service.secrets.list()).toEqual([]);
    clock.advance(1_000);
    await until(() => emulator.service.secrets.list().length === 1);
  });

  test("comes to the queue, in its own form", async () => {
    const { queue, emulator, clock } = await emulate();
    const { id } = emulator.service.endpoints.create(ENDPOINT);
    emulator.faults.add({ match: { interface: "queue" }, when: "before", what: { later: 1_000 } });
    const { status, body } = await queue("POST", `/${id}/run`, { input: { prompt: "hi" } });
    expect([status, body]).toEqual([504, { error: "Gateway Timeout" }]);
    expect(emulator.service.jobs.list()).toEqual([]);
    clock.advance(1_000);
    await until(() => emulator.service.jobs.list().length === 1);
    expect(emulator.service.jobs.list()).toMatchObject([{ input: { prompt: "hi" } }]);
  });

  test("is no request of its own, and its listeners hear when it has come", async () => {
    const { create, emulator, clock } = await late();
    const seen: string[] = [];
    for (const when of ["before", "after"] as const)
      emulator.on(when, CREATE, ({ fault }) => void seen.push(`${when} ${fault}: ${volumes(emulator)}`));
    await create();
    expect(seen).toEqual(["before undefined: 0"]);
    clock.advance(30_000);
    await until(() => seen.length > 1);
    expect(seen).toEqual(["before undefined: 0", "after fault-1: 1"]);
    expect(emulator.requests).toMatchObject([{ status: 504, body: VOLUME }]);
  });

  test("meets no fault and no rate limit", async () => {
    const { create, emulator, clock } = await late(undefined, { rateLimit: { hour: 1, enforce: true } });
    emulator.faults.add({ match: {}, when: "before", what: { status: 503 }, times: 0 });
    await create();
    expect((await create()).status).toBe(429);
    clock.advance(30_000);
    await until(() => volumes(emulator) === 1);
    expect(emulator.faults.injected).toHaveLength(1);
  });

  test("comes although the fault has been ended", async () => {
    const { create, emulator, clock } = await late();
    await create();
    emulator.faults.clear();
    clock.advance(30_000);
    await until(() => volumes(emulator) === 1);
  });

  test("is nothing that a read has", async () => {
    const { rest, create, look, emulator, clock } = await late();
    const seen: string[] = [];
    emulator.on("after", {}, ({ path }) => void seen.push(path));
    emulator.faults.add({ match: { path: "/templates" }, when: "before", what: { later: 30_000 } });
    expect((await rest("GET", "/templates")).status).toBe(504);
    await create();
    clock.advance(30_000);
    await until(() => volumes(emulator) === 1);
    await look();
    expect(seen).toEqual(["/v2/network-volumes", "/v2/pods"]);
  });

  test("is nothing that a client can feign", async () => {
    const { rest, emulator } = await emulate({
      faults: [{ match: {}, when: "before", what: { status: 503 } }],
    });
    const { status } = await rest("GET", "/pods", undefined, { "x-late-effect": "undefined" });
    expect(status).toBe(503);
    expect(emulator.requests).toHaveLength(1);
  });

  test("is dropped when the account is made as new", async () => {
    const { create, look, emulator, clock } = await late();
    await create();
    emulator.reset();
    clock.advance(30_000);
    expect(await look()).toBe(0);
  });

  test("is dropped when the emulator closes", async () => {
    const waits: Promise<void>[] = [];
    class WatchedClock extends ManualClock {
      override sleep(ms: number, signal?: AbortSignal): Promise<void> {
        const wait = super.sleep(ms, signal);
        waits.push(wait);
        return wait;
      }
    }
    const { create, emulator } = await late(undefined, { clock: new WatchedClock() });
    await create();
    expect(waits).toHaveLength(1);
    await emulator.close();
    await expect(waits[0]).rejects.toThrow("aborted");
    expect(volumes(emulator)).toBe(0);
  });
});
