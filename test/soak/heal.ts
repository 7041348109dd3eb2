import type { Ended } from "../harness/project";
import { type Failure, failuresIn } from "./advice";
import type { Judge } from "./judge";
import { mannerOf } from "./program";
import type { Scenario } from "./scenario";
import type { Stack } from "./stack";

/** Arguments of an up. */
type Flags = readonly string[];

/** What healing needs of the game. */
export interface Table {
  readonly scenario: Scenario;
  readonly judge: Judge;
  /** Runs an up, after its preview. */
  up(stack: Stack, flags: Flags): Promise<Ended>;
  /** Has persons and other stacks name nothing of a stack any more. */
  release(stack: Stack): Promise<void>;
}

/** Attempts, each of which shows what the former one has hidden. */
const patience = 10;

/**
 * Does what a user does after a failed up: what its errors say, and then another up. Their advice has to work. `failed` is what that up
 * printed. Without it, another up comes first, since something has struck.
 */
export async function heal(stack: Stack, table: Table, failed?: string): Promise<boolean> {
  const followed = new Set<string>();
  let printed = failed;
  for (let attempt = 0; attempt < patience; attempt++) {
    const failures = failuresIn(printed ?? "");
    const failure = failures.find(({ text }) => !followed.has(text));
    if (printed !== undefined && failure === undefined) break;
    if (failure !== undefined) followed.add(failure.text);
    const flags = failure === undefined ? [] : await follow(failure, stack, table);
    stack.declare();
    const ended = await table.up(stack, flags);
    if (ended.ok) return true;
    printed = ended.printed;
  }
  const last = failuresIn(String(printed)).at(-1)?.text ?? printed?.slice(-300);
  table.judge.find(`an up of ${stack.name} fails whatever its errors advise: ${last}`);
  return false;
}

/** What a user does about an error. Returns the arguments that the next up gets. */
type Cure = (failure: Failure, stack: Stack, table: Table) => Flags | Promise<Flags>;

/** Does what an error says: what is known of its code, else its commands. */
function follow(failure: Failure, stack: Stack, table: Table): Flags | Promise<Flags> {
  const isProtected = failure.code === undefined && / marked for protection\b/.test(failure.text);
  return (cures[String(failure.code)] ?? (isProtected ? unprotect : run))(failure, stack, table);
}

const undo: Cure = (_failure, stack) => {
  stack.undo();
  return [];
};

/** Runs the commands of an error, and takes the program back where it has none. */
const run: Cure = async (failure, stack, { judge }) => {
  if (failure.commands.length === 0) stack.undo();
  let flags: Flags = [];
  for (const [program, ...args] of failure.commands) {
    const [command] = args;
    if (program === "npx")
      await stack.podlumi(...args.slice(1), ...(args.includes("sweep") ? ["--yes"] : []));
    else if (command === "up") flags = args.slice(1);
    else await stack.pulumi(...args, ...(skipped[String(command)] ?? []));
    if (args.includes("podlumi:confirmDataLoss")) judge.confirm(String(args.at(-1)));
    if (command === "state") judge.moved();
  }
  return flags;
};

/** What answers the questions of Pulumi's commands. */
const skipped: Record<string, Flags> = { refresh: ["--yes", "--skip-preview"], state: ["--yes"] };

/** Pulumi's own error, which has no code: it says to take the option out. */
const unprotect: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  if (slot === undefined) return undo(failure, stack, table);
  const { protect: _, ...options } = mannerOf(slot, stack.manners).options ?? {};
  stack.manner(slot, { options });
  return [];
};

const leaveOutName: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  if (slot === undefined) return undo(failure, stack, table);
  stack.rewrite(slot, ({ name: _, ...args }) => args);
  return [];
};

const leaveOutAdopt: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  if (slot === undefined) return undo(failure, stack, table);
  stack.manner(slot, { adopt: undefined });
  return [];
};

/** The error has what the object has: the program says so, too. */
const writeWhatIsThere: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  const there = [...failure.text.matchAll(/(\w+) is ("[^"]*"|\d+) there/g)].map(
    ([, property, value]) => [property, JSON.parse(String(value))] as const,
  );
  if (slot === undefined || there.length === 0) return leaveOutAdopt(failure, stack, table);
  stack.rewrite(slot, (args) => ({ ...args, ...Object.fromEntries(there) }));
  return [];
};

/** The error names the resource that has the object. If it has left the program, it has become this one. */
const giveAlias: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  const former = /::([^:\s]+) already/.exec(failure.text)?.[1];
  if (slot === undefined || former === undefined || stack.slotOf(former) !== undefined)
    return leaveOutAdopt(failure, stack, table);
  stack.manner(slot, { adopt: undefined, alias: former });
  return [];
};

const letGo: Cure = (failure, stack, table) => (stack.letGo() ? [] : undo(failure, stack, table));

/** The error has the size of a volume that a person has made larger: the program says so, too. */
const keepTheData: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  const size = / by now it is (\d+)\. Write/.exec(failure.text)?.[1];
  if (slot === undefined || size === undefined) return undo(failure, stack, table);
  stack.rewrite(slot, (args) => ({ ...args, size: Number(size) }));
  return [];
};

/** Another stack has the object by now: the resource gets one of its own, under another logical name. */
const haveItsOwn: Cure = (failure, stack, table) => {
  const slot = stack.slotOf(failure.name);
  if (slot === undefined) return undo(failure, stack, table);
  stack.manner(slot, { name: `${failure.name}y`, alias: undefined, adopt: undefined });
  return [];
};

const cures: Record<string, Cure> = {
  "PODLUMI-ANOTHERS": haveItsOwn,
  "PODLUMI-DATA-LOSS": (failure, stack, table) =>
    (table.scenario.confirms === "never" ? keepTheData : run)(failure, stack, table),
  "PODLUMI-MAY-BE-MADE": (failure, stack, table) => {
    const slot = stack.slotOf(failure.name);
    const adopt = /adopt: "([^"]+)"/.exec(failure.text)?.[1];
    const isOwn = adopt !== undefined && table.judge.isMadeBy(stack, adopt);
    if (slot === undefined || !isOwn) return run(failure, stack, table);
    stack.manner(slot, { adopt });
    return [];
  },
  "PODLUMI-NAME-TAKEN": leaveOutName,
  "PODLUMI-NAME-TWICE": leaveOutName,
  "PODLUMI-NAME-OF-THIS-STACK": leaveOutName,
  "PODLUMI-ADOPT-HELD": (failure, stack, table) =>
    (table.scenario.yields && failure.commands.length > 0 ? run : leaveOutAdopt)(failure, stack, table),
  "PODLUMI-ADOPT": leaveOutAdopt,
  "PODLUMI-ADOPT-DIFFERS": writeWhatIsThere,
  "PODLUMI-DECLARED-TWICE": giveAlias,
  "PODLUMI-READ-ONLY": leaveOutAdopt,
  "PODLUMI-NOT-FOUND": letGo,
  "PODLUMI-TEMPLATE-KIND": letGo,
  "PODLUMI-VOLUME-ELSEWHERE": letGo,
  // Others may use it, and what the stack itself keeps.
  "PODLUMI-IN-USE": async (failure, stack, table) => {
    if (failure.commands.length > 0) return run(failure, stack, table);
    await table.release(stack);
    return undo(failure, stack, table);
  },
};
