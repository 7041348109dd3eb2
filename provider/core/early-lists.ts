import type { Kind, ServiceObject } from "./definition";
import { forEachNamed } from "./references";
import { type Run, recent } from "./run";
import type { Properties } from "./value";

/** A refresh that reads so many objects is large. The engine reads at least eight at once, where there are so many. */
const large = 6;

/**
 * Begins lists before they are needed, when a refresh is about to read an object of this kind. With the first object, those that
 * the end of the refresh needs. In a large refresh, those of all kinds that a stack may have: the engine does not tell what comes
 * next, and lists that nobody needs cost less there than waiting for one after the other.
 */
export function startLists(run: Run, kind: Kind): void {
  run.did.refresh = true;
  run.kindsInState.add(kind);
  run.reads += 1;
  if (run.reads === 1) start(run, listedKinds(run));
  const all = run.kinds.filter(({ single }) => !single);
  if (run.reads === large) start(run, all);
}

function start(run: Run, kinds: readonly Kind[]): void {
  for (const kind of kinds) {
    const list = async () => kind.list(run.api(), Number.POSITIVE_INFINITY);
    // One that fails is asked for again at the end.
    list().catch(() => undefined);
  }
}

/**
 * The same when a destroy is about to delete an object: with the first one, what the end of the run needs; with each, what the object
 * names, since the engine deletes that next. While they are recent, these lists also tell whose the objects are.
 */
export async function startListsOfDestroy(run: Run, kind: Kind, state: Properties): Promise<void> {
  if (run.did.declare) return;
  const begin = (one: Kind) => void run.lately(one, Number.POSITIVE_INFINITY).catch(() => undefined);
  if (!run.did.delete) listedKinds(run).forEach(begin);
  await forEachNamed(kind, state, begin);
}

/** The kinds in the state, and every kind that costs money. */
export function listedKinds(run: Run): Kind[] {
  return run.kinds.filter((kind) => kind.bills || run.kindsInState.has(kind));
}

/**
 * The list of a kind at the end of a run. After a refresh any list of this run will do. After a delete, what costs money is listed
 * anew unless the list is recent.
 */
export function listOf(run: Run, kind: Kind): Promise<ServiceObject[] | undefined> {
  if (!run.did.delete) return kind.list(run.api(), Number.POSITIVE_INFINITY);
  return kind.bills ? kind.list(run.api(), recent) : run.lately(kind, Number.POSITIVE_INFINITY);
}
