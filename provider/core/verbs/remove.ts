import { extended, isUnclear } from "../../client/errors";
import { log, warn } from "../../engine/log";
import { mayBeDeleted } from "../../words/requests";
import { resourceInWords } from "../../words/resource";
import { leavesHeld } from "../../words/whose";
import type { Existing } from "../call";
import { failIfOfOtherAccount } from "../guard/other-account";
import { deleteTwins, HeldError, proven } from "../own/object";
import { onceShown } from "../state/lag";
import { explaining, title } from "../telling";

/** Deletes the object of a resource, unless another resource has it by now. */
export async function remove(existing: Existing): Promise<void> {
  const { kind, run, record, urn, id, state } = existing;
  const holder = run.holders.beside(id, urn);
  if (holder !== undefined)
    return log(urn, `keeps the ${kind.noun} ${id}, which ${resourceInWords(holder)} has`);
  if (record.isKept(id)) return log(urn, `keeps the ${kind.noun} ${id}, which this resource has`);
  await explaining(`could not delete ${title(kind, state)} (${id})`, existing, () =>
    removeOwn(existing),
  ).catch((error) => leaveIfHeld(existing, error));
}

async function removeOwn(existing: Existing): Promise<void> {
  const { kind, run, record, urn, id, state, api } = await proven(existing);
  run.holders.note(id, urn);
  const act = () => kind.delete(api(), id, state).catch(failAsUnclear);
  let isDone = await act();
  // The service may not know yet what was created a moment ago.
  if (!isDone && (await onceShown(existing)) !== undefined) isDone = await act();
  if (!isDone) {
    await failIfOfOtherAccount(existing);
    log(urn, `there is no ${kind.noun} ${id} any more`);
  }
  record.noteDeleted(id);
  await deleteTwins(existing);
}

/** Lets go of an object that another resource has adopted. */
function leaveIfHeld({ kind, urn, id }: Existing, error: Error): void {
  const { cause } = error;
  if (!(cause instanceof HeldError)) throw error;
  warn(urn, leavesHeld(kind.noun, id, cause.holder), cause.code);
}

/** Says that an object may be gone. The next up looks only at what differs, so it would not see that. */
function failAsUnclear(error: Error): never {
  if (!isUnclear(error)) throw error;
  throw extended(error, mayBeDeleted);
}
