import type { Api } from "../../provider/client/api";
import { ExpectedError } from "../../provider/client/errors";
import { type Mark, readableOf, stackDigits, stackNameDigits } from "../../provider/core/kind/mark";
import { markOf } from "../../provider/core/kind/ownership";
import { type Doubt, doubtsBeside, doubtsByTime, doubtsByUsers } from "../../provider/core/owner/doubts";
import { stackOfMark, type Use, useOf, usersOf } from "../../provider/core/owner/whose";
import { didYouMean } from "../../provider/did-you-mean";
import { nameInMarks, type State } from "../../provider/engine/export";
import { pulumi } from "../../provider/engine/stacks";
import { kindOfUrn } from "../../provider/identity";
import { inLine } from "../../provider/mask";
import { definitionOf, type Listed, type ListedKind, listed } from "./kinds";
import { type MaybeCreated, maybeCreated, tellOfMaybeCreated } from "./maybe-created";
import { tell } from "./output";
import { hasMark, holderOf, holderStack, isIn, resourceIn, stackNames, statesOf } from "./states";

/** An object that carries the mark of a stack, or that its state has. */
export interface Marked extends Listed {
  /** The digits of the stack in the mark; null where the object carries none. */
  readonly mark: string | null;
  /** The resource that it was made for, `Pod::web`; null when the mark has no room for it and no state has the object. */
  readonly resource: string | null;
  /** Whether a state has it; null when no state of the stack was found. */
  readonly inState: boolean | null;
  /** Another stack whose state has it, as after `pulumi state move`; null if the stack's own state has it, or none. */
  readonly otherStack: string | null;
  /** Why a sweep keeps it, each with the flag that allows it. */
  readonly doubts: readonly Doubt[];
}

/** The objects of one stack in the account. The stack has one mark for each of its providers. */
export interface StackObjects {
  readonly marks: readonly string[];
  /** The names of the stack in its marks: more than one after a rename. */
  readonly names: readonly string[];
  readonly objects: readonly Marked[];
  /** Its state has creates under way: of an `up` that runs now, or of one that was interrupted. Pulumi does not tell which. */
  readonly pending: boolean;
}

/** The objects that carry the marks of stacks of one name. */
export interface Found {
  readonly stacks: readonly StackObjects[];
  /** What a state of this name has, and is not among the objects of the stacks: it carries no mark, or that of another stack. */
  readonly held: readonly Marked[];
  /** What has a provider of such a stack in its mark, and is in no state, and another stack may have created. */
  readonly unclear: readonly Listed[];
  /** What may be of such a stack, and is in no state. */
  readonly maybeCreated: readonly MaybeCreated[];
  /** The present names of stacks that created objects under this name and were renamed. */
  readonly renamed: readonly string[];
  /** The names of all stacks that Pulumi has; undefined where it does not tell. */
  readonly names: readonly string[] | undefined;
  /** Whether every kind could be listed. */
  readonly complete: boolean;
}

/** An object with the mark that it carries. */
interface Carrier extends Listed {
  readonly mark: Mark;
}

/** The marks of one stack, and its state if Pulumi has one. */
interface Group {
  readonly state: State | undefined;
  readonly marks: Set<string>;
  /** Digits of the names in its marks: more than one after a rename. */
  readonly names: Set<string>;
  readonly own: Carrier[];
}

/**
 * Every object in the account that carries the mark of a stack of this name. A mark belongs to the stack whose state
 * has its provider, even if that stack had another name when it created the object. When no state has the provider, the
 * name in the mark decides.
 */
export async function objectsOfStacks(api: Api, stack: string, kinds: readonly ListedKind[]): Promise<Found> {
  const { all: present, complete } = await listed(api, kinds);
  const marked = carriersAmong(present);
  // Without anything marked there is nothing to tell apart, so that a machine without Pulumi may ask, too.
  const known = marked.length === 0 ? await pulumi.stacks() : await stackNames();
  const names = known ?? [];
  const { meant, called, states, created } = await meantBy(stack, marked, present, names);
  const whose = stackOfMark(states, names, marked);
  const stateOf = (one: Carrier) => {
    const found = whose(one.mark);
    return typeof found === "string" ? states.find((state) => isIn([state], one)) : found.of;
  };
  const { own, unclear, renamed } = sortedOut(groupsOf(meant, stateOf), stack, called);
  const lead = api.now() - api.clock.now();
  return {
    stacks: own.map((group) => objectsOf(group, states, lead, complete)),
    held: heldBy(
      called,
      present.filter(({ object }) => own.every((group) => group.own.every((one) => one.object !== object))),
    ),
    unclear: unclear.flatMap((group) => group.own),
    maybeCreated: created.filter(({ one }) => !isIn(states, one)),
    renamed: renamed.flatMap(({ state }) => state?.name ?? []),
    names: known,
    complete,
  };
}

function carriersAmong(present: readonly Listed[]): Carrier[] {
  return present.flatMap((one) => {
    const mark = markOf(definitionOf(one.kind), one.object);
    return mark === undefined ? [] : [{ ...one, mark }];
  });
}

/** Whether a stack, by its whole name, is called `project/stack`. */
const isCalled = (name: string, stack: string) => name.endsWith(`/${stack}`);

/**
 * The objects with the name of a stack in their marks, or with a provider of one that is called so by now; what interrupted runs of such
 * stacks may have created; the states of the stacks `called` so, and all states that were read.
 */
async function meantBy(
  stack: string,
  marked: readonly Carrier[],
  present: readonly Listed[],
  names: readonly string[],
) {
  const called = await statesOf(names.filter((name) => isCalled(name, stack)));
  const digits = stackNameDigits(stack);
  const meant = marked.filter(
    ({ mark }) =>
      mark.digits.stackName === digits || called.some((state) => hasMark(state, mark.digits.stack)),
  );
  // An object in any state is not swept. So when an object is in none of these states, all other states are asked.
  const created = maybeCreated(called, present);
  const isOpen = [...meant, ...created.map(({ one }) => one)].some((one) => !isIn(called, one));
  const others = isOpen ? await statesOf(names.filter((name) => !isCalled(name, stack))) : [];
  return { meant, called, states: [...called, ...others], created };
}

/** The groups of stacks of a name; those that another stack may have created; and those of stacks that have another name by now. */
function sortedOut(groups: readonly Group[], stack: string, called: readonly State[]) {
  const digits = stackNameDigits(stack);
  const isUnclear = ({ state, marks }: Group) =>
    state === undefined && called.some((one) => [...marks].some((mark) => hasMark(one, mark)));
  const hasName = ({ state }: Group) => state !== undefined && isCalled(state.name, stack);
  const isRenamed = (group: Group) => group.state !== undefined && !hasName(group);
  const clear = groups.filter((group) => !isUnclear(group));
  const meant = clear.filter((group) => hasName(group) || group.names.has(digits));
  return {
    own: meant.filter((group) => !isRenamed(group)),
    unclear: groups.filter(isUnclear),
    renamed: meant.filter(isRenamed),
  };
}

/** Marks that come from providers of one state belong to one stack, and so does what that state has. */
function groupsOf(marked: readonly Carrier[], stateOf: (one: Carrier) => State | undefined): Group[] {
  const groups = new Map<string, Group>();
  for (const one of marked) {
    const { digits } = one.mark;
    const state = stateOf(one);
    const key = state?.name ?? digits.stack;
    const group = groups.get(key) ?? { state, marks: new Set(), names: new Set(), own: [] };
    group.marks.add(digits.stack);
    group.names.add(digits.stackName);
    group.own.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function objectsOf(
  { state, marks, own }: Group,
  states: readonly State[],
  lead: number,
  complete: boolean,
): StackObjects {
  const doubtsAbout = doubtsBeside(own.filter((one) => isIn(states, one)).map(({ mark }) => mark));
  const stray = own.filter((one) => !isIn(states, one));
  const doubtsOfTime = state === undefined ? () => [] : doubtsByTime(state, stray, lead, complete);
  const doubtsOf = (one: Carrier) => [
    ...doubtsAbout(one.mark, one.object),
    ...doubtsByUsers((use) => usersOf(states, definitionOf(one.kind), one.object, use)),
    ...doubtsOfTime(one),
  ];
  const objects = own.map((one) => {
    const held = isIn(states, one);
    return {
      ...one,
      mark: one.mark.digits.stack,
      resource: one.mark.readable?.resource ?? resourceIn(states, one),
      inState: state === undefined && !held ? null : held,
      otherStack: state !== undefined && isIn([state], one) ? null : holderStack(states, one),
      doubts: held ? [] : doubtsOf(one),
    };
  });
  const names = new Set(own.flatMap(({ mark }) => mark.readable?.stack ?? []));
  return {
    marks: [...marks],
    names: [...names],
    objects,
    pending: state !== undefined && state.pending.length > 0,
  };
}

/** What of these objects the states have. A pod loses its mark when somebody replaces its env from outside. */
function heldBy(states: readonly State[], objects: readonly Listed[]): Marked[] {
  return objects.flatMap((one) => {
    const urn = holderOf(states, one);
    // Ids of other packages may look alike.
    if (urn === undefined || kindOfUrn(urn) !== one.kind) return [];
    const mark = markOf(definitionOf(one.kind), one.object)?.digits.stack ?? null;
    return [
      { ...one, mark, resource: readableOf(urn).resource, inState: true, otherStack: null, doubts: [] },
    ];
  });
}

/** Tells what of a name is not among the objects of its stacks, and why; and where the name itself may be misspelt. */
export function tellOfOthers(stack: string, found: Found): void {
  const { stacks, unclear, renamed, names } = found;
  tellOfMaybeCreated(found.maybeCreated);
  for (const name of renamed)
    tell(`podlumi: a stack that created objects as ${stack} is now called ${name}: use that name`);
  for (const { kind, name, id } of unclear)
    tell(
      `podlumi: leaves out the ${kind} ${inLine(name)} (${id}): its mark has a provider of ${stack}, but another stack may have created it ` +
        "(`pulumi state move`, `pulumi stack rename`)",
    );
  if (names !== undefined && renamed.length === 0) tellWhereUnknown(stack, names, stacks.length > 0);
}

/** The marks of the stacks of this name, by the providers of their states. */
export async function marksOf(stack: string): Promise<string[]> {
  const names = await stackNames();
  tellWhereUnknown(stack, names);
  const called = names.filter((name) => isCalled(name, stack));
  if (called.length > 1)
    throw new ExpectedError(
      `${called.join(" and ")} are both called ${stack}: \`npx podlumi ls --stack ${stack}\` shows the marks of each`,
      "PODLUMI-WHICH-STACK",
    );
  const states = await statesOf(called);
  return states.flatMap(({ markers }) => [...markers].map(stackDigits));
}

/** Tells that Pulumi has no stack of a name, which may be misspelt unless it is in marks. */
function tellWhereUnknown(stack: string, all: readonly string[], isInMarks = false): void {
  const names = all.map((name) => nameInMarks({ name }));
  if (names.includes(stack)) return;
  const why = isInMarks ? ": it is removed, or in another backend" : didYouMean(stack, names);
  tell(`podlumi: Pulumi has no stack ${stack} here${why}`);
}

/** Returns a function that tells what the stacks of these states do with an object. */
export function usesIn(states: readonly State[]): (one: Listed) => readonly Use[] {
  return ({ kind, object }) => states.flatMap((state) => useOf(state, definitionOf(kind), object) ?? []);
}
