import { Proof } from "../../client/errand";
import { ExpectedError } from "../../client/errors";
import { log } from "../../engine/log";
import { ownerInWords } from "../../words/resource";
import { heldByAnother } from "../../words/whose";
import { type Existing, onErrand } from "../call";
import type { Kind, ServiceObject } from "../kind";
import { markDigits, markInState } from "../mark/carried";
import { isMarkOf, type Owner, ownerOf } from "../mark/mark";
import { mayLag, untilShown } from "../state/lag";
import { unfinishedIn } from "../state/unfinished";
import { describe, explaining } from "../telling";
import { type Asker, type Standing, standingOf } from "./standing";

/** Judges an object for the resource of a state. */
export function standingIn(existing: Existing, object: ServiceObject): Standing {
  const { run, id, state } = existing;
  // What this run has is no late effect, though it may have the same name, as what it has created in place of the object.
  const unanswered = run.holders.of(object.id) === undefined ? unfinishedIn(state).create : undefined;
  return standingOf(object, {
    ...askerOf(existing, ownerOf(state)),
    id,
    mark: markInState(state),
    unanswered,
  });
}

/** A resource of this run that asks whose an object is. */
export function askerOf(
  { kind, run, urn }: Pick<Existing, "kind" | "run" | "urn">,
  owner: Owner | undefined,
): Asker {
  return {
    kind,
    isOwn: (mark) => owner !== undefined && isMarkOf(mark, owner),
    holderOf: (id) => ownerInWords(run.holders.beside(id, urn)),
  };
}

/** Another resource has the object by now: by its mark, it was adopted. */
export class HeldError extends ExpectedError {
  constructor(readonly holder: string) {
    super(heldByAnother(holder), "PODLUMI-ANOTHERS");
  }
}

/** The call, once the list of the kind has shown that no other resource has adopted the object. Its requests prove that again after a wait. */
export async function proven<C extends Existing>(existing: C): Promise<C> {
  const proof = proofOf(existing);
  await proof.renew();
  return onErrand(existing, { proof });
}

/** The same where a response has just shown that. */
export function provenByNow<C extends Existing>(existing: C): C {
  const proof = proofOf(existing);
  proof.holds();
  return onErrand(existing, { proof });
}

/** An object that the list lacks counts as ours. */
function proofOf(existing: Existing): Proof {
  const { kind, run, id, api } = existing;
  return new Proof(api().clock, async () => {
    const object = await run.lists.oneLately(kind, api(), id);
    if (object !== undefined) await failIfHeld(existing, object);
  });
}

/** Throws where an object, as a list shows it, has another mark than the state remembers. */
export async function failIfHeld(existing: Existing, object: ServiceObject): Promise<void> {
  const { kind, run, id, state, api } = existing;
  let standing = standingIn(existing, object);
  if (standing.is === "held by" && mayLag(api(), state)) {
    // It may show the mark from before this very resource adopted it.
    await untilShown(existing, "changed", async () => {
      const present = await run.lists.oneLately(kind, api(), id, 0);
      standing = present === undefined ? standing : standingIn(existing, present);
      return standing.is === "held by" ? undefined : true;
    });
  }
  if (standing.is === "held by") throw new HeldError(standing.holder);
}

/** After an adoption, waits until a list shows the new mark. The former stack then lets go. */
export async function untilMarkShows(existing: Existing): Promise<void> {
  const { kind, run, id, state, api } = existing;
  await untilShown(existing, "changed", async () => {
    const object = await run.lists.oneLately(kind, api(), id, 0);
    return object === undefined || markDigits(kind, object) === markInState(state) || undefined;
  });
}

/** The late effects of an unanswered create beside the object in the state. Nobody was ever told their ids. */
async function twinsOf(existing: Existing): Promise<ServiceObject[]> {
  const { kind, run, state, api } = existing;
  if (unfinishedIn(state).create === undefined) return [];
  const all = (await run.lists.lately(kind, api())) ?? [];
  return all.filter((object) => standingIn(existing, object).is === "twin");
}

/** Deletes the twins of an object. */
export async function deleteTwins(existing: Existing): Promise<void> {
  const { kind, urn, api } = existing;
  const twins = await twinsOf(existing);
  await Promise.all(
    twins.map(async (twin) => {
      const what = `could not delete ${whatItIs(kind, twin)}`;
      const isDone = await explaining(what, existing, () => kind.delete(api(), twin.id, twin));
      if (isDone) log(urn, `deleted ${whatItIs(kind, twin)}`);
    }),
  );
}

/** Tells which twins the `up` deletes. Returns whether there are any. */
export async function tellTwins(existing: Existing): Promise<boolean> {
  const { kind, run, urn } = existing;
  const twins = await run.look(kind, () => twinsOf(existing), []);
  for (const twin of twins) log(urn, `this update deletes ${whatItIs(kind, twin)}`);
  return twins.length > 0;
}

const whatItIs = (kind: Kind, twin: ServiceObject) =>
  `the ${describe(kind, twin)}: a request without an answer created it beside the one in the state`;
