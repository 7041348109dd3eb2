import { readFileSync } from "node:fs";
import type { KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { EngineStandIn, type Entry, PluginProcess } from "../harness/plugin-client";

// One resource of each kind, and the plugin's executable without an engine: a process for each file of specifications.

/** For each kind: arguments, a change in place, a change that replaces, and an id of the form that the kind has. */
interface Sample {
  readonly args: Properties;
  readonly change?: Properties;
  readonly replace?: Properties;
  readonly missing: string;
}

const container = {
  image: "org/app:1",
  args: "--fast",
  disk: 30,
  env: { MODE: "fast" },
  ports: ["80/http"],
};
const missing = "abcdefghij";
export const samples: Record<KindName, Sample> = {
  Cluster: {
    args: {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: "org/app:1",
      env: { MODE: "fast" },
    },
    change: { name: "renamed" },
    replace: { image: "org/app:2" },
    missing,
  },
  GlobalVolume: { args: { deleteTimeout: 60 }, change: { name: "renamed" }, missing },
  NetworkVolume: {
    args: { size: 50, dataCenter: "EU-RO-1", deleteTimeout: 60 },
    change: { size: 60 },
    replace: { dataCenter: "US-KS-2" },
    missing,
  },
  Pod: {
    args: {
      ...container,
      gpu: { id: "NVIDIA L4", count: 1 },
      mounts: { persistent: { size: 20, path: "/data" } },
      dataCenterIds: ["EU-RO-1"],
      locked: true,
    },
    change: { image: "org/app:2", env: { MODE: "slow" } },
    replace: { gpu: { id: "NVIDIA A40" } },
    missing: "abcdefghijklmn",
  },
  RegistryAuth: {
    args: { username: "bot-of-acme", password: "hunter22" },
    change: { password: "hunter23" },
    missing,
  },
  RegistryDelegation: {
    args: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1" },
    replace: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v2" },
    missing,
  },
  Secret: { args: { value: "hunter24" }, change: { value: "hunter25" }, missing },
  ServerlessEndpoint: {
    args: {
      ...container,
      type: "QUEUE",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      workers: { min: 0, max: 2, idleTimeout: 5 },
      timeout: 60_000,
    },
    change: { image: "org/app:2", workers: { min: 0, max: 1, idleTimeout: 5 } },
    replace: { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
    missing: "abcdefghijklmn",
  },
  SshKeys: {
    args: { keys: ["ssh-ed25519 AAAA ada@example.com"] },
    change: { keys: ["ssh-ed25519 AAAA ada@example.com", "ssh-ed25519 BBBB bob@example.com"] },
    missing: "no-such-keys",
  },
  Template: {
    args: { ...container, readme: "# Worker" },
    change: { image: "org/app:2", readme: "# Other" },
    missing,
  },
};
export const kinds = Object.keys(samples) as KindName[];

export const stackId = "4c1f9f6e-0b7e-4d59-9d2e-1f0c5a7b8d11";

export let emulator: Emulator;
export let engine: EngineStandIn;
export let plugin: PluginProcess;

beforeAll(async () => {
  emulator = await startEmulator({ ...fast, workersQuota: 10_000, balance: 1_000_000 });
  engine = await EngineStandIn.start();
  plugin = await PluginProcess.start(emulator.env, engine.address);
  await plugin.client.configure({ confirmDataLoss: "all" }, stackId);
});
afterAll(async () => {
  expect(await plugin.end()).toBe(0);
  // It prints its port. All else that it has to say goes to the engine.
  expect(plugin.printed).toBe("");
  engine.end();
  await emulator.close();
});

/** The URN of a resource. A program has SSH keys once. */
export const urnOf = (kind: string, name = "it") =>
  `urn:pulumi:dev::project::podlumi:index:${kind}::${kind === "SshKeys" ? "it" : name}`;
export const schema = JSON.parse(readFileSync("provider/plugin/schema.json", "utf8"));
export const schemaOf = (kind: KindName) => schema.resources[`podlumi:index:${kind}`];

/** The inputs of a resource, checked. */
export async function checked(
  kind: KindName,
  name: string,
  args: Properties,
  olds?: Properties,
): Promise<Properties> {
  const { inputs, failures } = await plugin.client.check(urnOf(kind, name), olds, args);
  expect(failures).toEqual([]);
  return inputs;
}

/** Creates an object, as the engine does. */
export async function created(kind: KindName, name: string, args = samples[kind].args): Promise<Entry> {
  const inputs = await checked(kind, name, args);
  return { ...(await plugin.client.create(urnOf(kind, name), inputs)), inputs };
}
