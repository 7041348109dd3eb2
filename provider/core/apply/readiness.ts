import { mayHaveActed } from "../../client/errors";
import type { Proof } from "../../client/proof";
import { log, onBehalfOf } from "../../engine/log";
import { driftBeside, stateWithoutDrift, type Update } from "../compare/drift";
import { explain, leaving, NotReadyError } from "../errors";
import { declaration } from "../kind/declared";
import type { Kind, Observed } from "../kind/definition";
import type { Differences } from "../kind/field";
import { markAfterUpdate, markDigits } from "../kind/ownership";
import {
  accountId,
  internalsOf,
  ofEmulator,
  origin,
  originOf,
  stackName,
  uncleared,
  unready,
  visibleInputs,
} from "../kind/state";
import { unsettledFields, unsettledIn } from "../kind/unsettled";
import { type Written, writtenBetween } from "../kind/written";
import { anotherOwnerError, proofOfMark } from "../owner/another-owner";
import { stackNameOf } from "../owner/held-elsewhere";
import type { OpenCreate } from "../owner/open-create";
import type { Edit } from "../resource";
import { title } from "../telling";
import { filtered, isEmpty, type Properties } from "../value";

/** What a create or an update has left. `state` is that before the update, and empty after a create. */
export interface Outcome extends Edit {
  /** Everything that was asked of the service. */
  readonly wanted: Properties;
  /** The last response. */
  readonly observed: Observed;
  /** The fields that the update sent; absent after a create. */
  readonly sent?: Differences;
  /** What was written into an object that existed already. */
  readonly written?: Written | undefined;
  /** The create call, if some of its requests had no clear answer. */
  readonly unanswered?: OpenCreate | undefined;
  /** Waits until the stack that had an adopted object can see that. */
  readonly untilMarkShows?: (() => Promise<void>) | undefined;
  /** Seconds to wait at most. It overrides `waitTimeout` of the inputs. */
  readonly timeout?: number | undefined;
}

/**
 * Whether an update has to make the object ready though no field differs. The state keeps that, since a refresh makes everything else
 * in it equal to the program.
 */
export function isUnready(kind: Kind, state: Properties, inputs: Properties): boolean {
  return state[unready] === true || kind.isUnproven?.(state, inputs) === true;
}

/**
 * Makes an object ready and returns its state. When that fails, the error carries the state, so the engine keeps the
 * object.
 */
export async function finish(outcome: Outcome): Promise<Properties> {
  const { kind, run, id, state: before, inputs, wanted, observed, timeout } = outcome;
  // A refresh and a destroy with another account's key find nothing. By this, they know why.
  const account = before[accountId] ?? (await run.patienceForAccount.inTime(run.account()));
  const kept = keptOf(outcome, account);
  const within = timeout === undefined ? wanted : { ...wanted, waitTimeout: timeout };
  const proof = proofBefore(outcome, kept);
  try {
    const { makeReady = () => observed } = kind;
    const ready = await onBehalfOf(inputs.__urn, async () => {
      await outcome.untilMarkShows?.();
      return proof.during(async () => makeReady(run.api(), id, within, observed, before));
    });
    noteDrift(outcome, ready);
    return stateAfter(outcome, kept, ready, true);
  } catch (error) {
    noteDrift(outcome, observed);
    throw notReady(outcome, kept, error);
  }
}

/** podlumi's own keys in the state, but for when it last wrote into the object. */
function keptOf(
  { kind, run, state: before, inputs, observed, unanswered }: Outcome,
  account: unknown,
): Properties {
  const isNew = isEmpty(before);
  return internalsOf({
    ...inputs,
    __made: isNew ? run.timestamp() : before.__made,
    [origin]: originOf(kind, inputs, before),
    __mark: isNew ? markDigits(kind, observed) : markAfterUpdate(kind, before, inputs),
    [stackName]: stackNameOf(inputs.__urn),
    __asked: kind.dataHeld && visibleInputs(kind.fields, inputs),
    __unanswered: unanswered ?? before.__unanswered,
    [accountId]: account,
    [ofEmulator]: run.isEmulated || undefined,
  });
}

/** What makes it ready can wait for long, as for room on a host, and change the object then. */
function proofBefore(outcome: Outcome, kept: Properties): Proof {
  const { written, state: before } = outcome;
  const state = { ...kept, ...internalsOf({ __written: written ?? before.__written }) };
  return proofOfMark({ ...outcome, state }, (object) => anotherOwnerError(outcome, object));
}

function stateAfter(outcome: Outcome, kept: Properties, seen: Observed, isReady: boolean): Properties {
  const { kind, run, state: before, inputs, observed, written } = outcome;
  const lastWritten = writtenBetween(run, kind, observed, seen) ?? written ?? before.__written;
  const state = stateWithoutDrift(kind.fields, seen, inputs, { ...inputs, ...before }, updateOf(outcome));
  // Nothing but a replacement takes back some of what an update without a clear answer was to add.
  const staysDeclared = (name: string) => !isReady || unsettledFields(before).includes(name);
  const left = filtered(uncleared(kind.fields, state, before), staysDeclared);
  return {
    ...state,
    __declared: { ...left, ...declaration(state) },
    ...kept,
    ...internalsOf({ __written: lastWritten, [unready]: isReady ? undefined : true }),
  };
}

/** The error for an object that is not ready, with the state that is kept of it. */
function notReady(outcome: Outcome, kept: Properties, error: unknown): Error {
  const { kind, run, id, state: before, inputs, observed } = outcome;
  const last = error instanceof NotReadyError ? error.observed : observed;
  const what = `${title(kind, inputs)} (${id}) exists but is not ready`;
  const { message } = explain(error, what, kind.fields, inputs, before);
  const state = stateAfter(outcome, kept, last, false);
  const open = unsettledIn(run, state, openIn(outcome, error), inputs);
  return leaving(message, id, { ...state, ...open, __provider: inputs.__provider });
}

/** What a request without a clear answer may have changed: what the bodies of a create and an update do not have, such as a start. */
function openIn({ kind, inputs, sent }: Outcome, error: unknown): string[] {
  if (!mayHaveActed(error) && !(error instanceof Error && mayHaveActed(error.cause))) return [];
  const asked = sent === undefined ? Object.keys(inputs) : [...sent.keys()];
  const isMoved = (name: string) => kind.fields[name]?.notInBody && !kind.fields[name]?.writeOnly;
  return asked.filter(isMoved);
}

/** The update that was sent; undefined after a create. */
function updateOf({ state: from, sent }: Outcome): Update | undefined {
  return sent && { from, sent };
}

/** Tells what others have changed, and the update has not sent. */
function noteDrift(outcome: Outcome, seen: Observed): void {
  const { kind, inputs } = outcome;
  const update = updateOf(outcome);
  const drift = update === undefined ? [] : driftBeside(kind.fields, seen, inputs, update);
  if (drift.length > 0) log(inputs.__urn, driftNote(drift));
}

/** Nothing else tells of it before the next refresh, as when an earlier update had no answer and took effect all the same. */
function driftNote(names: readonly string[]): string {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names.join(", ")} ${are} not what the program says, and not part of this update: \`pulumi refresh\` shows ${them}`;
}
