import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stackDigits, stackNameDigits } from "../../provider/core/mark";
import type { Emulator } from "../emulator";
import { testLong } from "../harness/long";
import { CommandLine } from "./cli";

// What `sweep --stack` takes, with states that the test sets. programs/states.spec.ts has the real ones.

const cli = new CommandLine();
let emulator: Emulator;
const bin = join(cli.folder, "bin");
const state = join(cli.folder, "state.json");
beforeEach(async () => {
  emulator = await cli.emulate();
  mkdirSync(bin, { recursive: true });
  const stacks = `echo '[{"name":"organization/shop/prod"}]'`;
  const script = `#!/bin/sh\nif [ "$2" = ls ]; then ${stacks}; else cat ${state}; fi\n`;
  writeFileSync(join(bin, "pulumi"), script, { mode: 0o755 });
  cli.env.PATH = [bin, process.env.PATH].join(delimiter);
  haveInState();
});
afterAll(() => cli.close());

/** Sets what the state of the only stack, shop/prod, has. */
function haveInState(...ids: string[]) {
  const resources = ids.map((id) => ({ urn: "urn:pulumi:prod::shop::T::it", type: "T", id }));
  writeFileSync(state, JSON.stringify({ deployment: { resources } }));
}

/** The mark of the stack shop/dev, which has no state any more. */
const dev = stackDigits("4c1f9f6e-0b7e-4d59-9d2e-1f0c5a7b8d11");
const volumeOfDev = `data-${stackNameDigits("shop/dev")}-${dev}-5e6a100`;
const sweep = (...flags: string[]) =>
  cli.run("sweep", "--stack", "shop/dev", "--mark", dev, "--yes", ...flags);

const gpu = { id: "NVIDIA L4", count: 1 };

testLong("what a stack takes into its state while a deletion waits for a user stays", async () => {
  const { id } = emulator.service.volumes.create({ name: volumeOfDev, size: 10, dataCenter: "EU-RO-1" });
  const mounts = { network: [{ volumeId: id, path: "/data" }] };
  const user = emulator.service.pods.create({ name: "user", image: "i", gpu, mounts });
  const refused = new Promise<void>((seen) =>
    emulator.on("after", { method: "DELETE", path: "/network-volumes/*" }, seen),
  );
  const swept = sweep();
  await refused;
  haveInState(id);
  // Deletions share a look at the states for five seconds.
  await new Promise((passed) => setTimeout(passed, 5_500));
  emulator.service.pods.delete(user.id);
  const { code, out } = await swept;
  expect(out).toMatch(/^left +NetworkVolume .*: it is in the state of a stack by now$/m);
  expect(code).toBe(1);
  expect(emulator.service.volumes.list()).toMatchObject([{ id }]);
});
