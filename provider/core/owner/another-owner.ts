import { ExpectedError, undefinedIfExpected } from "../../client/errors";
import { longestLag } from "../../client/policy";
import { Proof, recent } from "../../client/proof";
import type { Kind, ServiceObject } from "../kind/definition";
import { hasOtherMark, markDigits, markInState, markOf } from "../kind/ownership";
import { mayLag } from "../kind/written";
import type { Edit, Existing } from "../resource";
import type { Run } from "../run";
import type { Properties } from "../value";
import { poll } from "../wait";
import { adoptedBy, noState } from "./doubts";
import { stacksThatKeep } from "./held-elsewhere";

/**
 * Proves that an object carries the mark of its state, or one with the digits `next`, which it is to get. Throws otherwise: another
 * resource has adopted it.
 */
export function proofOfMark(
  existing: Existing,
  error: (object: ServiceObject) => Error | Promise<Error>,
  next?: string,
): Proof {
  return new Proof(existing.run.api().clock, async () => {
    const object = await objectOfAnother(existing, next);
    if (object !== undefined) throw await error(object);
  });
}

/**
 * The object of a state that carries another mark than in that state: another resource has adopted it since. The list and a read can
 * each lag, behind that adoption or behind one by this very resource. So both count, until they agree or the time tells which is newer.
 */
export async function objectOfAnother(
  { kind, run, id, state }: Existing,
  next?: string,
): Promise<ServiceObject | undefined> {
  const isOther = (object: Properties) => isOfAnother(kind, state, object, next);
  // Several resources share one list.
  const list = (age = recent) => run.lists.one(kind, id, Math.max(age, 500));
  if (markInState(kind, state) === undefined) return undefined;
  const read = () => kind.read(run.api(), id, state);
  // A list that lacks it proves nothing.
  const first = (await list()) ?? (await read());
  if (first === undefined || !isOther(first)) return undefined;
  const owner = await poll(
    run.api().clock,
    longestLag,
    () => `the service to tell whose the ${kind.noun} ${id} is`,
    async (age) => {
      const [listed, alone] = [await list(age), await read()];
      if (alone === undefined) return "own";
      const newest = newestOf(kind, listed, alone);
      if (!newest.some(isOther)) return "own";
      return newest.every(isOther) && !mayLag(run, state) ? "other" : undefined;
    },
  );
  return owner === "own" ? undefined : { ...first, id };
}

/** Waits until a list shows the digits that an adoption has written, by which the run of a stack that had the object lets go of it. */
export async function untilMarkShows(kind: Kind, run: Run, id: string, digits?: string): Promise<void> {
  const what = () => `the adoption of the ${kind.noun} ${id} to show`;
  await poll(run.api().clock, longestLag, what, async (age) => {
    const all = await kind.list(run.api(), age);
    const isShown = all?.some((one) => one.id === id && markDigits(kind, one) === digits);
    return all === undefined || isShown || undefined;
  });
}

/** What a list and a read show of an object; of two marks that tell it, only the newer one. */
function newestOf(kind: Kind, listed: Properties | undefined, alone: Properties): Properties[] {
  if (listed === undefined || isLater(kind, alone, listed)) return [alone];
  return isLater(kind, listed, alone) ? [listed] : [listed, alone];
}

/** Whether an object carries another mark than in a state, and other digits than `next`. */
export function isOfAnother(kind: Kind, state: Properties, object: Properties, next?: string): boolean {
  return hasOtherMark(kind, state, object) && markDigits(kind, object) !== next;
}

/** Whether one response has a mark of a later request than another one has. Marks in names, and older ones, do not tell. */
function isLater(kind: Kind, one: Properties, than: Properties): boolean {
  const [mine, other] = [one, than].map((object) => markOf(kind, object)?.sentAt);
  return mine !== undefined && other !== undefined && mine > other;
}

/** The error for a change of an object that another resource has adopted. */
export async function anotherOwnerError(
  { kind, run, inputs: { __urn } }: Edit,
  object: ServiceObject,
): Promise<ExpectedError> {
  const next =
    "To have one of its own, give this resource another logical name, without aliases; otherwise take it out of the program. The next " +
    "`pulumi up` leaves this one to the other resource";
  return new ExpectedError(`${await adoptedByAnother(kind, run, object, __urn)}. ${next}`, anothers);
}

/** That another resource has adopted an object. The states tell whose it is where the mark has no room for that, and whether any has it. */
export async function adoptedByAnother(
  kind: Kind,
  run: Run,
  object: ServiceObject,
  urn: unknown,
): Promise<string> {
  const isTold = markOf(kind, object)?.readable !== undefined;
  const having = isTold ? [] : await stacksThatKeep(kind, run, object, { __urn: urn });
  const by = having.map((one) => `, ${one.urn} of ${one.stack}`).join("");
  return `${adopted(kind, object, by)}${await whereNobodyHas(kind, run, object, urn)}`;
}

/**
 * What to do with an adopted object that no other resource has by now: its adoption was interrupted, or somebody took it out of the state there.
 * The adoption may be later than what this run has seen of the states.
 */
async function whereNobodyHas(kind: Kind, run: Run, object: ServiceObject, urn: unknown): Promise<string> {
  const whose = { __urn: urn };
  const uses = ["has", "adopts", "keeps"] as const;
  const others = await run.owners
    .otherStacksWith(kind, object, whose, "now", uses)
    .catch(undefinedIfExpected);
  const own = await run.states.now();
  if (own === undefined || others === undefined) return "";
  const isHeldHere = run.owners.holdersBeside(object.id, whose, own).length > 0;
  if (isHeldHere || others.some(({ use }) => use !== "adopts")) return "";
  const adopters = others.map(({ stack }) => stack);
  if (adopters.length > 0) return `: ${adoptedBy(adopters)}`;
  const next = `to have it again, if no stack of another backend has it, write adopt: "${object.id}" once it has left the state of this stack`;
  return `. But it is in ${noState}: ${next}`;
}

/** The error for an object that this create was to get, and that no state of this stack has. */
export function adoptedMeanwhileError(kind: Kind, object: ServiceObject): ExpectedError {
  const next =
    "Run the command again: it adopts the object if the program says so, and creates another one otherwise";
  return new ExpectedError(`${adopted(kind, object)}. ${next}`, anothers);
}

const anothers = "PODLUMI-ANOTHERS";

/** `by` names the other resource by the states, where its mark does not. */
function adopted(kind: Kind, object: ServiceObject, by = ""): string {
  const { readable } = markOf(kind, object) ?? {};
  const whose = readable === undefined ? by : `, ${readable.resource} of ${readable.stack}`;
  return `by its mark, it now belongs to another resource${whose}, which adopted it`;
}
