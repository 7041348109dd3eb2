import { inTime } from "../../client/clock";
import { ExpectedError, extended, isOpen, undefinedIfExpected } from "../../client/errors";
import { Proof } from "../../client/proof";
import type { State, Stated } from "../../engine/export";
import { log, warn } from "../../engine/log";
import { startLooksOfDestroy } from "../apply/ahead";
import { failIfKeyOfAnother, failIfLeftInOtherAccount } from "../guard/other-account";
import { guardDataOfDeleted } from "../guard/replaced";
import { failIfOthersLose } from "../guard/still-used";
import type { CreatedFrom, Kind } from "../kind/definition";
import { origin, unknownOrigin } from "../kind/state";
import { adoptedByAnother, proofOfMark } from "../owner/another-owner";
import { failIfHeldTwice } from "../owner/held-elsewhere";
import { deleteTwinsInState } from "../owner/twins";
import type { Existing } from "../resource";
import type { Run } from "../run";
import { describe, explaining, title } from "../telling";
import type { Properties } from "../value";
import { onceShown } from "../wait";

/** Milliseconds for a look at the states of all stacks, which only tells what keeps the service from a deletion. */
const patience = 10_000;

/**
 * Deletes an object of the state and its twins. A state keeps the URN from before a rename: `__formerUrn` has it where `__urn` is
 * a newer one.
 */
export async function remove({ kind, run, id, state: { __formerUrn, ...props } }: Existing): Promise<void> {
  const former = { ...props, __urn: __formerUrn ?? props.__urn };
  run.atEnd.kindsInState.add(kind);
  await startLooksOfDestroy(run, kind, props);
  run.did.delete = true;
  if (keepIfTaken({ kind, run, id, state: props }, former.__urn)) return;
  const { asksForDeletions, isPartial } = run.command;
  // A whole destroy leaves nothing, and `pulumi do` deletes what it names. Otherwise the state shows by now what the rest of the program has
  // and reads.
  const present = asksForDeletions && !isPartial ? undefined : await run.states.now();
  const state = { ...props, __urn: run.owners.urnIn(present, id, props) };
  const existing = { kind, run, id, state };
  if (keepIfAdoptedAgain(existing, present) || keepIfHeldBeside(existing, present)) return;
  run.owners.note(id, state);
  await guardDataOfDeleted(existing, present);
  await explaining(`could not delete ${title(kind, state)} (${id})`, kind, state, () =>
    deleteWhileOwn(existing, former, present),
  );
}

/** Keeps an object that another resource has in this run, or that this one takes over. Returns whether it does. */
function keepIfTaken({ kind, run, id, state }: Existing, formerUrn: unknown): boolean {
  const owner = run.owners.known(id) ?? String(state.__urn);
  const isOwn = owner === state.__urn || run.notes(owner).had?.urn === formerUrn;
  if (!isOwn) {
    run.owners.letsGo(id, state.__urn);
    log(state.__urn, `keeps the ${kind.noun} ${id}, which ${owner} has`);
    return true;
  }
  const notes = run.notes(owner);
  // A replacement that creates first may have taken over this very object in this run. One that deletes first is yet to adopt it.
  const isTakenOver = notes.found === id;
  const isFirst = isTakenOver && !run.states.hasBegun(owner);
  if (isFirst) notes.kept = { id, state };
  if (isTakenOver)
    log(state.__urn, `keeps the ${kind.noun} ${id}, which it takes over${isFirst ? untilThen : ""}`);
  else notes.had = { ...notes.had, name: state.name };
  return isTakenOver;
}

/** A run that is killed in between can tell nothing more. */
const untilThen =
  ". Until then, the state has it as deleted, and `pulumi destroy`, or an `up` without the resource, would leave it behind";

/**
 * Keeps an object that the resource itself has: a replacement adopted it again, and was interrupted before it took the former entry out of the
 * state. What leaves the program, both entries delete: the second time counts. Returns whether it does.
 */
function keepIfAdoptedAgain(
  { kind, run, id, state: { __urn } }: Existing,
  present: State | undefined,
): boolean {
  const { checked } = run.notes(__urn);
  const isThere = present?.leaving.has(id) && present.objects.some((one) => one.id === id && !one.isGone);
  if (!isThere || checked?.isNew || run.owners.hasLetGo(id, __urn)) return false;
  if (!checked) run.owners.letsGo(id, __urn);
  log(__urn, `keeps the ${kind.noun} ${id}, which it has adopted again`);
  return true;
}

/** Keeps an object that another resource of the state has, too. Returns whether it does. */
function keepIfHeldBeside({ kind, run, id, state }: Existing, present: State | undefined): boolean {
  // An account has one object of such a kind, which no deletion takes from it.
  const other = kind.single ? undefined : run.owners.heldBeside(id, state, present);
  if (other === undefined) return false;
  run.owners.letsGo(id, state.__urn);
  warn(state.__urn, heldBeside(kind, id, other), "PODLUMI-HELD-TWICE");
  return true;
}

/** Deletes an object, unless another resource has adopted it. `former` is its state with the URN from before a rename. */
async function deleteWhileOwn(
  existing: Existing,
  former: Properties,
  present: State | undefined,
): Promise<void> {
  const { kind, run, id, state } = existing;
  const ofMark = proofOfMark({ ...existing, state: former }, async (object) => {
    const why = await adoptedByAnother(kind, run, object, state.__urn);
    return new KeptError(`keeps the ${describe(kind, object)}: ${why}`, "PODLUMI-ANOTHERS");
  });
  // Others can begin to name the object while its deletion waits for what uses it.
  const proof = new Proof(run.api().clock, async () => {
    await ofMark.renew();
    await failIfOthersLose(existing);
  });
  const act = async () => {
    await ofMark.renew();
    await failIfHeldTwice({ ...existing, inputs: state }, "delete");
    failIfNamed(existing, present);
    await proof.renew();
    await deleteTwinsInState(existing);
    await deleteOnceShown(existing);
    run.atEnd.deleted.set(id, { kind, name: state.name, urn: state.__urn });
  };
  await proof.during(act).catch((error) => {
    if (!(error instanceof KeptError)) throw present?.dropped.has(id) ? extended(error, droppedNote) : error;
    run.owners.forgets(id);
    warn(state.__urn, error.message, error.code);
  });
}

/** Deletes an object, also one that the service shows only after a while. */
async function deleteOnceShown(existing: Existing): Promise<void> {
  const { kind, run, id, state } = existing;
  const act = () => kind.delete(run.api(), id, state, createdFrom(existing)).catch(failAsOpen);
  if (await act()) return;
  const isShown = (await onceShown(existing)) !== undefined;
  if (isShown && (await act())) return;
  await failIfLeftInOtherAccount(existing);
  await failIfKeyOfAnother(existing);
  run.atEnd.absent.set(id, kind);
  log(state.__urn, absentNote(kind, id));
}

function createdFrom({ run, id, state }: Existing): CreatedFrom {
  const own = async () => (await run.states.now())?.objects ?? [];
  const among = (objects: readonly Stated[]) => objects.filter(({ outputs }) => outputs[origin] === id);
  return {
    async find() {
      // A `pulumi state move` takes what is created from an object to another stack.
      const all = await inTime(patience, run.states.all("now").catch(undefinedIfExpected));
      const ofAll = (all?.found ?? []).flatMap(({ objects }) => objects);
      const objects = [...(await own()), ...ofAll];
      const idsOf = (some: readonly Stated[]) => some.map((one) => one.id);
      const told = objects.filter(({ outputs }) => (outputs[origin] ?? unknownOrigin) !== unknownOrigin);
      return { ids: idsOf(among(objects)), told: idsOf(told), areAll: all?.unread.length === 0 };
    },
    async kept() {
      if (run.command.asksForDeletions) return undefined;
      return among(await own()).find((one) => staysInRun(run, one))?.urn;
    },
    isReplaced: run.notes(state.__urn).checked !== undefined,
  };
}

/**
 * Whether the program keeps an object in this run. The engine can also replace one that does not differ, and compares also what has left the
 * program, without a check, where it deletes first what that depends on.
 */
function staysInRun(run: Run, { id, urn }: Stated): boolean {
  const { checked, compared, sent } = run.notes(urn);
  return checked !== undefined && compared?.id === id && sent === undefined && !run.atEnd.deleted.has(id);
}

/** The engine writes an object that a program reads in place of another one, and takes that out before it is deleted. */
const droppedNote =
  "It has left the state, since its resource now reads another object, and no later `pulumi up` deletes it. Delete it yourself, or " +
  "write adopt with its id in another resource";

const absentNote = ({ noun }: Kind, id: string) =>
  `there is no ${noun} ${id} any more. If that is unexpected, see whether the API key is of its account`;

/** Another resource has adopted the object: this one only lets it go. */
class KeptError extends ExpectedError {}

const heldBeside = ({ noun }: Kind, id: string, urn: string) =>
  `keeps the ${noun} ${id}, which another resource of this stack has, too: ${urn}`;

/**
 * Fails when the program still names an object that it does not declare any more: another resource is to have it, and has failed, or reads it.
 * A destroy runs such a program, too. What another provider reads, only the state shows.
 */
function failIfNamed({ run, id, state: { __urn } }: Existing, present: State | undefined): void {
  if (run.command.asksForDeletions) return;
  const taker = run.given.get(id);
  if (taker !== undefined && taker !== __urn)
    throw new ExpectedError(givenTo(taker), "PODLUMI-DECLARED-TWICE");
  const reader = run.readers.get(id);
  if (reader === undefined && !present?.readInstead.has(id)) return;
  const keep = `To keep it, run \`pulumi state delete '${__urn}'\`; to delete it, take the get out of the program first`;
  // A resource that the program declares has another object by now, and its URN in the state twice.
  const next = run.notes(__urn).checked
    ? "Another object replaces it: take the get out of the program"
    : keep;
  const as = reader === undefined ? "" : ` as ${reader}`;
  throw new ExpectedError(`the program reads it${as} (get). ${next}`, "PODLUMI-STILL-READ");
}

const givenTo = (urn: unknown) =>
  `the program gives it to ${urn} (adopt, import). To rename its resource, use aliases; to delete it, take that out of the program first`;

/** Says that an object may be gone. The next up looks only at what differs, so it would not see that. */
function failAsOpen(error: Error): never {
  if (!isOpen(error)) throw error;
  throw extended(error, "It may be gone by now: run `pulumi refresh` before the next `pulumi up`.");
}
