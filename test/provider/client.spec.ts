import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import timers from "node:timers/promises";
import { version } from "../../package.json";
import { Api } from "../../provider/client/api";
import { type Clock, inTime } from "../../provider/client/clock";
import { Proof } from "../../provider/client/errand";
import { ExpectedError, mayHaveActed, NoAnswerError, ServiceError } from "../../provider/client/errors";
import { NotInSchemaError } from "../../provider/client/graphql";
import { path } from "../../provider/client/rest";
import { transport } from "../../provider/client/transport";

/** Time that passes only by sleeping. */
class TestClock implements Clock {
  readonly slept: number[] = [];
  private time = 0;
  now = () => this.time;
  random = () => 0.5;
  async sleep(milliseconds: number) {
    this.slept.push(milliseconds);
    this.time += milliseconds;
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server;
let clock: TestClock;
let api: Api;
let requests: { method?: string; url?: string; authorization?: string; body: string }[];
let userAgents: (string | undefined)[];
let answers: Handler[];

/** Sets the answers, which come in this order. The last one repeats. */
function answering(...handlers: Handler[]): void {
  answers = handlers;
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const problem = (status: number, detail: string, errors?: string[]) =>
  json(status, { title: "No", status, detail, errors });
const reset: Handler = (request) => request.socket.destroy();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    userAgents.push(request.headers["user-agent"]);
    requests.push({
      method: request.method,
      url: request.url,
      authorization: request.headers.authorization,
      body,
    });
    const handler = answers.length > 1 ? answers.shift() : answers[0];
    handler?.(request, response, body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => server.close());

beforeEach(() => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  requests = [];
  userAgents = [];
  clock = new TestClock();
  const settings = {
    apiKey: "top-secret-key",
    apiUrl: `${address}/v2`,
    graphqlUrl: `${address}/graphql`,
    queueUrl: address,
  };
  api = new Api(settings, clock);
});

test("every request says who asks: what guards the service turns away who does not", async () => {
  answering(json(200, { data: {} }));
  await api.rest.get("/pods");
  await api.graphql.query("q", "{ ok }");
  await api.queue("e1").send({ operation: "health", read: (body) => body });
  expect(userAgents).toEqual(Array(3).fill(`podlumi/${version}`));
});

describe("REST", () => {
  test("carries the key as a bearer token and JSON as it is", async () => {
    answering(json(201, { id: "p1", extra: true }));
    expect(await api.rest.post("/pods", { name: "a" })).toEqual({ id: "p1", extra: true });
    expect(requests).toEqual([
      { method: "POST", url: "/v2/pods", authorization: "Bearer top-secret-key", body: '{"name":"a"}' },
    ]);
  });

  test("escapes every value in a path", () => {
    expect(path`/pods/${"../x?y#z"}/logs`).toBe("/pods/..%2Fx%3Fy%23z/logs");
  });

  test.each([
    ["", '""'],
    [".", '"."'],
    ["..", '".."'],
    ["\ud83d", '"\\ud83d"'],
    [undefined, "a value of type undefined"],
    [{}, "a value of type object"],
  ])("asks for nothing when %j is given for an id", async (id, given) => {
    const none = id as string;
    const needs = (what: string) => `${what} needs an id, not ${given}: check where the program gets it`;
    expect(() => path`/serverless/${"e1"}/workers/${none}/logs`).toThrow(needs("/serverless/e1/workers/"));
    await expect(api.pods.delete(none)).rejects.toThrow(needs("/pods/"));
    await expect(api.pods.find(none)).rejects.toThrow(needs("/pods/"));
    await expect(api.endpoints.update(none, {})).rejects.toThrow(needs("/serverless/"));
    const read = (body: unknown) => body;
    await expect(api.queue(none).send({ operation: "health", read })).rejects.toThrow(needs("/v2/"));
    if (id === undefined) return;
    const cancel = api.queue("e1").send({ operation: "cancel", jobId: none, read });
    await expect(cancel).rejects.toThrow(needs("/v2/e1/cancel/"));
    expect(requests).toEqual([]);
  });

  test("finds nothing on 404 only", async () => {
    answering(problem(404, "resource not found"));
    expect(await api.rest.find("/pods/p1")).toBeUndefined();
    answering(problem(403, "access denied"));
    await expect(api.rest.find("/pods/p1")).rejects.toThrow("GET /pods/p1 answered 403 No: access denied.");
  });

  test("a 404 that is not the service's own leads to the address", async () => {
    answering(json(404, { message: "not found" }));
    await expect(api.rest.find("/pods/p1")).rejects.toThrow(
      /answered 404 .*: not found\. This is not the service's own response: check podlumi:apiUrl, or RUNPOD_API_URL, which has \/v2 at its end\.$/,
    );
  });

  test("a 403 that is not the service's own says nothing of the key", async () => {
    answering((_request, response) => response.writeHead(403).end("error code: 1010"));
    await expect(api.rest.get("/pods")).rejects.toThrow(
      /answered 403 Forbidden: error code: 1010\. This is not the service's own response: a proxy or a firewall, [^.]*\.$/,
    );
  });

  test("speaks of GPU pools only where a request can name some", async () => {
    const pools = /access denied\. The key is valid .* or whether the account may use these GPU pools/;
    answering(problem(403, "access denied"), problem(403, "access denied"));
    await expect(api.rest.post("/serverless", {})).rejects.toThrow(pools);
    await expect(api.rest.list("/registries", "registries")).rejects.toThrow(
      /access denied\. The key is valid but may not do this: check its permissions\.$/,
    );
  });

  test("deletes what is gone already", async () => {
    answering(
      problem(404, "resource not found"),
      problem(404, "resource not found"),
      json(200, { pods: [] }),
    );
    await expect(api.pods.delete("p1")).resolves.toBe(false);
  });

  test("says what was wrong with a request, each violation", async () => {
    answering(problem(422, "Request validation failed.", ["$: missing property 'size'"]));
    await expect(api.rest.post("/pods", {})).rejects.toThrow(
      "POST /pods answered 422 No: Request validation failed ($: missing property 'size').",
    );
  });

  test("says what to do when the key is wrong", async () => {
    answering(problem(401, "missing bearer token"));
    await expect(api.rest.get("/pods")).rejects.toThrow(/podlumi:apiKey or RUNPOD_API_KEY/);
  });

  test("does not follow a redirect, since the key would go with it", async () => {
    answering(json(302, {}, { location: "/elsewhere" }));
    await expect(api.rest.get("/pods")).rejects.toThrow("answered 302");
    expect(requests).toHaveLength(1);
  });

  test("reads an error that is no problem object", async () => {
    answering((_request, response) => response.writeHead(400).end("<html>bad gateway</html>"));
    await expect(api.rest.get("/pods")).rejects.toThrow("GET /pods answered 400 without a reason");
  });

  test.each([
    ["a text", "upstream request timeout\nat gateway 7", "Bad Request: upstream request timeout."],
    ["an error in an error", '{"error":{"message":"input is missing"}}', "Bad Request: input is missing."],
    [
      "what is too long to be for people",
      "x".repeat(301),
      "without a reason: the response does not say why.",
    ],
  ])("repeats of an error what %s says", async (_what, body, told) => {
    answering((_request, response) => response.writeHead(400).end(body));
    await expect(api.rest.get("/pods")).rejects.toThrow(`GET /pods answered 400 ${told}`);
  });

  test("does not take a body that is not JSON for a response", async () => {
    answering((_request, response) => response.writeHead(200).end("<html>"));
    await expect(api.rest.get("/pods")).rejects.toThrow("with a body that cannot be read: it is not JSON");
  });
});

describe("a failed request", () => {
  test.each([408, 425, 429, 500, 503])("that only reads is sent again after %d", async (status) => {
    answering(problem(status, "later"), json(200, { pods: [] }));
    expect(await api.rest.get("/pods")).toEqual({ pods: [] });
    expect(requests).toHaveLength(2);
  });

  test.each([400, 401, 402, 403, 409, 410, 422])("is not sent again after %d", async (status) => {
    answering(problem(status, "no"));
    await expect(api.rest.get("/pods")).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test("waits as long as Retry-After says, and a random part of a growing pause", async () => {
    answering(json(429, {}, { "retry-after": "7" }), problem(500, "a"), problem(500, "b"), json(200, {}));
    await api.rest.get("/pods");
    expect(clock.slept).toEqual([7000, 250, 500]);
  });

  test("waits until the time that Retry-After says, by the clock of the response", async () => {
    const date = "Thu, 26 Nov 2026 08:00:00 GMT";
    const times = { date, "retry-after": "Thu, 26 Nov 2026 08:00:07 GMT" };
    const over = { date, "retry-after": "Thu, 26 Nov 2026 07:59:00 GMT" };
    answering(json(429, {}, times), json(503, {}, times), json(503, {}, over), json(200, {}));
    await api.rest.get("/pods");
    expect(clock.slept).toEqual([7000, 7250, 500]);
  });

  test.each([
    '"minute";r=0;t=12, "hour";r=0;t=40, "day";r=900;t=45012',
    '"per-minute"; t=12; r=0,"hour" ;t=40;pk=:cGs6:;r=0',
  ])("waits until the used-up windows begin anew when there is no Retry-After: %s", async (ratelimit) => {
    answering(json(429, {}, { ratelimit }), json(200, {}));
    await api.rest.get("/pods");
    expect(clock.slept).toEqual([40_000]);
  });

  test("waits by the quota of its own interface: GraphQL's is another one", async () => {
    const usedUp = {
      ratelimit: '"minute";r=0;t=30',
      "ratelimit-policy": '"minute";q=60;w=60',
    };
    answering(
      json(200, { data: { myself: {} } }, usedUp),
      json(200, {}),
      json(200, { data: { myself: {} } }),
    );
    await api.graphql.query("myself", "{ myself { id } }");
    await api.rest.get("/pods");
    expect(clock.slept).toEqual([]);
    await api.graphql.query("myself", "{ myself { id } }");
    expect(clock.slept).toEqual([30_000]);
  });

  test("is given up when its time is over", async () => {
    answering(problem(503, "down"));
    await expect(api.rest.get("/pods")).rejects.toThrow(ServiceError);
    // The last attempt comes at the end of that time, not up to a whole pause before it.
    expect(clock.now()).toBe(120_000);
  });

  test("that creates is sent again after 429, never after an end that leaves open what happened", async () => {
    answering(problem(429, "later"), problem(500, "who knows"));
    await expect(api.rest.post("/pods", {})).rejects.toMatchObject({ status: 500 });
    expect(requests).toHaveLength(2);
    answering(reset);
    await expect(api.rest.post("/pods", {})).rejects.toMatchObject({ mayHaveActed: true });
    expect(requests).toHaveLength(3);
  });

  test("that changes or deletes is sent again after a cut connection", async () => {
    answering(reset, json(200, { id: "p1" }));
    expect(await api.rest.patch("/pods/p1", { name: "b" })).toEqual({ id: "p1" });
    answering(reset, problem(404, "gone"), problem(404, "gone"), json(200, { pods: [] }));
    await expect(api.pods.delete("p1")).resolves.toBe(false);
  });

  test("that nothing listened to is known to have done nothing", async () => {
    const closed = new Api(
      { apiKey: "k", apiUrl: "http://127.0.0.1:9", graphqlUrl: "http://127.0.0.1:9", queueUrl: "" },
      clock,
    );
    const error = await closed.rest.post("/pods", {}).catch((reason) => reason);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      mayHaveActed: false,
      message: expect.stringMatching(
        /^POST \/pods got no answer from http:\/\/127\.0\.0\.1:9: ECONNREFUSED\. Check whether the emulator still runs there, and the address: /,
      ),
    });
    // A wrong address must fail soon, not after minutes.
    expect(clock.slept.length).toBeGreaterThan(5);
    expect(clock.now()).toBe(15_000);
  });

  test("that its caller has ended tells why, in words", async () => {
    const caller = new AbortController();
    answering(() => caller.abort(new ExpectedError("it was cancelled", "PODLUMI-CANCELLED")));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/pods`);
    const request = { call: "POST /pods", effect: "create", method: "POST", url, headers: {} } as const;
    await expect(transport()({ ...request, signal: caller.signal })).rejects.toThrow(
      /^POST \/pods got no answer from \S+: it was cancelled, and it is unknown whether the service acted on it\.$/,
    );
  });

  test("that cannot be made is no missing response, and is not retried", async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const urls = { apiUrl: address, graphqlUrl: address, queueUrl: address };
    const { rest } = new Api({ apiKey: "invisible\u200b", ...urls }, clock);
    for (const call of [() => rest.get<Error>("/pods"), () => rest.post<Error>("/pods", {})]) {
      const error: Error = await call().catch((reason) => reason);
      expect(error).toMatchObject({ code: "PODLUMI-NOT-SENT" });
      expect(error.message).toMatch(/^(GET|POST) \/pods cannot be sent: invalid authorization header$/);
      expect(mayHaveActed(error)).toBe(false);
    }
    expect({ slept: clock.slept, requests }).toEqual({ slept: [], requests: [] });
  });
});

describe("GraphQL", () => {
  const document = "mutation M($value: String!) { secretCreate(value: $value) { id } }";

  test("carries the key in the query and values as variables", async () => {
    answering(json(200, { data: { secretCreate: { id: "s1" } } }));
    const answer = await api.graphql.mutation("secretCreate", "create", document, { value: "hunter22" });
    expect(answer).toEqual({ id: "s1" });
    expect(requests[0]).toMatchObject({ method: "POST", url: "/graphql?api_key=top-secret-key" });
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      query: document,
      variables: { value: "hunter22" },
    });
  });

  test("tells what the service said, and neither key nor variables", async () => {
    answering(
      json(200, {
        data: null,
        errors: [{ message: "No: api_key=top-secret-key.", extensions: { code: "RUNPOD" } }],
      }),
    );
    const error = await api.graphql
      .mutation("secretCreate", "create", document, { value: "hunter22" })
      .catch(String);
    expect(error).toBe("ServiceError: GraphQL secretCreate was refused (RUNPOD): No: api_key=[secret].");
  });

  test("knows a schema that lacks what was asked for by the status 400", async () => {
    answering(json(400, { errors: [{ message: "Cannot query field." }] }));
    await expect(api.graphql.query("q", "{ nothing }")).rejects.toThrow(NotInSchemaError);
    expect(await api.graphql.has("q", "{ nothing }")).toBe(false);
    answering(json(200, { data: {} }));
    expect(await api.graphql.has("q", "{ something }")).toBe(true);
  });

  test.each([401, 403, 410])("a response of %d is an error of its own", async (status) => {
    answering(problem(status, "no"));
    const error = await api.graphql.query("q", "{ myself }").catch((reason) => reason);
    expect(error).toMatchObject({ name: "ServiceError", status });
    expect(String(error)).not.toContain("top-secret-key");
  });

  test("is sent again as REST is", async () => {
    answering(problem(502, "bad gateway"), json(200, { data: { ok: true } }));
    expect(await api.graphql.query("q", "{ ok }")).toEqual({ ok: true });
  });
});

describe("an errand", () => {
  const throttled = json(429, {}, { "retry-after": "30" });

  test("proves what its changes need, and once more after a wait", async () => {
    const prove = jest.fn(async () => undefined);
    const { rest } = api.for({ proof: new Proof(clock, prove) });
    answering(json(200, {}));
    await rest.get("/pods");
    expect(prove).not.toHaveBeenCalled();
    await rest.patch("/pods/p1", {});
    await rest.patch("/pods/p2", {});
    expect(prove).toHaveBeenCalledTimes(1);
    answering(throttled, json(200, {}));
    await rest.patch("/pods/p1", {});
    expect(prove).toHaveBeenCalledTimes(2);
  });

  test("sends no change whose proof fails, or does not hold any more after a wait", async () => {
    const prove = jest.fn(async () => undefined).mockRejectedValueOnce(new Error("it is another's"));
    const { rest } = api.for({ proof: new Proof(clock, prove) });
    answering(throttled);
    await expect(rest.delete("/pods/p1")).rejects.toThrow("it is another's");
    expect(requests).toEqual([]);
    prove.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error("it is another's"));
    await expect(rest.delete("/pods/p1")).rejects.toThrow("it is another's");
    expect(requests).toHaveLength(1);
  });

  test("needs no proof where a look has just shown that it holds", async () => {
    const prove = jest.fn(async () => undefined);
    const proof = new Proof(clock, prove);
    proof.holds();
    answering(json(200, {}));
    await api.for({ proof }).rest.patch("/pods/p1", {});
    expect(prove).not.toHaveBeenCalled();
  });

  test("gives up when its patience is over, and keeps what the one that it comes from has", async () => {
    answering(problem(503, "down"));
    const hasty = api.for({ urn: "urn" }).impatient(1_000);
    expect(hasty.errand).toEqual({ urn: "urn", patience: 1_000 });
    await expect(hasty.rest.get("/pods")).rejects.toMatchObject({ status: 503 });
    expect(clock.now()).toBe(1_000);
  });

  test("has more patience until the service has answered", async () => {
    expect(api.impatient().errand.patience).toBe(10_000);
    answering(json(200, {}));
    await api.rest.get("/account");
    expect(api.impatient().errand.patience).toBe(3_000);
  });

  test("shares with all others what they have seen, and what they know", async () => {
    answering(json(200, { pods: [{ id: "p1" }, { id: "p2" }] }));
    await api.for({ urn: "one" }).pods.list();
    answering((_request, response) => response.writeHead(204).end());
    await api.for({ urn: "other" }).pods.delete("p1");
    expect(await api.pods.list(Number.POSITIVE_INFINITY)).toEqual([{ id: "p2" }]);
    expect(requests).toHaveLength(2);
    const ask = jest.fn(async () => "answer");
    await api.for({ urn: "one" }).once("question", ask);
    expect(await api.once("question", ask)).toBe("answer");
    expect(ask).toHaveBeenCalledTimes(1);
  });
});

describe("a change that had no clear answer, and whose retries end with a refusal for the rate limit,", () => {
  const unclear = () => answering(problem(503, "later"), problem(429, "too many"));

  test("is told as unclear: it may have taken effect", async () => {
    unclear();
    const error = await api.pods.delete("x").catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 503 });
    expect(mayHaveActed(error)).toBe(true);
  });

  test("is not told so of a read", async () => {
    unclear();
    await expect(api.pods.find("x")).rejects.toMatchObject({ status: 429 });
  });
});

test("a limit of time that is over asks for no negative time, of which Node.js warns", async () => {
  const wait = jest.spyOn(timers, "setTimeout");
  expect(await inTime(-5, new Promise(() => {}))).toBeUndefined();
  expect(wait.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([0]);
});

test("a limit of time leaves no timer behind: it would keep the process", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  expect(await inTime(60_000, Promise.resolve("here"))).toBe("here");
  await expect(inTime(60_000, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(timers()).toBe(before);
  expect(await inTime(1, new Promise(() => {}))).toBeUndefined();
});
