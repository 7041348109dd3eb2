import { undefinedIfExpected } from "../../client/errors";
import { warn } from "../../engine/log";
import type { ServiceObject } from "../kind/definition";
import type { Edit, Existing, Resource } from "../resource";
import { describe, notInAccount } from "../telling";
import { hasUnknown } from "../value";
import { mayNotShow } from "../wait";

/**
 * Guards an object that the state has. One that a replacement has deleted already, and whose successor is still to be created, stands there,
 * too: nothing stops that. Pulumi is asked only where the guard fails.
 */
export async function unlessGone(edit: Edit, guard: () => Promise<void>): Promise<void> {
  try {
    await guard();
  } catch (error) {
    if (!(await isDeleted(edit))) throw error;
  }
}

async function isDeleted({ run, id }: Existing): Promise<boolean> {
  return (await run.states.objectWith(id))?.isGone === true;
}

/** Whether an object does not exist any more: neither the list of its kind nor its own address shows it. */
export async function isLost(
  { kind, run, id, state }: Existing,
  list = () => run.lists.snapshot(kind),
): Promise<boolean> {
  const all = await run.look(kind, list);
  if (all === undefined || all.some((one) => one.id === id)) return false;
  return run.look(kind, async () => (await kind.read(run.api(), id, state)) === undefined, false);
}

/** Those of the objects of a list that are there by their own addresses, too: a list may still show what was deleted a moment ago. */
export async function foundAmong(
  { kind, run }: Resource,
  listed: readonly ServiceObject[],
): Promise<ServiceObject[]> {
  const { one } = kind;
  if (one === undefined) return [...listed];
  const found = await Promise.all(listed.map(({ id }) => one(run.api(), id)));
  return listed.filter((_object, index) => found[index] !== undefined);
}

/**
 * Warns where the account does not have what is to be changed or replaced, and what would cost money in another one. An update fails then, and a
 * replacement leaves it there. What was created a moment ago may not show yet. Returns whether the account does not have it, which is no reason
 * to warn where a replacement has deleted it already.
 */
export async function warnIfLost(edit: Edit): Promise<boolean> {
  const { kind, run, id, state, inputs } = edit;
  if (!kind.bills || mayNotShow(run, state) || !(await isLost(edit, () => run.lists.lately(kind))))
    return false;
  if (!(await isDeleted(edit)))
    warn(inputs.__urn, lostWarning(describe(kind, { id, name: state.name })), "PODLUMI-GONE");
  return true;
}

/**
 * Warns of what stands in the state as deleted, is still there, and gets no resource: `--replace` kept it to adopt it again, did not come to
 * that, and the program has no `adopt` any more.
 */
export async function warnOfKept({ kind, run, inputs }: Resource): Promise<void> {
  if (!kind.bills || hasUnknown(inputs.adopt)) return;
  const { id, isGone, isRetained, outputs } = (await run.states.objectOf(inputs)) ?? {};
  if (id === undefined || !isGone || isRetained || id === run.notes(inputs.__urn).found) return;
  const observed = await run.look(kind, () => kind.read(run.api(), id, { ...outputs }));
  const owner = (await run.owners.find(id)) ?? inputs.__urn;
  if (observed === undefined || owner !== inputs.__urn) return;
  const object = { ...observed, id };
  const others = await run.owners.otherStacksWith(kind, object, inputs).catch(undefinedIfExpected);
  if (others !== undefined && others.length > 0) return;
  const unless = others === undefined ? ", unless a stack whose state podlumi could not read has it" : "";
  warn(inputs.__urn, `${keptWarning(describe(kind, object), id)}${unless}`, "PODLUMI-ORPHAN");
}

const keptWarning = (object: string, id: string) =>
  `the ${object} is still there: a replacement by hand kept it, to adopt it again, and was interrupted. With this run it leaves the state, and ` +
  `costs money. Write adopt: "${id}" to keep it, or delete it yourself`;

const lostWarning = (object: string) => `${notInAccount(object)}: there it would stay, and cost money`;
