import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { sshKeys } from "../../provider/resources/ssh-keys";
import type { Properties } from "../../provider/value";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";

const definitions = {
  NetworkVolume: networkVolume,
  Pod: pod,
  Secret: secret,
  ServerlessEndpoint: serverlessEndpoint,
  SshKeys: sshKeys,
};
const trainer = { name: "trainer", image: "org/app:1", gpu: { id: "NVIDIA L4" } };
const token = { name: "token", value: "hidden" };
/** What a program tells of itself with its first resource. */
const __kinds = {
  Secret: ["name", "value"],
  Pod: ["name", "image", "gpu"],
  NetworkVolume: ["size", "dataCenter"],
  SshKeys: ["keys"],
};

let emulator: Emulator;
beforeAll(async () => {
  // An answer takes longer than the requests of a check need to begin.
  emulator = await startEmulator({ ...fast, timings: { ...fast.timings, latency: 200 } });
});
afterAll(() => emulator.close());
beforeEach(() => emulator.faults.clear());

/** Checks resources in a process of its own. Returns the inputs of each, and what the service was asked for each. */
async function checked(
  ...resources: [kind: keyof typeof definitions, news: Properties, olds?: Properties][]
) {
  const run = new Run({ ...emulator.env });
  const all = Object.entries(definitions).map(
    ([kind, definition]) => [kind, handler(definition, run)] as const,
  );
  const found: { inputs: Properties; asked: string[] }[] = [];
  for (const [kind, news, olds] of resources) {
    emulator.requests.splice(0);
    const whose = {
      __urn: `urn:pulumi:dev::shop::podlumi:index:${kind}::${news.name}`,
      __providerId: "stack",
    };
    const { inputs } = (await new Map(all).get(kind)?.check(olds, { ...whose, ...news })) ?? {};
    const asked = emulator.requests.map(({ path }) => path.replace("/v2", ""));
    found.push({ inputs, asked: asked.sort() });
  }
  return found;
}

test("the first check begins the looks of all kinds that the program creates, and the next ones need none", async () => {
  const [first, second] = await checked(["Secret", { ...token, __kinds }], ["Pod", trainer]);
  expect(first?.asked).toEqual([
    "/account/limits",
    "/account/secrets",
    "/billing/balance",
    "/catalog/datacenters?include=GPU_AVAILABILITY",
    "/catalog/gpus",
    "/network-volumes",
    "/pods",
  ]);
  expect(second?.asked).toEqual([]);
});

test("what the program tells of itself is no input", async () => {
  const [first] = await checked(["Secret", { ...token, __kinds }]);
  expect(first?.inputs).toMatchObject(token);
  expect(first?.inputs).not.toHaveProperty("__kinds");
});

test("where the stack has the first resource already, each kind looks for itself", async () => {
  const [first, second] = await checked(["Secret", { ...token, __kinds }, token], ["Pod", trainer]);
  expect(first?.asked).toEqual([]);
  expect(second?.asked).toEqual(["/account/limits", "/billing/balance", "/catalog/gpus", "/pods"]);
});

test("before the stack's provider has an id, a kind is listed only if its check needs the list all the same", async () => {
  const beside = { ...__kinds, ServerlessEndpoint: ["name"] };
  const [known] = await checked(["Secret", { ...token, __kinds: beside }]);
  expect(known?.asked).toContain("/serverless");
  const [unknown] = await checked(["Secret", { ...token, __kinds: beside, __providerId: undefined }]);
  expect(unknown?.asked).toContain("/account/secrets");
  expect(unknown?.asked).not.toContain("/serverless");
});

test("a create soon after the check goes by the list of the check", async () => {
  const { check, create } = handler(networkVolume, new Run({ ...emulator.env }));
  const __urn = "urn:pulumi:dev::shop::podlumi:index:NetworkVolume::data";
  const { inputs = {} } = await check({}, { size: 10, dataCenter: "EU-RO-1", __urn, __providerId: "stack" });
  emulator.requests.splice(0);
  await create(inputs);
  const asked = emulator.requests.map(({ method, path }) => `${method} ${path}`);
  expect(asked.sort()).toEqual(["GET /v2/account", "POST /v2/network-volumes"]);
});
