import { readFileSync } from "node:fs";
import type { KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { EngineStandIn, type Entry, PluginProcess } from "../harness/plugin-client";
import { samples } from "../kinds";

// The plugin's executable without an engine: a process for each file of specifications.

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
