import { parseArgs } from "node:util";
import { ManualClock, startEmulator } from "../../sdk/emulator/service";
import { load } from "../contract/load";
import { Contract } from "./contract";
import { Recorder } from "./recorder";
import { drive } from "./scenario";

const USAGE = "usage: conformance --spec <file or address of the OpenAPI contract>";

/** Checks the emulator against the service's contract. The exit code is 1 on a violation or an uncovered operation. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { spec: { type: "string" } } });
  if (!values.spec) throw new Error(USAGE);
  const contract = new Contract(JSON.parse(await load(values.spec)));

  const clock = new ManualClock();
  const emulator = await startEmulator({ clock });
  const api = new Recorder(emulator, contract);
  await api.start();
  await drive({ api, emulator, clock });
  await emulator.close();

  const { operations, uncovered, violations, notInContract, calls } = api;
  const notServed = contract.operations().filter((operation) => !operations.includes(operation));
  console.log(
    `${calls} calls, ${operations.length - uncovered.length} of ${operations.length} operations covered`,
  );
  list("Not covered", uncovered);
  list("Served, not in the contract", [...notInContract]);
  list("In the contract, not served", notServed);
  list("Violations", violations);
  if (uncovered.length + violations.length > 0) process.exitCode = 1;
}

function list(title: string, lines: string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
