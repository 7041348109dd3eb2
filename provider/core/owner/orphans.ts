import type { Api } from "../../client/api";
import { undefinedIfExpected } from "../../client/errors";
import type { Pending } from "../../engine/export";
import { type Match, matchOf } from "../compare/match";
import type { Kind, ServiceObject } from "../kind/definition";
import { isUnseen } from "../kind/field";
import { isSameResource, type Mark, type Owner, ownerOf, ownerUnder, stackDigits } from "../kind/mark";
import {
  carries,
  digitsOfUnseen,
  hasOtherDigits,
  isNamesake,
  type Marked,
  markedAmong,
  markOf,
} from "../kind/ownership";
import type { Resource } from "../resource";
import type { Run } from "../run";
import { isUnknown, type Properties } from "../value";
import { untilListed } from "../wait";
import { type Doubt, doubtsBeside, maybeOthers } from "./doubts";
import { type IsFree, isFree } from "./owners";
import { candidatesFor, isMarked } from "./pending";

/** The orphans of a resource that has no object in the state. */
export interface Orphans {
  /** The orphan that the resource takes over. */
  readonly match?: Match;
  /** The others. podlumi never deletes them, since somebody may have kept them on purpose. A warning names them. */
  readonly left: readonly Doubtful[];
}

/** An orphan, and what makes it doubtful that the resource created it. */
export interface Doubtful {
  readonly object: ServiceObject;
  readonly doubts: readonly Doubt[];
}

/**
 * Finds objects that carry the mark of a resource and are in no state: an interrupted run created them, or somebody edited
 * or restored a state. The match is the first one that can be changed in place to what the program asks for. What may be
 * another's all the same is none: the program has to adopt it. A take-over goes by what there is `now`, since a run can last long.
 */
export async function orphansOf(
  resource: Resource,
  when?: "now",
  list = () =>
    when === "now" ? resource.run.lists.lately(resource.kind) : resource.run.lists.snapshot(resource.kind),
): Promise<Orphans> {
  const { kind, run, inputs } = resource;
  const owner = ownerOf(inputs);
  if (owner === undefined) return { left: [] };
  const all = (await list()) ?? [];
  const owners = [owner, ...(await ownersUnderOtherMarks(resource, owner, all))];
  const isOurs = (object: ServiceObject) => owners.some((one) => carries(kind, object, one));
  const orphans = await withDoubts(resource, all.filter(isOurs), when);
  let match: Match | undefined;
  const left: Doubtful[] = [];
  for (const orphan of orphans) {
    const { id } = orphan.object;
    const observed = await kind.read(run.api(), id, inputs, { isWhole: true });
    // Since it was listed, another resource may have adopted it.
    if (observed === undefined || !isOurs({ ...observed, id })) continue;
    const compared = match ?? (await compare(kind, run.api(), inputs, { ...observed, id }));
    const isSure = orphan.doubts.length === 0;
    if (match === undefined && isSure && compared.replaces.length === 0) match = compared;
    else left.push(orphan);
  }
  return { match, left };
}

/** Those of the objects with a resource's mark that no state has, and that are nobody else's. */
async function withDoubts(
  { kind, run, inputs }: Resource,
  marked: readonly ServiceObject[],
  when?: "now",
): Promise<Doubtful[]> {
  const which = ", which carries the mark of this resource";
  const free = await run.owners.freeAmong(kind, marked, when, isFreeFor(inputs), which);
  if (free.length === 0) return [];
  // What the state had is no orphan: a replacement that deletes first takes it out, and keeps it (`retainOnDelete`).
  const { objects } = await run.states.own();
  const inNoState = free.filter(({ id }) => objects.every((one) => one.id !== id));
  if (inNoState.length === 0) return [];
  const orphans = markedAmong(kind, inNoState);
  const whose = await run.owners.whose(await shownByOthers(run, inputs, orphans));
  const isOpen = (mark: Mark) => whose(mark) === "open";
  // That an interrupted run was creating this very resource proves whose an object with its mark is.
  const isProven =
    orphans.some(({ mark }) => isOpen(mark)) &&
    (await run.states.interrupted(kind, inputs)).creates.some(({ urn }) => isSameResource(urn, inputs.__urn));
  const held = marked.filter((object) => !inNoState.includes(object));
  const doubtsAbout = doubtsBeside(markedAmong(kind, held).map(({ mark }) => mark));
  const ours = orphans.filter(({ mark }) => whose(mark) !== "other");
  return ours.map(({ object, mark }) => {
    const doubts = isOpen(mark) && !isProven ? [maybeOthers] : [];
    return { object, doubts: [...doubts, ...doubtsAbout(mark, object)] };
  });
}

/**
 * What is free for a resource without an object: also what another run of this stack has created for it since this one began. `pulumi cancel`
 * ends no run.
 */
const isFreeFor =
  ({ __urn }: Properties): IsFree =>
  (use, isOwn, urn) =>
    isFree(use, isOwn, urn) || (isOwn && urn === __urn);

/** All objects that carry marks, where one of the orphans has another name of a stack in its mark: they may show that it was this one's. */
async function shownByOthers(run: Run, inputs: Properties, orphans: readonly Marked[]): Promise<Marked[]> {
  const name = ownerOf(inputs)?.digits.stackName;
  if (orphans.every(({ mark }) => mark.digits.stackName === name)) return [];
  const kinds = run.kinds.filter(({ single }) => !single);
  const lists = kinds.map(async (one) => {
    const all = (await run.lists.snapshot(one).catch(undefinedIfExpected)) ?? [];
    return markedAmong(one, all);
  });
  return (await Promise.all(lists)).flat();
}

/**
 * The owner under the stack's other providers: a stack that moved between the faces has marked its objects under two. Asks
 * Pulumi only when an object has this stack's name in its mark, and other digits.
 */
async function ownersUnderOtherMarks(
  { kind, run }: Resource,
  owner: Owner,
  all: readonly ServiceObject[],
): Promise<Owner[]> {
  const asksForMarkers = markedAmong(kind, all).some(
    ({ object: { id }, mark }) => hasOtherDigits(mark, owner) && run.owners.known(id) === undefined,
  );
  return asksForMarkers ? (await run.owners.markers()).map((id) => ownerUnder(id, owner)) : [];
}

/**
 * Objects in no state that cost money and have the names of a resource and its stack in a mark of a provider that this stack does not have: they
 * are of a stack of that name in another backend, or this state has lost the provider. None where Pulumi does not tell.
 */
export async function strangeNamesakes({ kind, run, inputs }: Resource): Promise<ServiceObject[]> {
  // The first preview of a stack does not know its provider. No mark is of that.
  const owner = ownerOf(isUnknown(inputs.__stack) ? { ...inputs, __stack: "" } : inputs);
  if (owner === undefined || !kind.bills) return [];
  const marked = markedAmong(kind, (await run.lists.snapshot(kind)) ?? []);
  const alike = marked.filter(({ mark }) => isNamesake(mark, owner));
  if (alike.length === 0) return [];
  const own = new Set((await run.owners.markers()).map(stackDigits));
  const strange = alike.filter(({ mark }) => !own.has(mark.digits.stack)).map(({ object }) => object);
  return (await run.owners.freeAmong(kind, strange).catch(undefinedIfExpected)) ?? [];
}

/**
 * Waits for what interrupted runs were creating: a list can lag and not show it yet. Returns the orphan that the resource takes over. What
 * is another's, the end of the run names if nothing has taken it over by then.
 */
export async function lateOrphan(resource: Resource): Promise<Match | undefined> {
  const { kind, run, inputs } = resource;
  // No list shows what an account has once.
  if (kind.single) return undefined;
  const first = await run.states.interrupted(kind, inputs);
  if (first.creates.length === 0) return undefined;
  const what = "what an interrupted run was creating to appear";
  const found = await untilListed<{ match?: Match }>(run.api(), first.since, what, async () => {
    const all = (await kind.list(run.api())) ?? [];
    const { match } = await orphansOf(resource, "now", async () => all);
    if (match !== undefined) return { match };
    // What this run itself is creating by now is none of them.
    const { creates } = await run.states.interrupted(kind, inputs);
    const named = all.filter(({ name }) => creates.some((one) => !isMarked(kind, one) && one.name === name));
    const free = await run.owners.freeAmong(kind, named, "now");
    for (const one of creates) run.atEnd.interrupted.set(one.urn, { kind, pending: one });
    return creates.every((one) => isShown(kind, inputs, one, all, free)) ? {} : undefined;
  });
  return found?.match;
}

/**
 * Whether a list shows what an interrupted run was creating. `free` has what may be it by its name, and is in no state. Its own mark is on
 * what it is to replace, too, and takes nothing over then.
 */
function isShown(
  kind: Kind,
  { __urn }: Properties,
  pending: Pending,
  all: readonly ServiceObject[],
  free: readonly ServiceObject[],
): boolean {
  if (!isMarked(kind, pending)) return free.some(({ name }) => name === pending.name);
  return !isSameResource(pending.urn, __urn) && candidatesFor(kind, pending, all).length > 0;
}

/** Compares an orphan with the inputs. The mark tells whether inputs differ that the service never returns. */
async function compare(kind: Kind, api: Api, inputs: Properties, object: ServiceObject): Promise<Match> {
  const match = await matchOf(kind, api, inputs, object, true);
  const digitsThen = markOf(kind, object)?.unseen;
  if (digitsThen === undefined || digitsThen === digitsOfUnseen(kind, inputs)) return match;
  const unseen = Object.entries(kind.fields).filter(([, field]) => isUnseen(field));
  const fixed = unseen.filter(([, { change }]) => change !== "update").map(([name]) => name);
  const changes = new Map(match.changes);
  for (const [name] of unseen) if (inputs[name] !== undefined) changes.set(name, "update");
  return { ...match, changes, replaces: [...match.replaces, ...fixed] };
}
