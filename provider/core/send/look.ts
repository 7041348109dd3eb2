import { covers, isRecord } from "../../value";
import type { Existing } from "../call";
import { failAsGone } from "../guard/other-account";
import type { Observed } from "../kind";
import { failIfHeld } from "../own/object";
import { mayLag, readShown, untilShown } from "../state/lag";
import { inputsOf, stateOf } from "../state/state";
import { unfinishedIn } from "../state/unfinished";

/** The object, also where the service shows it only after a while. Fails when it is gone. */
export async function readThere(existing: Existing): Promise<Observed> {
  return (await readShown(existing)) ?? failAsGone(existing);
}

/**
 * The object by a read. For some `parts` of it, the list of a moment ago will do. Both may lag behind podlumi's own last request, so as long as
 * they may, an answer counts only when it has what the state has.
 */
export async function readPresent(
  call: Existing & { readonly rewritesMark?: boolean },
  parts?: readonly string[],
): Promise<Observed> {
  const { kind, id, state, rewritesMark, api } = call;
  let last = (parts && (await listedNow(call, parts))) ?? (await readThere(call));
  const isUsable = () => !mayLag(api(), state) || showsState(call, parts ?? Object.keys(kind.fields), last);
  if (!isUsable())
    await untilShown(call, "changed", async () => {
      last = await readThere(call);
      return isUsable() || undefined;
    });
  // With another resource's mark, the update would send that again.
  if (!rewritesMark) await failIfHeld(call, { ...last, id });
  return last;
}

/** The object as the list of a moment ago has it, where that shows all that is asked for. */
async function listedNow(
  { kind, run, id, api }: Existing,
  parts: readonly string[],
): Promise<Observed | undefined> {
  const listed = await run.lists.oneLately(kind, api(), id);
  const isWhole = isRecord(listed?.env) && parts.every((name) => listed?.[name] !== undefined);
  return isWhole ? listed : undefined;
}

/** A response has these fields and the variables as the state has them, as far as that tells. */
function showsState({ kind, state }: Existing, parts: readonly string[], seen: Observed): boolean {
  const asState = stateOf(kind.fields, seen, inputsOf(state), state);
  const unsettled = (unfinishedIn(state).isNotReady && kind.readiness?.unsettled) || [];
  const settled = [...parts, "env", "expiresAt"].filter((name) => !unsettled.includes(name));
  return settled.every((name) => covers(asState[name], state[name]));
}
