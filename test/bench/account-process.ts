/** Program: an emulated account in a process of its own. account.ts starts it and talks to it. */
import { type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import { callOf } from "./calls";

async function main(): Promise<void> {
  const emulator = await startEmulator(JSON.parse(process.argv[2] ?? "{}") as EmulatorOptions);
  process.on("message", () => process.send?.(emulator.requests.splice(0).map(callOf)));
  process.on("disconnect", () => process.exit());
  process.send?.(emulator.env);
}

void main();
