import { continued, ExpectedError, undefinedIfExpected } from "../../client/errors";
import { nameInMarks } from "../../engine/export";
import { warn } from "../../engine/log";
import { AdoptionError } from "../errors";
import type { Kind, ServiceObject } from "../kind/definition";
import { readableOf, stackNameDigits } from "../kind/mark";
import { hasOtherMark, markDigits, markInState, markOf } from "../kind/ownership";
import { stackName } from "../kind/state";
import type { Edit, Existing } from "../resource";
import type { Run } from "../run";
import { isUnknown, type Properties } from "../value";
import { showingWait } from "../wait";
import { adoptedBy } from "./doubts";
import type { OtherStack } from "./owners";
import { StateUnknownError } from "./states";

/**
 * Whether a new name takes the mark out of an object that carries it in its name. A name that is still unknown may be the one that it
 * has.
 */
function losesMark(kind: Kind, state: Properties, { name }: Properties): boolean {
  const mark = kind.mark === undefined ? markDigits(kind, state) : undefined;
  return mark !== undefined && !isUnknown(name) && mark !== markDigits(kind, { name });
}

/** Fails when another stack has an object that is to lose its mark, as it does before an adoption. */
export async function failIfHeld({ kind, run, id, state, inputs }: Edit, when?: "now"): Promise<void> {
  if (!losesMark(kind, state, inputs)) return;
  const others = await run.owners.otherStacksWith(kind, { id, name: state.name }, inputs, when);
  if (others.length > 0) throw heldError(kind, id, others, leaveNameOut);
}

/**
 * Fails where the state of another stack has the object, too, as after an import of a copied state, and its mark does not tell that stack
 * that it is another one's: nothing tells which of the two it is.
 * Pulumi is asked where the state may be a copy of another stack's, or a file was imported, which another stack may have imported, too. It is
 * also asked before data is deleted, however many stacks there are: an older state of this stack does not tell that `pulumi state move` has taken
 * the object to another one since. What an account has once has the same id in every account, and loses nothing with a deletion.
 */
export async function failIfHeldTwice(
  edit: Edit,
  act: "change" | "delete",
  look = () => edit.run.lists.one(edit.kind, edit.id),
): Promise<void> {
  const { kind, run, id, state, inputs } = edit;
  if (kind.single) return;
  const former = await otherNames(edit, look);
  const losesData = act === "delete" && kind.dataHeld?.(state) !== undefined;
  const isAsked = former.length > 0 || losesData || isFromFile(kind, state);
  if (!isAsked) return;
  const isData = losesData && former.length === 0;
  const having = await (isData ? havingBesideData(edit) : havingBeside(edit, former));
  if (having.length === 0) return;
  const object = await look();
  const others = object === undefined ? having : keepersAmong(having, kind, object);
  if (others.length === 0) return;
  const what = `the state of the stack ${others.map(({ stack }) => stack).join(", ")} has the ${kind.noun} ${id}, too, as a copy of a state does`;
  const here = await takeOutHere(run, id, inputs.__urn);
  const next = `Take it out of the state that is not to have it: there with ${takeOut(others)}, or here with ${here}`;
  throw new ExpectedError(`${what}. ${next}`, "PODLUMI-HELD-TWICE");
}

/** Whether a state is as `pulumi import --file` took it in: a run of podlumi tells of which stack it is, or which mark the object has. */
function isFromFile(kind: Kind, state: Properties): boolean {
  return state[stackName] === undefined && markInState(kind, state) === undefined;
}

/** The other stacks whose states have the object of a state. */
function otherHolders({ kind, run, id, state, inputs }: Edit): Promise<OtherStack[]> {
  return run.owners.otherStacksWith(kind, { id, name: state.name }, inputs, undefined, ["has"]);
}

/** The same of a state that may be a copy, since it shows the digits of `former` names of stacks. */
async function havingBeside(edit: Edit, former: readonly string[]): Promise<OtherStack[]> {
  return otherHolders(edit).catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    // The stack of which the state tells is there, and nobody knows what it has.
    if (error.unread.some((stack) => former.includes(stackNameDigits(nameInMarks({ name: stack })))))
      throw error;
    warn(edit.inputs.__urn, continued(error.message, "A copy of this state may be there"), error.code);
    return [];
  });
}

/** The same where nothing makes another one likely, before data is deleted: of states that cannot be read, only a warning tells. */
async function havingBesideData(edit: Edit): Promise<OtherStack[]> {
  const { kind, run, id, inputs } = edit;
  const asked = run.states.own().then(() => otherHolders(edit));
  return showingWait(run.pauses, "the states of the other stacks", asked).catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    const deleted = `That does not stop the deletion of the ${kind.noun} ${id}, which holds data`;
    warn(inputs.__urn, continued(error.message, deleted), error.code);
    return [];
  });
}

/**
 * The digits of other names of stacks that a state shows: it is a copy, or the stack has been renamed. A state of an earlier release does
 * not tell that, so the mark of the object does.
 */
async function otherNames(
  { kind, run, state }: Existing,
  look: () => Promise<ServiceObject | undefined>,
): Promise<string[]> {
  const name = stackNameOf(await run.states.presentUrn(state.__urn));
  const urn = state.__urn === undefined ? undefined : stackNameOf(state.__urn);
  const stated = [urn, state[stackName]].flatMap((one) => (one === undefined ? [] : [String(one)]));
  const others = stated.filter((one) => one !== name);
  if (others.length > 0 || stated.length > 1 || markInState(kind, state) === undefined) return others;
  const object = await look();
  const mark = object && markOf(kind, object);
  return mark === undefined || mark.digits.stackName === name ? [] : [mark.digits.stackName];
}

/** The digits of the name of a URN's stack, as the state keeps them: no change of its text changes them. */
export function stackNameOf(urn: unknown): string {
  return stackNameDigits(readableOf(urn).stack);
}

/**
 * The error for an object that other stacks have, and that will carry no mark by which they see that it is this one's. `instead`
 * continues the sentence that says what to do.
 */
export function heldError(
  kind: Kind,
  id: string,
  others: readonly OtherStack[],
  instead: string,
): AdoptionError {
  const unseen = "That stack would not see the adoption, and would still change and delete the object";
  const next = `${unseen}. Take it out there first, with ${takeOut(others)}`;
  return new AdoptionError(
    `${heldBy(others, `the ${kind.noun} ${id}`, next)}${instead}`,
    "PODLUMI-ADOPT-HELD",
  );
}

/** The commands that take an object out of the states of the stacks that have it. */
export function takeOut(others: readonly OtherStack[]): string {
  const commands = others.flatMap(({ stack, urn }) =>
    urn === undefined ? [] : `\`pulumi state delete '${urn}' --stack ${stack}\``,
  );
  return commands.join(" and ");
}

/**
 * The command that takes the object of a resource out of the state of this stack. A state that was imported by force has the URNs of the
 * other stack.
 */
async function takeOutHere(run: Run, id: string, urn: unknown): Promise<string> {
  const stated = await run.states.objectWith(id);
  return `\`pulumi state delete '${stated?.urn ?? String(await run.states.presentUrn(urn))}'\``;
}

/** That other stacks have an object, and what to do `next`. What a run is only adopting is in no state from which to take it. */
export function heldBy(others: readonly OtherStack[], object: string, next: string): string {
  const having = others.filter(({ use }) => use === "has");
  const stacks = (some: readonly OtherStack[]) => some.map(({ stack }) => stack);
  if (having.length === 0) return adoptedBy(stacks(others), object);
  return `the stack ${stacks(having).join(", ")} has ${object}. ${next}`;
}

/** What else helps where the name is the only place for the mark. */
export const leaveNameOut = ", or leave name out: the name that podlumi makes up shows it";

/**
 * The other stacks that have an object, and do not see by its mark that it is another one's. This stack is among them only where Pulumi
 * does not tell which it is, and then it sees that. None where Pulumi does not tell.
 */
export async function stacksThatKeep(
  kind: Kind,
  run: Run,
  object: ServiceObject,
  whose: Properties,
): Promise<OtherStack[]> {
  const having = run.owners.otherStacksWith(kind, object, whose, undefined, ["has"]);
  return keepersAmong((await having.catch(undefinedIfExpected)) ?? [], kind, object);
}

/** Those of the stacks that do not see by the mark of an object that it is another one's. All others change and delete it no more. */
function keepersAmong(having: readonly OtherStack[], kind: Kind, object: ServiceObject): OtherStack[] {
  return having.filter(({ outputs }) => !hasOtherMark(kind, outputs, object));
}
