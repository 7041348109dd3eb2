import { type Emulator, startEmulator } from "../emulator";
import { fast } from "../harness/account";
import { PluginProcess } from "../harness/plugin-client";

// The plugin's executable and the engine's protocol, without an engine: what Pulumi expects of every plugin.

let emulator: Emulator;
let plugin: PluginProcess;

beforeEach(async () => {
  emulator = await startEmulator(fast);
  plugin = await PluginProcess.start(emulator.env);
  await plugin.client.configure({}, "4c1f9f6e-0b7e-4d59-9d2e-1f0c5a7b8d11");
});
afterEach(async () => {
  await plugin.end();
  await emulator.close();
});

const urnOf = (kind: string, name = "it") => `urn:pulumi:dev::project::podlumi:index:${kind}::${name}`;

test("an error names the object, also where podlumi keeps a secret copy of what was asked for", async () => {
  const urn = urnOf("Pod");
  const { inputs } = await plugin.client.check(urn, undefined, {
    image: "org/app:1",
    gpu: { id: "NVIDIA L4" },
  });
  const { id, outputs } = await plugin.client.create(urn, inputs);
  emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: { status: 401 } });
  await expect(plugin.client.read(urn, id, { inputs, outputs })).rejects.toThrow(
    `could not read pod "${outputs.name}" (${id}): `,
  );
});

test("many requests at once are answered, and nothing is printed", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const made = await Promise.all(
    names.map(async (name) => {
      const urn = urnOf("Pod", name);
      const { inputs } = await plugin.client.check(urn, undefined, {
        image: "org/app:1",
        gpu: { id: "NVIDIA L4" },
      });
      return plugin.client.create(urn, inputs);
    }),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(20);
  expect(emulator.service.pods.list()).toHaveLength(20);
  expect(plugin.printed).toBe("");
});
