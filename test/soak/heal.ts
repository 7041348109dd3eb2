import type { Ended } from "../harness/project";
import { type Failure, failuresIn } from "./advice";
import type { Judge } from "./judge";
import { mannerOf } from "./program";
import type { Scenario } from "./scenario";
import type { Stack } from "./stack";

/** What healing needs of the game. */
export interface Table {
  readonly scenario: Scenario;
  readonly judge: Judge;
  /** Runs an up, after its preview. */
  up(stack: Stack): Promise<Ended>;
  /** Has persons and the other stack name nothing of a stack any more. */
  release(stack: Stack): Promise<void>;
}

/** Attempts, each of which shows what the former one has hidden. */
const patience = 10;

/**
 * Does what a user does after a failed up: what its errors say, and then another up. `failed` is what that up printed. Without it, another up
 * comes first, since something has struck.
 */
export async function heal(stack: Stack, table: Table, failed?: string): Promise<boolean> {
  const followed = new Set<string>();
  let printed = failed;
  for (let attempt = 0; attempt < patience; attempt++) {
    const failure = failuresIn(printed ?? "").find(({ text }) => !followed.has(text));
    if (printed !== undefined && failure === undefined) break;
    if (failure !== undefined) {
      followed.add(failure.text);
      await follow(failure, stack, table);
    }
    stack.declare();
    const ended = await table.up(stack);
    if (ended.ok) return true;
    printed = ended.printed;
  }
  const last = failuresIn(String(printed)).at(-1)?.text ?? printed?.slice(-300);
  table.judge.find(`an up of ${stack.name} fails whatever its errors advise: ${last}`);
  return false;
}

/** Does what an error says. Where it has no command, the user takes out what fails. */
async function follow(failure: Failure, stack: Stack, table: Table): Promise<void> {
  const { code, name, text, commands } = failure;
  const slot = stack.slotOf(name);
  const mayRun = code !== "PODLUMI-DATA-LOSS" || table.scenario.confirms !== "never";
  // The others only look.
  const acting = commands.filter(
    ([program, _podlumi, command]) => program === "pulumi" || command === "sweep",
  );
  if (code === "PODLUMI-IN-USE") {
    await table.release(stack);
    // What a killed run has created may use it.
    await stack.sweep();
  } else if (acting.length > 0 && mayRun) {
    for (const command of acting) await run(command, stack, table.judge);
  } else if (slot === undefined) stack.undo();
  else if (code === undefined && / marked for protection\b/.test(text)) {
    const { protect: _, ...options } = mannerOf(slot, stack.manners).options ?? {};
    stack.manner(slot, { options });
  } else stack.program = stack.program.filter((one) => one.slot !== slot);
}

async function run([program, ...args]: readonly string[], stack: Stack, judge: Judge): Promise<void> {
  if (program === "npx") return stack.podlumi(...args.slice(1), ...(args.includes("sweep") ? ["--yes"] : []));
  const [command] = args;
  // The next up comes anyway.
  if (command === "up") return;
  if (args.includes("podlumi:confirmDataLoss")) judge.confirm(String(args.at(-1)));
  const answers = command === "refresh" ? ["--yes", "--skip-preview"] : command === "state" ? ["--yes"] : [];
  await stack.pulumi(...args, ...answers);
}
