import { inTime } from "../../client/clock";
import { ExpectedError, undefinedIfExpected } from "../../client/errors";
import { longestLag } from "../../client/policy";
import { recent } from "../../client/proof";
import type { State } from "../../engine/export";
import { warn } from "../../engine/log";
import { kindOfUrn } from "../../identity";
import { endLimits } from "../end-limits";
import type { Loser, ServiceObject } from "../kind/definition";
import { ownerOf } from "../kind/mark";
import { hasOtherMark } from "../kind/ownership";
import { isDeletedWithOthers } from "../names/taken-names";
import { clash } from "../names/unique";
import type { Edit, Existing, Resource } from "../resource";
import type { Run } from "../run";
import { poll } from "../wait";

/**
 * Fails where the deletion of an object would take its id from what others have. Lists may still show what was deleted a moment ago, by
 * another provider of the program or in another stack, so they have until they have to show that.
 */
export async function failIfOthersLose(existing: Existing): Promise<void> {
  let losers = await losersOfOthers(existing, recent);
  if (losers.length === 0) return;
  const { kind, run } = existing;
  const awaited = () => `${inWords(losers)} to name the ${kind.noun} no more`;
  const isFree = await poll(run.api().clock, longestLag, awaited, async () => {
    losers = await losersOfOthers(existing);
    return losers.length === 0 || undefined;
  });
  if (isFree) return;
  const keep = `, or declare this ${kind.noun} in the program again to keep it`;
  throw new ExpectedError(`the deletion ${taken(existing, losers)}${keep}`, "PODLUMI-IN-USE");
}

/** Says the same where a replacement deletes the object. What is created before the deletion can serve the others. */
export async function warnIfOthersLose(edit: Edit): Promise<void> {
  const { kind, run, id, inputs, state } = edit;
  const serves = kind.serves === undefined ? false : kind.serves(inputs, state);
  if (serves && (await isMadeFirst(edit))) return;
  const losers = await run.look(kind, () => losersOfOthers(edit, recent), []);
  if (losers.length === 0 || (await run.states.isRetained(id))) return;
  const when = serves === false ? "" : "unless the next one serves the same by then, ";
  const will = `${when}its replacement ends with a deletion that fails, since it ${taken(edit, losers)}`;
  warn(inputs.__urn, will, "PODLUMI-IN-USE");
}

/** Whether it is certain that the replacement is created while the object is there. Only a program in TypeScript tells its options. */
async function isMadeFirst({ run, inputs }: Resource): Promise<boolean> {
  const { madeFirst } = run.notes(inputs.__urn).checked ?? {};
  return madeFirst !== undefined && !(await isDeletedWithOthers(run, inputs));
}

/**
 * Warns of a resource that the engine checks as new, where the state has its object: the engine itself replaces it. Of what podlumi asks for,
 * the comparison has warned.
 */
export async function warnIfOthersLoseReplaced({ kind, run, inputs }: Resource): Promise<void> {
  const { replaced, adopted } = run.notes(inputs.__urn);
  // In the first preview of a stack, the owner is unknown, and there is nothing to replace.
  if (kind.losers === undefined || replaced || ownerOf(inputs) === undefined) return;
  const object = await run.states.objectOf(inputs);
  if (object === undefined || object.isGone || object.id === adopted) return;
  await warnIfOthersLose({ kind, run, id: object.id, state: object.outputs, inputs });
}

/** What of others would lose the id of an object. What this stack has does not count: the program says what becomes of that. */
async function losersOfOthers({ kind, run, id }: Existing, age?: number): Promise<Loser[]> {
  const naming = (await kind.losers?.(run.api(), id, age)) ?? [];
  const losers = naming.filter(({ object }) => !run.atEnd.deleted.has(object.id));
  const areOwn = await Promise.all(losers.map(({ object }) => isOwn(run, object)));
  return losers.filter((_one, index) => !areOwn[index]);
}

/** Whether this stack has an object, and no other one has adopted it since. */
async function isOwn(run: Run, object: ServiceObject): Promise<boolean> {
  const owner = await run.owners.find(object.id, "now");
  const present = await run.states.now();
  if (owner === undefined || hasLeft(run, object, owner, present)) return false;
  const state = present?.objects.find(({ id }) => id === object.id);
  const kind = run.kinds.find(({ type }) => type === kindOfUrn(owner));
  return state === undefined || kind === undefined || !hasOtherMark(kind, state.outputs, object);
}

/** Whether an object of a resource has left the state in this run: what the engine keeps (`retainOnDelete`), no call shows. */
function hasLeft(
  { command }: Run,
  { id }: ServiceObject,
  owner: string,
  present: State | undefined,
): boolean {
  if (present === undefined || command.writesOnlyAtEnd) return false;
  return !present.holders.has(id) && present.pending.every(({ urn }) => urn !== owner);
}

const inWords = (losers: readonly Loser[]) => [...new Set(losers.map(({ text }) => text))].join(", ");

const taken = ({ kind: { noun } }: Existing, losers: readonly Loser[]) =>
  `would take the ${noun} from ${inWords(losers)}, which this stack does not have: the service does that ` +
  "without a word. Change that there first";

/**
 * At the end of a run, warns of what still refers to the name of an object that this run has deleted. Only then is it certain: a replacement
 * may have the name by now, and what referred to it may be gone as well.
 */
export async function warnOfUsers(run: Run): Promise<void> {
  const warnings = [...run.atEnd.deleted].map(async ([id, { kind, name, urn }]) => {
    if (kind.usersByName === undefined || run.claims.claimantOf(kind, name) !== undefined) return;
    const all = await kind.usersByName(run.api(), recent);
    const users = all.filter((user) => !run.atEnd.deleted.has(user.id) && clash(kind, user.name, name));
    if (users.length === 0) return;
    const present = await kind.list(run.api(), recent);
    if (present?.some((object) => object.id !== id && clash(kind, object.name, name))) return;
    const texts = [...new Set(users.map(({ text }) => text))];
    warn(urn, stillUsed(kind.noun, texts), "PODLUMI-STILL-USED");
  });
  const told = warnings.map((warning) => warning.catch(undefinedIfExpected));
  await inTime(endLimits.settling, Promise.all(told));
}

const stillUsed = (noun: string, users: readonly string[]) =>
  `the ${noun} is deleted, and ${users.join(", ")} still ${users.length === 1 ? "refers" : "refer"} to it: containers that start ` +
  `there later do not get its value. Remove the reference there, or create a ${noun} of that name again`;
