import { emulate, send } from "./client";

const FAULT = { match: { path: "/pods" }, when: "before", what: { status: 503 } };
const JSON_TYPE = { "Content-Type": "application/json" };

interface Report {
  plan: object[];
  injected: { id: string; request: object }[];
  ids: string[];
  error: string;
}

async function control() {
  const client = await emulate({ apiKey: "secret" });
  const address = `http://127.0.0.1:${client.emulator.port}/faults`;
  const faults = (method: string, body?: unknown, path = "") =>
    send<Report>(address + path, method, body, JSON_TYPE);
  const pods = async () =>
    (await client.rest("GET", "/pods", undefined, { Authorization: "Bearer secret" })).status;
  return { ...client, faults, pods };
}

describe("the fault plan over HTTP", () => {
  test("takes a fault, injects it and reports it", async () => {
    const { faults, pods } = await control();
    const added = await faults("POST", FAULT);
    expect([added.status, added.body.ids]).toEqual([201, ["fault-1"]]);
    expect(await pods()).toBe(503);
    expect((await faults("GET")).body).toMatchObject({
      plan: [{ id: "fault-1", fault: FAULT, matched: 1, injected: 1 }],
      injected: [{ id: "fault-1", request: { method: "GET", path: "/v2/pods", status: 503 } }],
    });
  });

  test("takes several faults, and ends one or all of them", async () => {
    const { faults, pods } = await control();
    const more = { ...FAULT, times: 0 };
    const { ids } = (await faults("POST", [more, { ...more, what: { status: 500 } }, more])).body;
    expect(await pods()).toBe(503);
    expect((await faults("DELETE", undefined, `/${ids[0]}`)).status).toBe(204);
    expect(await pods()).toBe(500);
    expect((await faults("DELETE")).status).toBe(204);
    expect(await pods()).toBe(200);
    expect((await faults("GET")).body).toMatchObject({ plan: [], injected: [{}, {}] });
    expect((await faults("DELETE", undefined, "/fault-9")).status).toBe(404);
  });

  test.each([
    [undefined, "expected object"],
    [{ ...FAULT, bogus: 1 }, "bogus"],
    [{ ...FAULT, match: { url: "/pods" } }, "url"],
    [{ ...FAULT, when: "during" }, "before"],
    [{ ...FAULT, what: { reset: true, hang: true } }, "exactly one of"],
    [{ ...FAULT, what: { status: 200 } }, "what.status"],
    [{ ...FAULT, what: { explode: true } }, "status, reset, delay"],
    [{ ...FAULT, probability: 2 }, "probability"],
    [{ ...FAULT, what: { later: 9 }, when: "after" }, 'must be "before"'],
    [{ ...FAULT, what: { later: -1 } }, "what.later"],
    [{ ...FAULT, what: { later: 9, status: 200 } }, "later, lag, answer"],
    [{ ...FAULT, what: { later: 9, status: 500, reset: true } }, "exactly one of"],
    [{ ...FAULT, what: { later: 9, hang: true } }, "exactly one of"],
    [{ ...FAULT, what: { lag: 9 }, when: "after" }, 'must be "before"'],
    [{ ...FAULT, what: { answer: { status: 199 } } }, "what.answer.status"],
    [{ ...FAULT, what: { answer: { status: 200, body: {}, text: "" } } }, "not both"],
    [{ ...FAULT, what: { answer: { status: 204, body: null } } }, "neither a body nor a text"],
    [{ ...FAULT, what: { answer: { status: 200, html: "" } } }, "html"],
    [[FAULT, {}], "[1].when"],
  ])("refuses %j", async (fault, message) => {
    const { faults, emulator } = await control();
    const { status, body } = await faults("POST", fault);
    expect(status).toBe(400);
    expect(body.error).toContain(message);
    expect(emulator.faults.plan).toEqual([]);
  });

  test("tells what was injected, and nothing of what was sent", async () => {
    const { faults, rest } = await control();
    await faults("POST", { ...FAULT, match: {} });
    const login = { name: "ghcr", username: "bot", password: "hunter22" };
    await rest("POST", "/registries", login, { Authorization: "Bearer secret" });
    const { body } = await faults("GET");
    expect(body.injected).toMatchObject([{ request: { method: "POST", path: "/v2/registries" } }]);
    expect(JSON.stringify(body)).not.toContain("hunter22");
  });

  test("is no request of the service", async () => {
    const { faults, emulator } = await control();
    await faults("POST", { ...FAULT, match: {} });
    expect((await faults("GET")).status).toBe(200);
    expect(emulator.requests).toEqual([]);
    expect(emulator.faults.injected).toEqual([]);
  });
});

test("a request to an unknown address is logged", async () => {
  const { emulator } = await emulate();
  expect((await send(`http://127.0.0.1:${emulator.port}/v1/pods`, "GET", undefined, {})).status).toBe(404);
  expect(emulator.requests).toMatchObject([{ method: "GET", path: "/v1/pods", status: 404 }]);
});
