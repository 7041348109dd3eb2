import type { EmulatorOptions, Fault, What } from "../../sdk/emulator/service";
import { emulate } from "./client";

const VOLUME = { name: "data", size: 50, dataCenter: "US-KS-2" };

type OtherAnswer = Extract<What, { answer: object }>["answer"];

/** Creates a volume under a fault. Returns the raw answer. */
async function create(answer: OtherAnswer, when: Fault["when"], options: EmulatorOptions = {}) {
  const { emulator } = await emulate({ faults: [{ match: {}, when, what: { answer } }], ...options });
  const response = await fetch(`${emulator.apiUrl}/network-volumes`, {
    method: "POST",
    headers: { Authorization: "Bearer key", "Content-Type": "application/json" },
    body: JSON.stringify(VOLUME),
  });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    text: await response.text(),
    created: emulator.service.volumes.list().length,
    logged: emulator.requests[0]?.status,
  };
}

const JSON_TYPE = expect.stringContaining("application/json");

describe.each([
  ["before", 0],
  ["after", 1],
] as const)("another response %s the effect", (when, created) => {
  test.each([
    ["no content", { status: 204 }, null, ""],
    ["an empty answer", { status: 202 }, null, ""],
    ["an error without a body", { status: 500 }, null, ""],
    ["an object without its fields", { status: 200, body: {} }, JSON_TYPE, "{}"],
    ["another object", { status: 200, body: { message: "ok" } }, JSON_TYPE, '{"message":"ok"}'],
    ["null", { status: 201, body: null }, JSON_TYPE, "null"],
    [
      "JSON of a type of its own",
      { status: 409, body: { status: 409 }, type: "application/problem+json" },
      expect.stringContaining("application/problem+json"),
      '{"status":409}',
    ],
    ["plain text", { status: 200, text: "{ok" }, expect.stringContaining("text/plain"), "{ok"],
    ["a page", { status: 404, text: "<h1>404</h1>", type: "text/html" }, "text/html", "<h1>404</h1>"],
  ])("is %s", async (_name, answer: OtherAnswer, type, text) => {
    const { status } = answer;
    expect(await create(answer, when)).toEqual({ status, type, text, created, logged: status });
  });
});

test("another response takes the place of one that had no body", async () => {
  const { rest, emulator } = await emulate();
  const { id } = emulator.service.volumes.create(VOLUME);
  const answer = { status: 200, body: { deleted: false } };
  emulator.faults.add({ match: { method: "DELETE" }, when: "after", what: { answer } });
  expect(await rest("DELETE", `/network-volumes/${id}`)).toMatchObject(answer);
  expect(emulator.service.volumes.list()).toEqual([]);
});

test("another response is the same in GraphQL", async () => {
  const { graphql, emulator } = await emulate();
  const answer = { status: 200, body: { data: {} } };
  emulator.faults.add({ match: { interface: "graphql" }, when: "after", what: { answer } });
  expect(await graphql("{ myself { pods { id } } }")).toMatchObject(answer);
});
