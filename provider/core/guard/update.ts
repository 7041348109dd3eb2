import { ExpectedError } from "../../client/errors";
import { warn } from "../../engine/log";
import { expired, gone } from "../../words/requests";
import type { Comparison } from "../compare/comparison";
import { contradiction } from "../compare/contradiction";
import { presentOf } from "../compare/update-notes";
import { warnIfNameTaken } from "../names/taken-names";
import { failIfHeld } from "../own/object";
import { isExpired, restartsLimit } from "../state/expiry";
import { readShown } from "../state/lag";
import { explaining, title } from "../telling";
import { failAsGone, failIfOfOtherAccount } from "./other-account";

/** Fails when the time limit of the object is over, and the program does not set it anew. */
export async function failIfOver({ fields, ...edit }: Comparison): Promise<void> {
  const { kind, run, id, state, inputs, api } = edit;
  const isOver = () => isExpired(state, run.hearing.now());
  if (inputs.expiresAfter === undefined || restartsLimit(fields, inputs) || !isOver()) return;
  await explaining(`will not continue with ${title(kind, inputs)} (${id})`, edit, async () => {
    // This machine's time may be wrong, and any response tells the service's. After a sweep, there is nothing left to keep.
    if ((await kind.read(api(), id, state)) === undefined) await failAsGone(edit);
    if (isOver()) throw new ExpectedError(expired(state.expiresAfter, state.expiresAt), "PODLUMI-EXPIRED");
  });
}

/** Fails when the service would refuse the update, or it would change what is another's. */
export function failIfRefused(comparison: Comparison): Promise<void> {
  const { kind, id, inputs } = comparison;
  return explaining(`will not change ${title(kind, inputs)} (${id})`, comparison, async () => {
    await failIfHeldWarnIfGone(comparison);
    await failIfContradicting(comparison);
  });
}

async function failIfHeldWarnIfGone(comparison: Comparison): Promise<void> {
  const { kind, run, urn, id, api } = comparison;
  if (kind.single) return;
  const listed = await run.look(kind, async () => ({ object: await run.lists.oneAtFirst(kind, api(), id) }));
  if (listed?.object !== undefined) return failIfHeld(comparison, listed.object);
  const found = listed && (await run.look(kind, async () => ({ object: await readShown(comparison) })));
  if (found === undefined || found.object !== undefined) return;
  await failIfOfOtherAccount(comparison);
  // A killed replacement may have deleted it: then the engine creates another one all the same.
  warn(urn, `the update fails if nothing creates it again: ${gone}`, "PODLUMI-GONE");
}

/** Fails when what the program changes does not fit to what others have set, where the list tells that also without a refresh. */
async function failIfContradicting(comparison: Comparison): Promise<void> {
  const { kind, state, inputs, fields } = comparison;
  const present = { ...state, ...(await presentOf(comparison)) };
  const changes = new Map([...fields].filter(([name]) => present[name] !== inputs[name]));
  const found = contradiction(kind, present, inputs, changes);
  if (found !== undefined) throw new ExpectedError(`${found.property}: ${found.reason}`, "PODLUMI-INVALID");
}

/** Warns of a new name that another object has. */
export async function warnOfTakenName(comparison: Comparison): Promise<void> {
  const { kind, run, id, fields } = comparison;
  if (fields.has("name")) await run.look(kind, () => warnIfNameTaken(comparison, id));
}
