import { inTime } from "../../client/clock";
import { undefinedIfExpected } from "../../client/errors";
import type { Pending } from "../../engine/export";
import { log, logOnce, warn } from "../../engine/log";
import { kindOfUrn } from "../../identity";
import type { InterruptedCreate } from "../at-end";
import { endLimits } from "../end-limits";
import type { Kind, ServiceObject } from "../kind/definition";
import { readableOf } from "../kind/mark";
import { markOf } from "../kind/ownership";
import { holdsSecret } from "../kind/secret-value";
import type { Run } from "../run";
import { describe } from "../telling";
import { noState } from "./doubts";
import { candidatesFor, isMarked } from "./pending";

/** Tells of what an interrupted run was creating, and what nothing has taken over. */
export async function warnOfInterrupted(run: Run, { kind, pending }: InterruptedCreate): Promise<void> {
  const isDeclared = run.notes(pending.urn).checked !== undefined;
  // Under the name that the state does not tell, the create has looked for it.
  if (isDeclared && holdsSecret(pending.name) && !isMarked(kind, pending)) return;
  const all = (await kind.list(run.api())) ?? [];
  const made = candidatesFor(kind, pending, all);
  for (const object of await run.owners.freeAmong(kind, made, "now"))
    warn(undefined, interruptedNote(kind, object, pending), "PODLUMI-ORPHAN");
  // What the program has yet, this run has created, and no later one waits for it.
  if (made.length === 0 && !isDeclared) logOnce(undefined, waitsAgain(kind));
}

/**
 * Tells, after a refresh or a destroy, of what an interrupted run may have created under a name of the program: no mark tells of that. Pulumi
 * is asked only where the account has an object without a mark that this run has not met.
 */
export async function warnOfUnmarked(run: Run, kind: Kind, all: readonly ServiceObject[]): Promise<void> {
  const isStrange = (object: ServiceObject) =>
    markOf(kind, object) === undefined && run.owners.known(object.id) === undefined;
  const strange = kind.mark === undefined ? all.filter(isStrange) : [];
  if (strange.length === 0) return;
  if (run.command.clearsPendingCreates && kind.bills) return tellOfCleared(run, kind, strange);
  const { pending = [] } = (await run.states.ownIfTold()) ?? {};
  const { declare } = run.did;
  const candidates = pending.flatMap((one) => {
    const isOfKind = kindOfUrn(one.urn) === kind.type;
    // What the program declares, the create of an `up` looks for. What another provider creates may be a create of this very run.
    const isLeft =
      !run.notes(one.urn).checked && (!declare || run.owners.seenMarkers.has(String(one.marker)));
    if (!isOfKind || isMarked(kind, one) || one.adopts || !isLeft) return [];
    return candidatesFor(kind, one, strange).map((object) => ({ kind, object, pending: one }));
  });
  const { found, isSure } = await inNoStateInTime(run, candidates);
  for (const { pending, object } of found)
    warn(undefined, interruptedNote(kind, object, pending, isSure), "PODLUMI-ORPHAN");
}

/** Tells what a run may have created whose creates this refresh has cleared: nothing tells their names any more. */
async function tellOfCleared(run: Run, kind: Kind, strange: readonly ServiceObject[]) {
  const all = strange.map((object) => ({ kind, object }));
  const { found, isSure } = await inNoStateInTime(run, all);
  if (found.length === 0) return;
  const objects = found.map(({ object }) => describe(kind, object));
  log(undefined, clearedNote(objects, isSure));
}

/**
 * Those of the objects that no state has. A backend with many stacks is too slow for the end of a run, and one of its states may be
 * unreadable: then only the own state counts.
 */
export async function inNoStateInTime<One extends { readonly kind: Kind; readonly object: ServiceObject }>(
  run: Run,
  all: readonly One[],
): Promise<{ found: One[]; isSure: boolean }> {
  const objects = all.map(({ object }) => object);
  const looks = run.kinds.map((kind) => {
    const ofKind = all.filter((one) => one.kind === kind).map(({ object }) => object);
    return run.owners.freeAmong(kind, ofKind, "now");
  });
  const free = Promise.all(looks).then((found) => found.flat(), undefinedIfExpected);
  const freeInTime = await inTime(endLimits.states, free);
  const inNoState = new Set(freeInTime ?? (await run.owners.notHeldHere(objects, "now")));
  const found = all.filter(({ object }) => inNoState.has(object));
  return { found: await withoutKept(run, found), isSure: freeInTime !== undefined };
}

/** Those of the objects that no interrupted replacement of this stack has kept. What one has kept is told. */
async function withoutKept<One extends { readonly kind: Kind; readonly object: ServiceObject }>(
  run: Run,
  all: readonly One[],
): Promise<One[]> {
  if (all.length === 0) return [];
  const { objects = [] } = (await run.states.ownIfTold()) ?? {};
  const kept = new Set(objects.flatMap(({ id, isGone, isRetained }) => (isGone && !isRetained ? id : [])));
  for (const { kind, object } of all)
    if (kept.has(object.id)) warn(undefined, keptNote(describe(kind, object)), "PODLUMI-ORPHAN");
  return all.filter(({ object }) => !kept.has(object.id));
}

const keptNote = (object: string) =>
  `an interrupted replacement of this stack kept the ${object}, to adopt it again: the next \`pulumi up\` settles that. A \`pulumi destroy\` ` +
  "before that, or an `up` without its resource, leaves it behind, and it costs money";

const waitsAgain = ({ noun }: Kind) =>
  `an interrupted run was creating a ${noun} that has left the program, and none has appeared: each \`pulumi up\` that creates a ${noun} ` +
  "waits half a minute for it, until `pulumi refresh --clear-pending-creates`";

function interruptedNote(kind: Kind, object: ServiceObject, pending: Pending, isSure = true): string {
  const { urn } = pending;
  const place = placeOf(isSure);
  // It may have the name that is secret in the program.
  const shown = holdsSecret(pending.name) ? { id: object.id } : object;
  const stack = readableOf(urn).stack;
  const [was, deletes] = isMarked(kind, pending)
    ? [`was creating it as ${urn}`, `\`npx podlumi sweep --stack ${stack}\` deletes it, after asking`]
    : [`was creating ${urn}, and may have created it`, "otherwise delete it, if nobody else created it"];
  return (
    `the ${describe(kind, shown)} is ${place}: an interrupted run ${was}. To keep it, write adopt: "${object.id}" in the resource that ` +
    `is to have it; ${deletes}`
  );
}

const clearedNote = (objects: readonly string[], isSure: boolean) =>
  `${placeOf(isSure)}, and without a mark: ${objects.join(", ")}. If this refresh has cleared a create of an interrupted run, that run may ` +
  "have created one of these. Write adopt with its id where it is to stay, and otherwise delete it, if nobody else created it";

/** Where an object is that no state has, or none that could be read in time. */
const placeOf = (isSure: boolean) => (isSure ? `in ${noState}` : "not in the state of this stack");
