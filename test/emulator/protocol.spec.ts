import { emulate, GPU, send } from "./client";

interface Page {
  templates: object[];
  pagination: { nextCursor: string | null; hasNextPage: boolean };
}

const VOLUME = { name: "data", size: 50, dataCenter: "US-KS-2" };

describe("the REST interface", () => {
  test("answers 401 before anything else, without rate-limit headers", async () => {
    const { emulator } = await emulate();
    for (const path of ["/pods", "/no-such-path"]) {
      const { status, headers, body } = await send(emulator.apiUrl + path, "POST", "{broken", {});
      expect(status).toBe(401);
      expect(headers.has("ratelimit")).toBe(false);
      expect(body).toEqual({ title: "Unauthorized", status: 401, detail: "missing bearer token" });
    }
  });

  test("takes only the key it was given", async () => {
    const { rest } = await emulate({ apiKey: "right" });
    expect((await rest("GET", "/pods")).status).toBe(401);
    expect((await rest("GET", "/pods", undefined, { Authorization: "Bearer right" })).status).toBe(200);
    expect((await rest("GET", "/pods", undefined, { Authorization: "right" })).status).toBe(401);
  });

  test("returns problems in their own content type", async () => {
    const { rest } = await emulate();
    const { status, headers, body } = await rest("GET", "/no-such-path");
    expect(status).toBe(404);
    expect(headers.get("content-type")).toContain("application/problem+json");
    expect(body).toEqual({ title: "Not Found", status: 404, detail: "The requested path was not found." });
  });

  test("names the allowed methods of a path", async () => {
    const { rest } = await emulate();
    const { status, headers } = await rest("PUT", "/pods");
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, POST");
    expect((await rest("DELETE", "/registries/delegations")).headers.get("allow")).toBe("GET, POST");
  });

  test("lists every violation of a request schema", async () => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/network-volumes", { name: "", size: 5, bogus: 1 });
    expect(status).toBe(422);
    expect(body.detail).toBe("Request validation failed.");
    expect(body.errors).toEqual([
      "$: missing property 'dataCenter'",
      "$.name: minLength: got 0, want 1",
      "$.size: minimum: got 5, want 10",
      "$: additional properties 'bogus' not allowed",
    ]);
  });

  test.each([
    [{ ...VOLUME, size: "50" }, "$.size: got string, want number"],
    [{ ...VOLUME, size: 10.5 }, "$.size: got number, want integer"],
    [{ ...VOLUME, type: "FAST" }, "$.type: value must be one of 'STANDARD', 'HIGH_PERFORMANCE'"],
    [{ size: 50 }, "$: missing properties 'name', 'dataCenter'"],
    [[], "$: got array, want object"],
  ])("refuses the volume %j", async (request, fault) => {
    const { rest } = await emulate();
    expect((await rest("POST", "/network-volumes", request)).body.errors).toContain(fault);
  });

  test("closes request objects at every depth", async () => {
    const { rest } = await emulate();
    const mounts = { persistent: { size: 20, path: "/x", bogus: 1 } };
    const { body } = await rest("POST", "/pods", {
      name: "p",
      image: "i",
      gpu: { ...GPU, bogus: 1 },
      mounts,
    });
    expect(body.errors).toEqual([
      "$.gpu: additional properties 'bogus' not allowed",
      "$.mounts.persistent: additional properties 'bogus' not allowed",
    ]);
  });

  test("refuses broken and absent bodies with 400", async () => {
    const { rest } = await emulate();
    expect((await rest("POST", "/pods", "{broken")).status).toBe(400);
    expect((await rest("POST", "/pods")).status).toBe(400);
  });

  test("refuses a pod of more than 102400 bytes, even before it asks for the key", async () => {
    const { emulator, rest } = await emulate();
    const body = { name: "p", image: "i", gpu: GPU, args: "x".repeat(102_400) };
    expect((await rest("POST", "/pods", body)).status).toBe(413);
    const headers = { "Content-Type": "application/json" };
    expect((await send(`${emulator.apiUrl}/pods`, "POST", body, headers)).status).toBe(413);
  });

  test("counts what a pod gets from its template, too", async () => {
    const { rest } = await emulate();
    const env = (of: string) => ({ [of]: "x".repeat(60_000) });
    const { body: template } = await rest("POST", "/templates", { name: "t", image: "i", env: env("A") });
    const pod = { name: "p", gpu: GPU, templateId: template.id };
    expect((await rest("POST", "/pods", { ...pod, env: env("B") })).status).toBe(413);
    expect((await rest("POST", "/pods", { ...pod, env: env("A") })).status).toBe(201);
  });

  test("ignores query parameters that it does not know", async () => {
    const { rest } = await emulate();
    expect((await rest("GET", "/pods?bogus=1")).status).toBe(200);
  });

  test("sends a DELETE's 204 without a body", async () => {
    const { rest } = await emulate();
    const { body } = await rest("POST", "/network-volumes", VOLUME);
    expect(await rest("DELETE", `/network-volumes/${body.id}`)).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect((await rest("DELETE", `/network-volumes/${body.id}`)).status).toBe(404);
  });

  test("counts down the quota, in windows that begin anew", async () => {
    const { clock, rest } = await emulate({ rateLimit: { minute: 2, hour: 100, day: 1000 } });
    const first = await rest("GET", "/pods");
    expect(first.headers.get("ratelimit")).toBe('"minute";r=1;t=60, "hour";r=99;t=3600, "day";r=999;t=43200');
    expect(first.headers.get("ratelimit-policy")).toBe(
      '"minute";q=2;w=60, "hour";q=100;w=3600, "day";q=1000;w=86400',
    );
    clock.advance(61_000);
    expect((await rest("GET", "/pods")).headers.get("ratelimit")).toMatch(/"minute";r=1;t=59, "hour";r=98/);
  });

  test("a minute may be shorter, and the headers say so", async () => {
    const { clock, rest } = await emulate({ rateLimit: { minute: 1, minuteSeconds: 6, enforce: true } });
    const { headers } = await rest("GET", "/pods");
    expect(headers.get("ratelimit")).toMatch(/^"minute";r=0;t=6,/);
    expect(headers.get("ratelimit-policy")).toMatch(/^"minute";q=1;w=6,/);
    clock.advance(6_000);
    expect((await rest("GET", "/pods")).status).toBe(200);
  });

  test("refuses requests beyond the quota only when told to", async () => {
    const lenient = await emulate({ rateLimit: { minute: 1 } });
    await lenient.rest("GET", "/pods");
    expect((await lenient.rest("GET", "/pods")).status).toBe(200);

    const strict = await emulate({ rateLimit: { minute: 1, enforce: true } });
    await strict.rest("GET", "/pods");
    strict.clock.advance(20_000);
    const { status, headers, body } = await strict.rest("GET", "/pods");
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("40");
    expect(body.detail).toBe("rate limit exceeded for the minute window");
    strict.clock.advance(40_000);
    expect((await strict.rest("GET", "/pods")).status).toBe(200);
  });

  test("publishes its own schema, which needs no key", async () => {
    const { emulator } = await emulate();
    const { body } = await send(`${emulator.apiUrl}/openapi.json`, "GET", undefined, {});
    const schema = { additionalProperties: false, required: ["name", "size", "dataCenter"] };
    expect(body).toMatchObject({
      openapi: "3.1.0",
      paths: {
        "/v2/network-volumes": {
          get: { operationId: "listNetworkVolumes" },
          post: { requestBody: { content: { "application/json": { schema } } } },
        },
      },
    });
  });

  test("hands out long lists in pages when told to", async () => {
    const { rest, emulator } = await emulate({ features: { pagination: true } });
    for (const name of ["a", "b", "c"]) emulator.service.templates.create({ name, image: "i" });
    const first = await rest<Page>("GET", "/templates?limit=2");
    expect(first.body.templates).toMatchObject([{ name: "c" }, { name: "b" }]);
    expect(first.body.pagination.hasNextPage).toBe(true);
    const second = await rest<Page>("GET", `/templates?limit=2&cursor=${first.body.pagination.nextCursor}`);
    expect(second.body.templates).toMatchObject([{ name: "a" }]);
    const last = { nextCursor: null, hasNextPage: false };
    expect(second.body.pagination).toEqual(last);
    const inCatalog = await rest<Page>("GET", "/catalog/templates");
    expect(inCatalog.body).toEqual({ templates: expect.any(Array), pagination: last });
    expect((await rest("GET", "/templates?cursor=bogus")).status).toBe(422);
    expect((await rest("GET", "/templates?limit=0")).status).toBe(422);
  });
});

describe("the emulator", () => {
  test("has what a new one of its options has once it is reset: quota, money, times, rate limit and no listeners", async () => {
    const { rest, emulator } = await emulate({ balance: 5, rateLimit: { minute: 1, enforce: true } });
    const { service } = emulator;
    const told: string[] = [];
    emulator.on("before", {}, ({ path }) => void told.push(path));
    const now = () => [service.balance, service.workersQuota, service.spendLimit, service.timings.listLag];
    const first = now();
    Object.assign(service, { balance: 0, workersQuota: 1, spendLimit: 1 });
    service.timings.listLag = 1_000;
    expect((await rest("GET", "/pods")).status).toBe(200);
    expect((await rest("GET", "/pods")).status).toBe(429);
    emulator.reset();
    expect(now()).toEqual(first);
    expect((await rest("GET", "/pods")).status).toBe(200);
    expect(told).toHaveLength(1);
  });

  test("has objects, requests, faults, a quota and a page of its own beside others of its process, and ends alone", async () => {
    const rateLimit = { minute: 2, enforce: true };
    const [one, other] = [await emulate({ rateLimit }), await emulate({ rateLimit })];
    one.emulator.faults.add({ match: { path: "/pods" }, when: "before", what: { status: 502 } });
    expect((await one.rest("POST", "/network-volumes", VOLUME)).status).toBe(201);
    expect(await other.rest("GET", "/network-volumes")).toMatchObject({ body: { networkVolumes: [] } });
    expect((await one.rest("GET", "/pods")).status).toBe(502);
    expect((await other.rest("GET", "/pods")).status).toBe(200);
    expect((await one.rest("GET", "/pods")).status).toBe(429);
    expect(one.emulator.requests).toHaveLength(3);
    expect(other.emulator.requests).toMatchObject([{ method: "GET" }, { method: "GET" }]);
    const faults = await send(`${other.emulator.pageUrl}faults`, "GET", undefined, {});
    expect(faults.body).toEqual({ plan: [], injected: [] });
    await one.emulator.close();
    expect((await other.graphql("query Q { myself { id } }")).status).toBe(200);
    await expect(one.graphql("query Q { myself { id } }")).rejects.toThrow("fetch failed");
  });

  test("logs every request of every interface with its response", async () => {
    const { emulator, rest, graphql, queue } = await emulate();
    await rest("POST", "/network-volumes", VOLUME);
    await graphql("query Q { myself { pods { id } } }");
    await queue("GET", "/missing/health");
    expect(emulator.requests).toMatchObject([
      { interface: "rest", method: "POST", path: "/v2/network-volumes", body: VOLUME, status: 201 },
      { interface: "graphql", operation: "myself", path: "/graphql?api_key=***", status: 200 },
      { interface: "queue", path: "/queue/v2/missing/health", status: 404 },
    ]);
  });

  test("shows whether anything is left", async () => {
    const { emulator } = await emulate();
    expect(emulator.service.isEmpty()).toBe(true);
    emulator.service.volumes.create(VOLUME);
    expect(emulator.service.isEmpty()).toBe(false);
    expect(emulator.service.snapshot().networkVolumes).toMatchObject([VOLUME]);
  });
});
