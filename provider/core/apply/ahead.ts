import { ExpectedError } from "../../client/errors";
import { impatiently } from "../../client/patience";
import { warn } from "../../engine/log";
import { listedKinds } from "../end-lists";
import { traceOf } from "../errors";
import { askAccount, isListedAtFirst } from "../guard/account";
import type { Kind } from "../kind/definition";
import { forEachNamed } from "../kind/references";
import type { Run } from "../run";
import { isRecord, type Properties } from "../value";

/** The input by which a program in TypeScript tells what it creates: the names of the arguments that it gives to each kind. */
export const kindsInput = "__kinds";

/**
 * Begins the looks of all kinds that a program creates, when the first resource that it declares is new: then most others are, too.
 * The engine checks one resource after the other, so that each kind would wait for its own looks.
 */
export function lookAhead(run: Run, inputs: Properties, kinds: unknown): void {
  if (!isRecord(kinds)) return;
  for (const kind of run.kinds) {
    const given = kinds[kind.type];
    if (kind.single || !Array.isArray(given)) continue;
    if (isListedAtFirst(kind, inputs)) begin(() => run.look(kind, () => run.lists.snapshot(kind)));
    if (kind.takes !== undefined) begin(() => askAccount(run));
    for (const name of given) begin(() => impatiently(async () => kind.warnings?.lists[name]?.(run.api())));
  }
}

/** What fails is asked for again where it is needed. A defect is told, since it may be needed nowhere. */
function begin(look: () => Promise<unknown>): void {
  look().catch((error) => {
    if (error instanceof ExpectedError) return;
    warn(undefined, `podlumi could not look ahead: ${traceOf(error)}`, "PODLUMI-DEFECT");
  });
}

/** A refresh that reads so many objects is large. The engine reads at least eight at once, where there are so many. */
const large = 6;

/**
 * Begins lists when a refresh is about to read an object of this kind. With the first object, what the end of the refresh
 * needs. In a large refresh, those of all kinds that a stack may have: the engine does not tell what comes next, and lists that
 * nobody needs cost less there than waiting for one after the other.
 */
export function startLists(run: Run, kind: Kind, state: Properties): void {
  run.atEnd.kindsInState.add(kind);
  const start = (kinds: readonly Kind[]) => {
    for (const one of kinds) begin(async () => one.list(run.api(), Number.POSITIVE_INFINITY));
  };
  if (!run.did.refresh) {
    start(listedKinds(run));
    begin(() => run.states.presentUrn(state.__urn));
  }
  run.did.refresh = true;
  // What an account has once is there in another account, too, and tells nothing at the end.
  if (kind.single) return;
  run.atEnd.refreshed.asked += 1;
  if (run.atEnd.refreshed.asked === large) start(run.kinds.filter(({ single }) => !single));
}

/**
 * The same when a destroy is about to delete an object: with the first one, what the end of the run needs; with each, what the object
 * names, since the engine deletes that next. While they are recent, these lists also tell whose the objects are. So do the states, of
 * what holds data.
 */
export async function startLooksOfDestroy(run: Run, kind: Kind, state: Properties): Promise<void> {
  if (run.did.declare) return;
  const start = (one: Kind) => begin(() => run.lists.lately(one, Number.POSITIVE_INFINITY));
  if (!run.did.delete) {
    listedKinds(run).forEach(start);
    begin(() => run.states.presentUrn(state.__urn));
  }
  if (kind.dataHeld?.(state) !== undefined) startStates(run);
  await forEachNamed(kind, state, (one) => {
    start(one);
    if (one.dataHeld !== undefined) startStates(run);
  });
}

/** Begins to ask for all states, of which a deletion of data asks whether another one has it. */
function startStates(run: Run): void {
  begin(() => run.states.own());
  begin(() => run.states.all());
}
