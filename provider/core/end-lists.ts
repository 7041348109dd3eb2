import { recent } from "../client/proof";
import type { Kind, ServiceObject } from "./kind/definition";
import type { Run } from "./run";

/** The kinds that the end of a run lists: those in the state, and every one that costs money. */
export function listedKinds(run: Run): Kind[] {
  return run.kinds.filter((kind) => kind.bills || run.atEnd.kindsInState.has(kind));
}

/**
 * The list of a kind at the end of a run. After a refresh any list of this run will do. After a delete, what costs money is listed
 * anew unless the list is recent.
 */
export function listOf(run: Run, kind: Kind): Promise<ServiceObject[] | undefined> {
  if (!run.did.delete) return kind.list(run.api(), Number.POSITIVE_INFINITY);
  return kind.bills ? kind.list(run.api(), recent) : run.lists.lately(kind, Number.POSITIVE_INFINITY);
}
