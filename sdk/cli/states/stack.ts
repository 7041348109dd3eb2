import type { Api } from "../../../provider/client/api";
import { ExpectedError } from "../../../provider/client/errors";
import { readableOf } from "../../../provider/core/mark/mark";
import { didYouMean } from "../../../provider/did-you-mean";
import { kindOfUrn } from "../../../provider/identity";
import { inLine } from "../../../provider/mask";
import { type Listed, type ListedKind, listed, markIn } from "../kinds";
import { tell } from "../output";
import { doubtsAbout, type StackAsker, standingFor } from "./judge";
import { stackNames, statesOf } from "./pulumi";
import { digitsOf, nameInMarks, type State } from "./state";
import { type Doubt, holderIn, type MaybeCreated, maybeCreated, whyMaybeCreated } from "./uses";

/** An object that carries the mark of a stack, or that its state has. */
export interface Marked extends Listed {
  /** The digits of the stack in the mark; null where the object carries none. */
  readonly mark: string | null;
  /** The resource that it was made for, `Pod::web`; null when the mark has no room for it and no state has the object. */
  readonly resource: string | null;
  /** A state has it; null when no state has a provider of that mark. */
  readonly inState: boolean | null;
  /** Another stack whose state has it, as after `pulumi state move`; null if the stack's own state has it, or none. */
  readonly otherStack: string | null;
  /** It carries the mark, and nobody has it. */
  readonly leftover: boolean;
  /** Why a sweep keeps it, each with the flag that allows it. */
  readonly doubts: readonly Doubt[];
}

/** The objects of an account that belong to the stacks of a name. */
export interface StackObjects {
  /** They carry a mark of the stack, or its state has them. */
  readonly objects: readonly Marked[];
  /** The digits of the marks that the stack gives now, by its state. */
  readonly marks: ReadonlySet<string>;
  /** All stacks that Pulumi shows. */
  readonly names: readonly string[];
  /** Those of this name. */
  readonly called: readonly string[];
  /** They carry such a mark and are in no state, but another stack has the provider of that mark. */
  readonly unclear: readonly Listed[];
  /** They have no mark and are in no state, but may be the stack's. */
  readonly maybeCreated: readonly MaybeCreated[];
  /** The state has creates under way: of an `up` that runs now, or of one that was interrupted. Pulumi does not tell which. */
  readonly isPending: boolean;
  /** Every kind could be listed. */
  readonly complete: boolean;
}

/**
 * The objects of the stack `project/stack`. The providers in its state tell its marks, those that are `given` too, and where no state
 * has the provider of a mark, the name in the mark.
 */
export async function objectsOfStack(
  api: Api,
  stack: string,
  kinds: readonly ListedKind[],
  given: readonly string[] = [],
): Promise<StackObjects> {
  const { all: present, complete } = await listed(api, kinds);
  const names = await stackNames();
  const called = calledSo(stack, names);
  const ownStates = await statesOf(called);
  const marks = digitsOf(ownStates);
  const own = new Set([...marks, ...digitsNaming(stack, present), ...given]);
  const carrying = present.filter(hasMarkOf(own));
  const created = maybeCreated(ownStates, present);
  // Another state may have an object that none of these has.
  const isOpen = [...carrying, ...created.map(({ one }) => one)].some(isFreeOf(ownStates));
  const others = isOpen ? await statesOf(names.filter((name) => !called.includes(name))) : [];
  const asker = { own, ofOthers: digitsOf(others), states: [...ownStates, ...others] };
  const isFree = isFreeOf(asker.states);
  const unclear = carrying.filter(isFree).filter(hasMarkOf(asker.ofOthers));
  // Ids of other packages may look alike.
  const isHeld = (one: Listed) => kindOfUrn(holderIn(ownStates, one)?.holders.get(one.id)) === one.kind;
  const objects = present.filter((one) => isHeld(one) || (carrying.includes(one) && !unclear.includes(one)));
  return {
    objects: objects.map((one) => judged(one, asker, called, marks)),
    marks,
    names,
    called,
    unclear,
    maybeCreated: created.filter(({ one }) => isFree(one)),
    isPending: ownStates.some(({ pending }) => pending.length > 0),
    complete,
  };
}

/** Nothing else may be the stack's. */
export function isAll({ complete, unclear, maybeCreated }: StackObjects): boolean {
  return complete && unclear.length + maybeCreated.length === 0;
}

/** The stacks that are called `project/stack`, by their whole names: organizations may have one each. */
function calledSo(stack: string, names: readonly string[]): string[] {
  return names.filter((name) => nameInMarks({ name }) === stack);
}

const hasMarkOf = (digits: ReadonlySet<string>) => (one: Listed) =>
  digits.has(markIn(one)?.digits.stack ?? "");

const isFreeOf = (states: readonly State[]) => (one: Listed) => holderIn(states, one) === undefined;

/** The digits of marks that have the name of a stack. */
function digitsNaming(stack: string, present: readonly Listed[]): string[] {
  const marks = present.flatMap((one) => markIn(one) ?? []);
  return marks.filter(({ readable }) => readable?.stack === stack).map(({ digits }) => digits.stack);
}

function judged(
  one: Listed,
  asker: StackAsker,
  called: readonly string[],
  marks: ReadonlySet<string>,
): Marked {
  const mark = markIn(one);
  const standing = standingFor(asker, one);
  const holder = holderIn(asker.states, one);
  const urn = holder?.holders.get(one.id);
  const isKnown = marks.has(mark?.digits.stack ?? "");
  return {
    ...one,
    mark: mark?.digits.stack ?? null,
    resource: mark?.readable?.resource ?? (urn === undefined ? null : readableOf(urn).resource),
    inState: holder !== undefined || (isKnown ? false : null),
    otherStack: holder === undefined || called.includes(holder.name) ? null : nameInMarks(holder),
    leftover: standing.is === "left over",
    doubts: doubtsAbout(asker.states, one, standing),
  };
}

/** Tells what may be of a stack and is not among its objects, and why; and where the name itself may be misspelt. */
export function tellOfOthers(stack: string, found: StackObjects): void {
  const leavesOut = ({ kind, name, id }: Listed) => `podlumi: leaves out the ${kind} ${inLine(name)} (${id})`;
  for (const created of found.maybeCreated)
    tell(
      `${leavesOut(created.one)}, which has no mark: ${whyMaybeCreated(created)}. If it did, write adopt: "${created.one.id}" ` +
        "there, or delete it",
    );
  for (const one of found.unclear)
    tell(
      `${leavesOut(one)}: another stack has the provider in its mark, and may have created it (\`pulumi state move\`, ` +
        "`pulumi stack rename`)",
    );
  tellWhereUnknown(stack, found.names, found.objects.length > 0);
}

/** The marks of the stack of this name, by the providers in its state. */
export async function marksOf(stack: string): Promise<string[]> {
  const names = await stackNames();
  tellWhereUnknown(stack, names);
  const called = calledSo(stack, names);
  if (called.length > 1)
    throw new ExpectedError(
      `${called.join(" and ")} are both called ${stack}: \`npx podlumi ls --stack ${stack}\` shows the marks of each`,
      "PODLUMI-WHICH-STACK",
    );
  return [...digitsOf(await statesOf(called))];
}

/** Tells that Pulumi has no stack of a name, which may be misspelt unless it is in marks. */
function tellWhereUnknown(stack: string, all: readonly string[], isInMarks = false): void {
  const names = all.map((name) => nameInMarks({ name }));
  if (names.includes(stack)) return;
  const why = isInMarks ? ": it is removed, or in another backend" : didYouMean(stack, names);
  tell(`podlumi: Pulumi has no stack ${stack} here${why}`);
}
