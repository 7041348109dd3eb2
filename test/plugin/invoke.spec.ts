import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { env } from "node:process";
import { credentials } from "@grpc/grpc-js";
import { runtime } from "@pulumi/pulumi";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as podlumi from "podlumi";
import * as plugin from "podlumi/plugin";
import { functions } from "../../provider/functions";
import { type FunctionName, secretsOf } from "../../provider/functions/signatures";
import { type Emulator, ManualClock, startEmulator } from "../../sdk/emulator/service";
import { build } from "../conformance/build";
import { oneOfEach } from "../functions/objects";
import { emulatedProject, emulator, project, pulumi } from "../harness/emulated";
import { describeLong, testLong } from "../harness/long";
import { TestStack, withPlugin } from "../harness/stack";

const account = new ManualClock();
emulatedProject("all", "dev", { clock: account, features: { restSecrets: true } });

let made: ReturnType<typeof oneOfEach>;
beforeAll(() => {
  Object.assign(process.env, emulator.env);
  made = oneOfEach(emulator);
  emulator.service.builds.add(made.ServerlessEndpoint.id, build);
  emulator.service.sshKeys.replace(["ssh-ed25519 AAAA ada@example.com"]);
  emulator.service.endpoints.update(made.ServerlessEndpoint.id, { workers: { min: 1 } });
  account.advance(2 * 3_600_000);
  emulator.service.logs.write(made.Pod.id, "container", "hello");
});

const worker = () => emulator.service.endpoints.workers(made.ServerlessEndpoint.id).workers[0]?.id;

/** A program in YAML that has only outputs, or what else is given. */
function program(outputs: Record<string, unknown>, more: object = {}): void {
  const head = {
    name: "specification",
    runtime: "yaml",
    plugins: { providers: [{ name: "podlumi", path: "node_modules/podlumi/dist/plugin" }] },
  };
  project.file("Pulumi.yaml", JSON.stringify({ ...head, ...more, outputs }));
}

const invoke = (name: string, args: object, more: object = {}) => ({
  "fn::invoke": { function: `podlumi:${name}`, arguments: args, ...more },
});

/** The outputs of the stack. */
async function outputs(...options: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await pulumi("stack", "output", "--json", ...options));
}

/** Arguments for each function. */
const args = (): Record<FunctionName, object> => ({
  getGpuTypes: { product: ["POD", "SERVERLESS"], count: 2, countryCodes: ["RO", "FR"] },
  getGpuType: { id: "NVIDIA L4", product: ["POD"], minCudaVersion: "12" },
  getCpuTypes: {},
  getCpuType: { id: "cpu3c", product: ["POD"], vcpuCount: 8 },
  getDataCenters: { regions: ["EUROPE"], compliance: ["GDPR"], globalNetwork: true },
  getDataCenter: { id: "EU-RO-1", include: ["CPU_AVAILABILITY"] },
  getCatalogTemplates: { source: "verified" },
  cheapestGpu: { minMemory: 40, count: 2, dataCenters: ["EU-RO-1"] },
  getPod: { name: made.Pod.name },
  getServerlessEndpoint: { id: made.ServerlessEndpoint.id },
  getCluster: { name: made.Cluster.name },
  getNetworkVolume: { name: made.NetworkVolume.name },
  getGlobalVolume: { name: made.GlobalVolume.name },
  getTemplate: { name: made.Template.name },
  getSecret: { name: made.Secret.name },
  getRegistryAuth: { name: made.RegistryAuth.name },
  getRegistryDelegation: { id: made.RegistryDelegation.id },
  getPods: {},
  getServerlessEndpoints: {},
  getClusters: {},
  getNetworkVolumes: {},
  getGlobalVolumes: {},
  getTemplates: {},
  getSecrets: {},
  getRegistryAuths: {},
  getRegistryDelegations: {},
  getBilling: { bucketSize: "hour", lastN: 3 },
  getPodBilling: { bucketSize: "hour", lastN: 3, podId: made.Pod.id },
  getServerlessBilling: {},
  getPublicEndpointBilling: {},
  getNetworkVolumeBilling: { networkVolumeId: made.NetworkVolume.id },
  getClusterBilling: { lastN: 1 },
  getWorkers: { endpointId: made.ServerlessEndpoint.id },
  getReleases: { endpointId: made.ServerlessEndpoint.id },
  getBuilds: { endpointId: made.ServerlessEndpoint.id },
  getBuild: { endpointId: made.ServerlessEndpoint.id, buildId: build.id },
  getAccount: {},
  getPodLogs: { podId: made.Pod.id, source: "container" },
  getWorkerLogs: { endpointId: made.ServerlessEndpoint.id, workerId: worker(), tail: 2 },
  getSshKeys: {},
});

const names = Object.keys(functions) as FunctionName[];

/** What a program in TypeScript gets. The plugin answers a list under a name. */
async function answerOf(name: FunctionName): Promise<unknown> {
  const byName: Record<FunctionName, unknown> = podlumi;
  const answer = await (byName[name] as (given: object) => Promise<unknown>)(args()[name]);
  const { list } = functions[name];
  // Outputs of a stack have no nulls.
  const noNulls = (_key: string, value: unknown) => (value === null ? undefined : value);
  return JSON.parse(JSON.stringify(list === undefined ? answer : { [list]: answer }, noNulls));
}

test("each function returns to a program in YAML what it returns to one in TypeScript", async () => {
  program(Object.fromEntries(names.map((name) => [name, invoke(name, args()[name])])));
  await pulumi("up", "--yes", "--skip-preview");
  const answers = await outputs("--show-secrets");
  for (const name of names) expect({ [name]: answers[name] }).toEqual({ [name]: await answerOf(name) });

  const hidden = Object.entries(await outputs()).filter(([, value]) => value === "[secret]");
  expect(hidden.map(([name]) => name).sort()).toEqual(
    names.filter((name) => secretsOf(name).length > 0).sort(),
  );
});

describe("a call that fails says", () => {
  let printed: string;

  beforeAll(async () => {
    program({
      misspelt: invoke("getNetworkVolume", { nmae: "data" }, { return: "size" }),
      wrong: invoke("cheapestGpu", { cloud: "COMUNITY", count: 0, dataCenters: ["EU-RO-1", ""] }),
      missing: invoke("getNetworkVolume", { name: "a-volumes" }),
      several: invoke("getPod", { id: made.Pod.id, name: "a-pod" }),
      unlisted: invoke("getGpuType", { id: "rtx 4090" }),
    });
    const ended = await project.pulumi("preview");
    expect(ended.ok).toBe(false);
    printed = ended.printed;
  });

  test.each([
    [
      "which argument is misspelt",
      'returned an error: nmae: unknown property "nmae"; did you mean "name"? [PODLUMI-UNKNOWN-PROPERTY]',
    ],
    ["what an argument must be", 'cloud: must be "SECURE" or "COMMUNITY" [PODLUMI-INVALID]'],
    ["which numbers it takes", "count: must be at least 1 [PODLUMI-INVALID]"],
    ["which item of a list is wrong", "dataCenters[1]: must not be empty [PODLUMI-INVALID]"],
    ["which name comes close", 'in this account; did you mean "a-volume"? [PODLUMI-NOT-FOUND]'],
    ["how to name an object", "give the id or the name of the pod, one of them [PODLUMI-INVALID]"],
    ["what the catalog has", 'did you mean "NVIDIA GeForce RTX 4090"? [PODLUMI-NOT-IN-CATALOG]'],
  ])("%s", (_what, text) => {
    expect(printed).toContain(text);
  });
});

testLong.each([
  [
    "getNetworkVolume",
    "name",
    'there is no network volume with the name "…" in this account: `npx podlumi ls` lists what there is [',
  ],
  ["getWorkers", "endpointId", 'there is no serverless endpoint with the id "…" in this account'],
])("a secret argument of %s is not printed when the call fails", async (name, argument, text) => {
  // Pulumi prints the lines of a program that fails, so they must not have the secret as it is.
  const secret = { "fn::secret": { "fn::join": ["/", ["hunter", "22"]] } };
  program({ failing: invoke(name, { [argument]: secret }) });
  const { ok, printed } = await project.pulumi("preview");
  expect(ok).toBe(false);
  expect(printed).toContain(text);
  expect(printed).not.toMatch(/hunter(\/|%2F)22/);
});

testLong("a secret argument makes the result secret", async () => {
  program({ size: invoke("getNetworkVolume", { name: { "fn::secret": "a-volume" } }, { return: "size" }) });
  await pulumi("up", "--yes", "--skip-preview");
  expect(await outputs()).toEqual({ size: "[secret]" });
  expect(await outputs("--show-secrets")).toEqual({ size: 20 });
});

testLong("what a preview does not know yet is asked for in the update", async () => {
  const data = { type: "podlumi:NetworkVolume", properties: { size: 30, dataCenter: "EU-RO-1" } };
  const later = invoke("getNetworkVolume", { id: "${data.id}" }, { return: "size" });
  program({ later }, { resources: { data } });
  const before = emulator.requests.length;
  expect(await pulumi("preview")).toMatch(/later *: \[unknown\]/);
  const asked = emulator.requests.slice(before).map(({ path }) => path);
  expect(asked.filter((path) => path.startsWith("/v2/network-volumes/"))).toEqual([]);
  await pulumi("up", "--yes", "--skip-preview");
  expect(await outputs()).toEqual({ later: 30 });
});

testLong("without a key, a preview says what is missing", async () => {
  program({ gpu: invoke("getGpuType", { id: "NVIDIA L4" }) });
  const { ok, printed } = await project.run("pulumi", ["preview", "--non-interactive"], {
    RUNPOD_API_KEY: "",
  });
  expect(ok).toBe(false);
  expect(printed).toMatch(
    /no API key: set it with `pulumi config set --secret podlumi:apiKey`.*\[PODLUMI-CONFIGURATION\]/,
  );
});

testLong("a request that fails is sent again", async () => {
  emulator.faults.add({
    match: { path: "/catalog/gpus/*" },
    when: "before",
    what: { status: 503 },
    times: 2,
  });
  program({ memory: invoke("getGpuType", { id: "NVIDIA L4" }, { return: "memory" }) });
  const before = emulator.requests.length;
  expect(await pulumi("preview")).toMatch(/memory *: 24/);
  expect(emulator.requests.slice(before).map(({ status }) => status)).toEqual([503, 503, 200]);
});

describeLong("with a provider of another account", () => {
  let theirs: Emulator;
  beforeAll(async () => {
    theirs = await startEmulator({ apiKey: "their-key" });
    theirs.service.volumes.create({ name: "lent", size: 70, dataCenter: "EU-SE-1" });
  });
  afterAll(() => theirs.close());

  const settings = () => ({ apiKey: "their-key", apiUrl: theirs.apiUrl, graphqlUrl: theirs.graphqlUrl });

  test("a program in YAML asks that account", async () => {
    const account = { type: "pulumi:providers:podlumi", properties: settings() };
    const options = { options: { provider: "${theirs}" }, return: "size" };
    program(
      {
        lent: invoke("getNetworkVolume", { name: "lent" }, options),
        own: invoke("getNetworkVolume", { name: "a-volume" }, { return: "size" }),
      },
      { resources: { theirs: account } },
    );
    const preview = await pulumi("preview");
    expect(preview).toMatch(/lent *: 70/);
    expect(preview).toMatch(/own *: 20/);
  });

  test("a program in TypeScript asks it, too, with a provider of podlumi/plugin", async () => {
    const stack = await TestStack.create({ ...emulator.env, ...withPlugin });
    try {
      const { outputs } = await stack.up(async () => {
        const provider = new plugin.Provider("theirs", settings());
        const { size } = await plugin.getNetworkVolume({ name: "lent" }, { provider });
        const own = await plugin.getNetworkVolume({ name: "a-volume" });
        return {
          size,
          output: plugin.getNetworkVolumeOutput({ name: "lent" }, { provider }).size,
          own: own.size,
        };
      });
      expect(outputs).toEqual({ size: 70, output: 70, own: 20 });
      expect(stack.leftBehind()).not.toContain("their-key");
    } finally {
      stack.remove();
    }
  });
});

test("the plugin takes no call of a function that changes something", async () => {
  const stack = await TestStack.create({ ...emulator.env, ...withPlugin });
  try {
    const { outputs } = await stack.preview(async () => ({
      said: await runtime.invoke("podlumi:index:terminatePod", { id: made.Pod.id }).catch(String),
    }));
    expect(outputs.said).toMatch(/podlumi has no function terminatePod.*\[PODLUMI-UNKNOWN-FUNCTION\]/);
  } finally {
    stack.remove();
  }
  expect(emulator.service.pods.list().map(({ id }) => id)).toContain(made.Pod.id);
});

test("an argument that arrives as a secret makes the result secret", async () => {
  // Pulumi's libraries take the mark off before they send an argument, so this speaks to the plugin itself.
  const process = spawn(resolve("dist/plugin/pulumi-resource-podlumi"), { env: { ...env, ...emulator.env } });
  try {
    const [port] = await once(process.stdout, "data");
    const client = new ResourceProviderClient(`127.0.0.1:${Number(port)}`, credentials.createInsecure());
    const name = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "a-volume",
    };
    const request = new protocol.InvokeRequest();
    request.setTok("podlumi:index:getNetworkVolume");
    request.setArgs(Struct.fromJavaScript({ name }));
    const answer = await new Promise<protocol.InvokeResponse>((done, failed) => {
      client.invoke(request, (error, answer) => (error === null ? done(answer) : failed(error)));
    });
    expect(answer.getReturn()?.toJavaScript()).toMatchObject({ size: { ...name, value: 20 } });
    client.close();
  } finally {
    process.kill();
  }
});
