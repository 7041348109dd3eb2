import { ExpectedError } from "../../client/errors";
import { AdoptionError } from "../errors";
import type { Kind, ServiceObject } from "../kind/definition";
import { untilWritten } from "../kind/written";
import type { Run } from "../run";
import { isUnknown, type Properties } from "../value";
import { ownerOf } from "./mark";
import { hasOtherMark, markDigits, markInState, markOf, ownerDigits } from "./ownership";
import { StateUnknownError } from "./states";

/**
 * The object of a state that carries another mark than in that state: another resource has adopted it since. A list can lag behind
 * an adoption by this very resource, so a read has to agree.
 */
export async function objectOfAnother(
  kind: Kind,
  run: Run,
  id: string,
  state: Properties,
): Promise<ServiceObject | undefined> {
  const isOther = (object: Properties) => hasOtherMark(kind, state, object);
  if (markInState(kind, state) === undefined) return undefined;
  const listed = (await run.lately(kind))?.find((one) => one.id === id);
  if (listed === undefined || !isOther(listed)) return undefined;
  let other: ServiceObject | undefined;
  const isOwn = async () => {
    const read = await kind.read(run.api(), id, state);
    other = read !== undefined && isOther(read) ? { ...read, id } : undefined;
    return other === undefined || undefined;
  };
  // A read can lag, too, behind an adoption in an earlier run.
  (await isOwn()) ?? (await untilWritten(run, state, isOwn));
  return other;
}

/**
 * The digits of the mark in a state after an update. It writes no mark but that in a new name, and never takes the mark of another
 * resource for its own.
 */
export function markAfterUpdate(kind: Kind, state: Properties, { name }: Properties): string | undefined {
  return markDigits(kind, { name }) ?? markInState(kind, state);
}

/** The digits that the mark of a resource has, where the kind has room for all of them; undefined while nobody knows them. */
export function digitsOfOwner(inputs: Properties): string | undefined {
  return ownerDigits(ownerOf(inputs));
}

/**
 * Whether a new name takes the mark out of an object that carries it in its name. A name that is still unknown may be the one that it
 * has.
 */
function losesMark(kind: Kind, state: Properties, { name }: Properties): boolean {
  const mark = kind.mark === undefined ? markDigits(kind, state) : undefined;
  return mark !== undefined && !isUnknown(name) && mark !== markDigits(kind, { name });
}

/** Fails when another stack has an object that is to lose its mark, as it does before an adoption. */
export async function failIfHeld(
  kind: Kind,
  run: Run,
  id: string,
  state: Properties,
  news: Properties,
  when?: "now",
): Promise<void> {
  if (!losesMark(kind, state, news)) return;
  const others = await run.owners.otherHolders({ id, name: state.name }, news, when);
  if (others.length > 0) throw heldError(kind, id, others, leaveNameOut);
}

/**
 * Fails where the state of another stack has the object, too, as after an import of a copied state: nothing tells which of the two it is.
 * Its mark has the name of that stack. After a rename, it has the former name of this one.
 */
export async function failIfHeldTwice(
  kind: Kind,
  run: Run,
  id: string,
  state: Properties,
  inputs = state,
): Promise<void> {
  if (markInState(kind, state) === undefined) return;
  const all = await run.lookOr(kind, () => run.lately(kind), undefined);
  const object = all?.find((one) => one.id === id);
  const mark = object && markOf(kind, object);
  const own = ownerOf(inputs);
  if (!mark || !own || mark.digits.stackName === own.digits.stackName) return;
  const others = await run.owners.otherHolders(object, inputs).catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    return [];
  });
  if (others.length === 0) return;
  const what = `the state of the stack ${others.join(", ")} has the ${kind.noun} ${id}, too, as a copy of a state does`;
  const next = "Take it out of the state that is not to have it (`pulumi state delete`)";
  throw new ExpectedError(`${what}. ${next}`, "PODLUMI-HELD-TWICE");
}

/**
 * The error for an object that other stacks have, and that will carry no mark by which they see that it is this one's. `instead`
 * continues the sentence that says what to do.
 */
export function heldError(kind: Kind, id: string, others: readonly string[], instead = ""): AdoptionError {
  return new AdoptionError(
    `the stack ${others.join(", ")} has the ${kind.noun} ${id}, or is adopting it. It would not see that this one has it ` +
      `by now, and would go on to change and to delete it. Take it out there first (\`pulumi state delete\`)${instead}`,
    "PODLUMI-ADOPT-HELD",
  );
}

/** What else helps where the name is the only place for the mark. */
export const leaveNameOut = ", or leave name out: the name that podlumi makes up shows it";

/** The error for a change of an object that another resource has adopted. */
export function anotherOwnerError(kind: Kind, object: ServiceObject): ExpectedError {
  const { readable } = markOf(kind, object) ?? {};
  const whose = readable === undefined ? "" : `, ${readable.resource} of ${readable.stack}`;
  return new ExpectedError(
    `by its mark it is another resource's by now${whose}, which adopted it. Take it out of this stack (\`pulumi state delete\`)`,
    "PODLUMI-ANOTHERS",
  );
}
