import { type Emulator, type Fault, systemClock, type What } from "../../sdk/emulator/service";
import { emulate, NO_CAPACITY, POD, until } from "./client";

const VOLUME = { name: "data", size: 50, dataCenter: "US-KS-2" };
const CREATE = { interface: "rest", method: "POST", path: "/network-volumes" } as const;

const volumes = (emulator: Emulator) => emulator.service.volumes.list().length;

/** Starts an emulator where the next create of a volume meets this fault. `create` sends that request. */
async function meet(what: What, when: Fault["when"] = "before", more: Partial<Fault> = {}) {
  const client = await emulate({ faults: [{ match: CREATE, when, what, ...more }] });
  const create = () => client.rest("POST", "/network-volumes", VOLUME);
  /** Sends the same request without reading the body of the answer. */
  const open = (signal?: AbortSignal) =>
    fetch(`${client.emulator.apiUrl}/network-volumes`, {
      method: "POST",
      headers: { Authorization: "Bearer key", "Content-Type": "application/json" },
      body: JSON.stringify(VOLUME),
      signal,
    });
  return { ...client, create, open };
}

const BOTH = [
  ["before", 0],
  ["after", 1],
] as const;

describe.each(BOTH)("a fault %s the effect", (when, created) => {
  test("answers with a status in the form of the interface", async () => {
    const { create, emulator } = await meet({ status: 502, detail: "no luck" }, when);
    const { status, headers, body } = await create();
    expect(headers.get("content-type")).toContain("application/problem+json");
    expect([status, body]).toEqual([502, { title: "Bad Gateway", status: 502, detail: "no luck" }]);
    expect(volumes(emulator)).toBe(created);
    expect(emulator.requests).toMatchObject([{ method: "POST", status: 502, fault: "fault-1" }]);
  });

  test("cuts the connection", async () => {
    const { create, emulator } = await meet({ reset: true }, when);
    await expect(create()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(volumes(emulator)).toBe(created);
    expect(emulator.requests).toMatchObject([{ status: 0, fault: "fault-1" }]);
    expect((await create()).status).toBe(201);
  });

  test("gives no answer until the client gives up", async () => {
    const { open, create, emulator } = await meet({ hang: true }, when);
    await expect(open(AbortSignal.timeout(200))).rejects.toThrow(/timeout/);
    expect((await create()).status).toBe(201);
    expect(volumes(emulator)).toBe(created + 1);
    expect(emulator.requests).toMatchObject([{ status: 0, fault: "fault-1" }, { status: 201 }]);
  });

  test("gives no answer until the emulator closes", async () => {
    const { create, emulator } = await meet({ hang: true }, when);
    const answer = expect(create()).rejects.toThrow("fetch failed");
    await until(() => emulator.faults.injected.length === 1);
    await emulator.close();
    await answer;
    expect(volumes(emulator)).toBe(created);
  });

  test("holds the request or its response up", async () => {
    const { create, emulator, clock } = await meet({ delay: 3_000 }, when);
    const answer = create();
    await until(() => emulator.faults.injected.length === 1);
    clock.advance(2_999);
    expect(volumes(emulator)).toBe(created);
    expect(emulator.requests[0]?.status).toBe(0);
    clock.advance(1);
    expect((await answer).status).toBe(201);
    expect(volumes(emulator)).toBe(1);
  });

  test("holds nothing up beyond the close of the emulator", async () => {
    const match = { path: "/pods" };
    const faults: Fault[] = [{ match, when, what: { delay: 3_600_000 } }];
    const { rest, emulator } = await emulate({ clock: systemClock, faults });
    const answer = rest("GET", "/pods").catch(() => undefined);
    await until(() => emulator.faults.injected.length === 1);
    await emulator.close();
    expect((await answer)?.status).not.toBe(200);
  });

  test("sends a body that is no JSON", async () => {
    const { create, open, emulator } = await meet({ malformed: true }, when, { times: 2 });
    const { status, headers } = await open();
    expect(status).toBe(when === "after" ? 201 : 200);
    expect(headers.get("content-type")).toContain("application/json");
    await expect(create()).rejects.toThrow(SyntaxError);
    expect(volumes(emulator)).toBe(2 * created);
  });

  test("ends the connection in the middle of the body", async () => {
    const { open, emulator } = await meet({ truncated: true }, when);
    const response = await open();
    expect(response.ok).toBe(true);
    await expect(response.text()).rejects.toThrow("terminated");
    expect(volumes(emulator)).toBe(created);
    expect(emulator.requests).toMatchObject([{ status: response.status, fault: "fault-1" }]);
  });

  test("refuses for the rate, and says when to come back", async () => {
    const { create, emulator } = await meet({ rateLimited: { retryAfter: 7 } }, when);
    const { status, headers, body } = await create();
    expect([status, body.detail]).toEqual([429, "rate limit exceeded for the minute window"]);
    expect(headers.get("retry-after")).toBe("7");
    expect(headers.get("ratelimit")).toBe('"minute";r=0;t=7');
    expect(headers.get("ratelimit-policy")).toBe('"minute";q=60;w=60');
    expect(volumes(emulator)).toBe(created);
  });

  test("sends null for properties, at any depth", async () => {
    const { open } = await meet({ blank: ["size", "title"] }, when);
    const answer = await (await open()).json();
    expect(answer).toEqual(when === "before" ? {} : expect.objectContaining({ name: "data", size: null }));
  });

  test("sends a huge body", async () => {
    const { open, emulator } = await meet({ oversized: 3_000_000 }, when);
    const text = await (await open()).text();
    expect(text).toHaveLength(3_000_000);
    expect(JSON.parse(text)).toEqual({ padding: expect.any(String) });
    expect(volumes(emulator)).toBe(created);
  });

  test("sends a deep body", async () => {
    const { open, emulator } = await meet({ nested: 10_000 }, when);
    const answer: unknown = await (await open()).json();
    expect(depthOf(answer)).toBe(10_000);
    expect(volumes(emulator)).toBe(created);
  });

  test("sends a body that grows when it is unpacked", async () => {
    const { open, emulator } = await meet({ gzipBomb: 3_000_000 }, when);
    const response = await open();
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.text()).toHaveLength(3_000_000);
    expect(volumes(emulator)).toBe(created);
  });
});

describe("a body that nobody reads to its end", () => {
  test.each([{ oversized: 10_000_000_000 }, { gzipBomb: 10_000_000_000 }])(
    "is given up: %j",
    async (what) => {
      const { open, create } = await meet(what);
      const client = new AbortController();
      const response = await open(client.signal);
      const reader = response.body?.getReader();
      await reader?.read();
      client.abort();
      await expect(reader?.read()).rejects.toThrow("aborted");
      expect((await create()).status).toBe(201);
    },
  );
});

describe("a stream", () => {
  test.each([
    [{ status: 503 }, 503],
    [{ malformed: true }, 200],
  ] as const)("is replaced by %j", async (what, status) => {
    const { emulator } = await emulate();
    const { id } = emulator.service.pods.create(POD);
    emulator.faults.add({ match: { path: "/pods/*/logs" }, when: "after", what });
    const headers = { Authorization: "Bearer key" };
    const response = await fetch(`${emulator.apiUrl}/pods/${id}/logs`, { headers });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain(": open");
  });
});

describe("the service's own refusals", () => {
  test.each([
    ["capacity", "/pods", 400, NO_CAPACITY],
    ["inUse", "/network-volumes/x", 400, /^You must remove this network volume from all pods/],
    ["inUse", "/templates/x", 400, /^Template is in use/],
    ["inUse", "/registries/x", 400, /^Registry credential is in use/],
    ["nameTaken", "/templates", 400, /^Template name must be unique: 'n' already exists/],
    ["nameTaken", "/registries", 400, /^a registry credential named 'n' already exists/],
    ["nameTaken", "/account/secrets", 409, /^a secret named 'n' already exists/],
  ])("say %s on %s", async (kind, path, status, detail) => {
    const what = { [kind]: true } as { capacity: true };
    const { rest } = await emulate({ faults: [{ match: { path }, when: "before", what }] });
    const answer = await rest(kind === "inUse" ? "DELETE" : "POST", path, { name: "n" });
    expect(answer).toMatchObject({ status, body: { status, detail: expect.stringMatching(detail) } });
  });

  test("spoil the response of a deletion that has happened, though it had no body", async () => {
    const { rest, emulator } = await emulate();
    const { id } = emulator.service.volumes.create(VOLUME);
    emulator.faults.add({ match: { method: "DELETE" }, when: "after", what: { inUse: true } });
    expect((await rest("DELETE", `/network-volumes/${id}`)).status).toBe(400);
    expect(volumes(emulator)).toBe(0);
  });
});

const depthOf = (value: unknown): number => {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
};
