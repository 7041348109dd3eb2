import { systemClock } from "../../provider/client/clock";
import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { registryAuth } from "../../provider/resources/registry-auth";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import type { Fault } from "../../sdk/emulator/service/faults/fault";

// How the login of a registry credential changes, by what the service can do.

const inputs = { name: "ghcr", username: "bot", password: "one", __urn: "urn:r" };
const changed = { ...inputs, password: "two" };

let emulator: Emulator;
afterEach(() => emulator.close());

async function start(features: EmulatorOptions["features"], ...faults: Fault[]) {
  emulator = await startEmulator({ features });
  const verbs = () => handler(registryAuth, new Run({ ...emulator.env }));
  const { id, outs } = await verbs().create(inputs);
  emulator.requests.splice(0);
  for (const fault of faults) emulator.faults.add(fault);
  return { id, outs, verbs };
}

const asked = () =>
  emulator.requests.map(({ operation, method, path }) => operation ?? `${method} ${path.split("/")[2]}`);

test.each<[string, EmulatorOptions["features"], Fault[], string[], string[]]>([
  ["by REST, if its contract says so", {}, [], ["GET openapi.json"], ["PATCH registries"]],
  ["by REST, though GraphQL is retired", { graphql: false }, [], ["GET openapi.json"], ["PATCH registries"]],
  [
    "by GraphQL, if the contract does not have it",
    { registryUpdate: false },
    [],
    ["GET openapi.json", "updateRegistryAuth"],
    ["updateRegistryAuth"],
  ],
  [
    "by GraphQL, if there is no contract",
    {},
    [{ match: { path: "/openapi.json" }, when: "before", what: { status: 404 }, times: 0 }],
    ["GET openapi.json", "updateRegistryAuth"],
    ["updateRegistryAuth"],
  ],
  [
    "by GraphQL, if the contract is unreadable",
    {},
    [
      {
        match: { path: "/openapi.json" },
        when: "before",
        what: { answer: { status: 200, text: "<p>" } },
        times: 0,
      },
    ],
    ["GET openapi.json", "updateRegistryAuth"],
    ["updateRegistryAuth"],
  ],
])("a login changes in place %s", async (_title, features, faults, looks, change) => {
  const { id, outs, verbs } = await start(features, ...faults);
  expect(await verbs().diff(id, outs, changed)).toMatchObject({ changes: undefined, replaces: [] });
  expect(asked()).toEqual(looks);
  const { outs: now } = (await verbs().update?.(id, outs, changed)) ?? {};
  expect(now).toMatchObject({ name: "ghcr", password: "two" });
  expect(emulator.service.registries.valueOf(id)).toEqual({ name: "ghcr", username: "bot", password: "two" });
  expect(asked()).toEqual([...looks, "GET registries", ...looks, ...change]);
});

test.each<[string, EmulatorOptions["features"]]>([
  ["is retired", { registryUpdate: false, graphql: false }],
  ["does not have it", { registryUpdate: false, graphqlExtras: false }],
])(
  "another credential takes the place of one whose login changes, where REST cannot and GraphQL %s",
  async (_title, features) => {
    const { id, outs, verbs } = await start(features);
    expect(await verbs().diff(id, outs, changed)).toMatchObject({ replaces: ["password"] });
  },
);

test("one response without a contract creates no other credential, where GraphQL cannot change it either", async () => {
  const fault: Fault = { match: { path: "/openapi.json" }, when: "before", what: { status: 404 } };
  const { id, outs, verbs } = await start({ graphql: false }, fault);
  expect(await verbs().diff(id, outs, changed)).toMatchObject({ changes: undefined, replaces: [] });
});

test("a contract that cannot be had for a while creates no other credential", async () => {
  const fault: Fault = { match: { path: "/openapi.json" }, when: "before", what: { status: 503 }, times: 0 };
  const { id, outs, verbs } = await start({ graphql: false }, fault);
  const [began, { sleep }] = [Date.now(), systemClock];
  jest.spyOn(systemClock, "now").mockImplementation(() => began + (Date.now() - began) * 500);
  jest.spyOn(systemClock, "sleep").mockImplementation((pause, signal) => sleep(pause / 500, signal));
  await expect(verbs().diff(id, outs, changed)).rejects.toThrow("GET /openapi.json answered 503");
  jest.restoreAllMocks();
});

test("a credential is taken over as it is, where neither can change its login", async () => {
  emulator = await startEmulator({ features: { registryUpdate: false, graphql: false } });
  const { id } = emulator.service.registries.create({ name: "ghcr", username: "other", password: "other" });
  const verbs = handler(registryAuth, new Run({ ...emulator.env }));
  expect(await verbs.create({ ...inputs, adopt: id })).toMatchObject({ id, outs: { name: "ghcr" } });
  expect(emulator.service.registries.valueOf(id).password).toBe("other");
});

test("a contract names the operation and its body by references as well", async () => {
  const schema = { properties: { username: {}, password: {} } };
  const body = (properties: object) => ({
    paths: {
      "/v2/registries/{registryId}": { patch: { requestBody: { $ref: "#/components/requestBodies/Login" } } },
    },
    components: {
      requestBodies: {
        Login: { content: { "application/json": { schema: { $ref: "#/components/schemas/Login" } } } },
      },
      schemas: { Login: properties },
    },
  });
  for (const [told, replaces] of [
    [body(schema), []],
    [body({ properties: { name: {} } }), ["password"]],
    [null, ["password"]],
  ] as const) {
    const answer: Fault = {
      match: { path: "/openapi.json" },
      when: "before",
      what: { answer: { status: 200, body: told } },
      times: 0,
    };
    const { id, outs, verbs } = await start({ graphql: false }, answer);
    expect(await verbs().diff(id, outs, changed)).toMatchObject({ replaces });
    await emulator.close();
  }
});
