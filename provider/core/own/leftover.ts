import { logOnce, warn } from "../../engine/log";
import { isHashedInMark } from "../../schema/field";
import { stateUnknown, staysLeftOver } from "../../words/whose";
import type { Resource } from "../call";
import { describeChanges, type Match, matchOf } from "../compare/match";
import type { ServiceObject } from "../kind";
import { isMarkedByName } from "../kind/naming";
import { digitsOfUnseen, markOf } from "../mark/carried";
import { ownerOf } from "../mark/mark";
import { describe } from "../telling";
import { askerOf } from "./object";
import { standingOf } from "./standing";

/**
 * The leftover of a killed run that a resource takes over: of the objects with exactly its mark, the first that can be changed in place. Tells of
 * it, and of the others, which stay. The own state, which may have them, is asked only where there is a candidate.
 */
export async function leftoverOf(resource: Resource, name: unknown): Promise<Match | undefined> {
  const { kind, run, record, inputs, api } = resource;
  const owner = ownerOf(inputs);
  // What an account has once, every resource finds.
  if (kind.single || owner === undefined) return undefined;
  const asker = askerOf(resource, owner);
  // A made-up name also has a generation, and only the wanted one is a leftover. After `--replace`, no diff has told which one that is: then
  // all count, and the own state has the one in use.
  const isAnyGeneration = !isMarkedByName(kind) || record.compared === undefined;
  const isOwn = (object: ServiceObject) =>
    (isAnyGeneration || object.name === name) && standingOf(object, asker).is === "left over";
  const listed = (await run.lists.atFirst(kind, api())) ?? [];
  const candidates = listed.filter((object) => object.id !== record.compared?.id && isOwn(object));
  const [first] = candidates;
  if (first === undefined) return undefined;
  const held = await run.ownState.ids(inputs, () => stateUnknown(describe(kind, first), first.id));
  let match: Match | undefined;
  const others: ServiceObject[] = [];
  for (const candidate of candidates.filter(({ id }) => !held.has(id))) {
    const { id } = candidate;
    const observed = await kind.read(api(), id, inputs, { isWhole: true });
    // Since it was listed, another resource may have adopted it.
    if (observed === undefined || !isOwn({ ...observed, id })) continue;
    const compared = match === undefined ? await compareLeftover(resource, { ...observed, id }) : undefined;
    if (compared?.replaces.length === 0) match = compared;
    else others.push(candidate);
  }
  tellLeftovers(resource, match, others);
  return match;
}

/** Compares it with the inputs. The mark tells whether inputs differ that the service never returns. */
async function compareLeftover({ kind, inputs, api }: Resource, object: ServiceObject): Promise<Match> {
  const match = await matchOf(kind, api(), inputs, object, true);
  const digitsThen = markOf(kind, object)?.unseen;
  if (digitsThen === undefined || digitsThen === digitsOfUnseen(kind, inputs)) return match;
  const hashed = Object.entries(kind.fields).filter(([, field]) => isHashedInMark(field));
  const fixed = hashed.filter(([, { change }]) => change !== "update").map(([name]) => name);
  const changes = new Map(match.changes);
  for (const [name] of hashed) if (inputs[name] !== undefined) changes.set(name, "update");
  return { ...match, changes, replaces: [...match.replaces, ...fixed] };
}

/** Says what is taken over, and what stays. In a create, the check has said so already. */
function tellLeftovers(
  { kind, urn, inputs }: Resource,
  match: Match | undefined,
  others: readonly ServiceObject[],
): void {
  if (match !== undefined) {
    const changes = describeChanges(inputs, match);
    const why = "it carries the mark of this resource and is in no state, as a killed run leaves it";
    logOnce(urn, `takes over the ${describe(kind, match.observed)} ${changes}: ${why}`);
  }
  for (const one of others) warn(urn, staysLeftOver(describe(kind, one)), "PODLUMI-ORPHAN");
}
