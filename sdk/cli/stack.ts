import { existsSync, readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Api } from "../../provider/client/api";
import { ExpectedError } from "../../provider/client/errors";
import { type Mark, stackDigits, stackNameDigits } from "../../provider/core/mark";
import { copies, markOf } from "../../provider/core/ownership";
import { pulumi, type State, states as statesIn } from "../../provider/engine/stacks";
import { definitionOf, type Listed, type ListedKind, listed } from "./kinds";
import { tell } from "./output";

/** An object that carries the mark of a stack. */
export interface Marked extends Listed {
  /** Digits of the stack. */
  readonly mark: string;
  /** The resource that it was made for, `Pod::web`; null where the object has no room for it. */
  readonly resource: string | null;
  /** Whether Pulumi's state has it; null where no state of the stack was found. */
  readonly inState: boolean | null;
  /** It may be a copy that somebody made, by its mark and its name. */
  readonly copy: boolean;
}

/** What one stack of a name has in the account: it has one mark for each of its providers. */
export interface StackObjects {
  readonly marks: readonly string[];
  /** The names under which it made objects: more than one after a rename. */
  readonly names: readonly string[];
  readonly objects: readonly Marked[];
}

/** `project/stack`, or the name of a stack of the project in this folder. */
export function stackName(text: string): string {
  const parts = text.split("/");
  if (parts.some((part) => part === "")) throw new InvalidArgumentError("It is project/stack.");
  if (parts.length > 1) return parts.slice(-2).join("/");
  const file = "Pulumi.yaml";
  const project = existsSync(file)
    ? /^name:\s*["']?([\w.-]+)/m.exec(readFileSync(file, "utf8"))?.[1]
    : undefined;
  if (project === undefined) {
    throw new InvalidArgumentError("It is project/stack: there is no Pulumi.yaml here that names a project.");
  }
  return `${project}/${text}`;
}

/** What carries the marks of the stacks of a name. */
export interface Found {
  readonly stacks: readonly StackObjects[];
  /** What stacks that made objects under this name are called by now. */
  readonly renamed: readonly string[];
  /** Every kind could be listed. */
  readonly complete: boolean;
}

/** Tells by which name a stack that was renamed is to be asked for. */
export function tellRenamed(stack: string, renamed: readonly string[]): void {
  for (const name of renamed) {
    tell(
      `podlumi: a stack that made objects as ${stack} is called ${name} by now: ask for it under that name`,
    );
  }
}

interface MarkedObject {
  readonly one: Listed;
  readonly mark: Mark;
}

/** The marks of one stack, and its state where Pulumi shows one. */
interface Group {
  readonly state: State | undefined;
  readonly marks: Set<string>;
}

/**
 * Everything in the account that carries the mark of a stack of this name. A mark belongs to the stack whose state has its
 * provider, whatever that stack was called when it made the objects; where no state has it, the name tells.
 */
export async function objectsOfStacks(api: Api, stack: string, kinds: readonly ListedKind[]): Promise<Found> {
  const { all, complete } = await listed(api, kinds);
  const marked = all.flatMap((one) => {
    const mark = markOf(definitionOf(one.kind), one.object);
    return mark === undefined ? [] : [{ one, mark }];
  });
  if (marked.length === 0) return { stacks: [], renamed: [], complete };
  const names = await stackNames();
  const isCalled = (name: string) => name.endsWith(`/${stack}`);
  const called = await statesOf(names.filter(isCalled));
  const place = stackNameDigits(stack);
  const meant = marked.filter(
    ({ mark }) => mark.place === place || called.some((state) => hasMark(state, mark.stack)),
  );
  // What any state has is not swept: all are asked as soon as one object is in none of these.
  const isOpen = meant.some(({ one }) => !isIn(called, one));
  const others = isOpen ? await statesOf(names.filter((name) => !isCalled(name))) : [];
  const states = [...called, ...others];
  const groups = groupsOf(meant, states);
  const isOther = ({ state }: Group) => state !== undefined && !isCalled(state.name);
  return {
    stacks: groups.filter((group) => !isOther(group)).map((group) => objectsOf(group, marked, states)),
    renamed: groups.filter(isOther).flatMap(({ state }) => state?.name ?? []),
    complete,
  };
}

/** Marks that come from providers of one state are one stack's. */
function groupsOf(meant: readonly MarkedObject[], states: readonly State[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { mark } of meant) {
    const state = states.find((one) => hasMark(one, mark.stack));
    const key = state?.name ?? mark.stack;
    const group = groups.get(key) ?? { state, marks: new Set() };
    group.marks.add(mark.stack);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function objectsOf(
  { state, marks }: Group,
  marked: readonly MarkedObject[],
  states: readonly State[],
): StackObjects {
  const own = marked.filter(({ mark }) => marks.has(mark.stack));
  const isCopy = copies(own.filter(({ one }) => isIn(states, one)).map(({ mark }) => mark));
  const objects = own.map(({ one, mark }) => {
    const held = isIn(states, one);
    return {
      ...one,
      mark: mark.stack,
      resource: mark.readable?.resource ?? null,
      inState: state === undefined && !held ? null : held,
      copy: !held && isCopy(mark, one.object),
    };
  });
  const names = new Set(own.flatMap(({ mark }) => mark.readable?.stack ?? []));
  return { marks: [...marks], names: [...names], objects };
}

function isIn(states: readonly State[], { id }: Listed): boolean {
  return states.some(({ ids }) => ids.has(id));
}

/** Whether a state has the provider from which a mark comes. */
function hasMark({ providers }: State, digits: string): boolean {
  return [...providers].some((id) => stackDigits(id) === digits);
}

/** All stacks that Pulumi knows here. What is live cannot be told without. */
async function stackNames(): Promise<string[]> {
  const names = await pulumi.stacks();
  if (names !== undefined) return names;
  throw new ExpectedError(
    "`pulumi stack ls --all` failed, so that nobody can tell what is live. Run this where `pulumi` is installed and logged " +
      "in to the backend of the stack",
    "PODLUMI-STATE-UNKNOWN",
  );
}

function statesOf(names: readonly string[]): Promise<State[]> {
  return statesIn(pulumi, names, (name) => {
    throw new ExpectedError(
      `Pulumi has a stack ${name}, and \`pulumi stack export --stack ${name}\` failed: what of it is live cannot be told`,
      "PODLUMI-STATE-UNKNOWN",
    );
  });
}
