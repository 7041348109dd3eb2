import { log, onBehalfOf } from "../../engine/log";
import { type Differences, declaration } from "../compare/diff";
import { explain, leaving, NotReadyError } from "../errors";
import type { Kind, Observed } from "../kind/definition";
import {
  driftBeside,
  internalsOf,
  ofEmulator,
  origin,
  originOf,
  stackName,
  stateOf,
  uncleared,
  unready,
  visibleInputs,
} from "../kind/state";
import { type Written, writtenBetween } from "../kind/written";
import { anotherOwnerError, markAfterUpdate, proofOfMark, stackNameOf } from "../owner/another-owner";
import { markDigits } from "../owner/ownership";
import type { OpenCreate } from "../owner/twins";
import type { Run } from "../run";
import { title } from "../telling";
import type { Properties } from "../value";

interface Context {
  /** The state before the update; absent after a create. */
  readonly oldState?: Properties;
  /** The fields that the update sent; absent after a create. */
  readonly sent?: Differences;
  /** What was written into an object that existed already. */
  readonly written?: Written | undefined;
  /** The create call, if some of its requests had no clear answer. */
  readonly unanswered?: OpenCreate | undefined;
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
export async function finish(
  kind: Kind,
  run: Run,
  id: string,
  inputs: Properties,
  wanted: Properties,
  observed: Observed,
  { oldState = {}, sent, written, unanswered, timeout }: Context,
): Promise<Properties> {
  const isNew = Object.keys(oldState).length === 0;
  const kept = internalsOf({
    ...inputs,
    __made: isNew ? new Date(run.api().now()).toISOString() : oldState.__made,
    [origin]: originOf(kind, inputs, oldState),
    __mark: isNew ? markDigits(kind, observed) : markAfterUpdate(kind, oldState, inputs),
    [stackName]: stackNameOf(inputs.__urn),
    __asked: kind.dataHeld && visibleInputs(kind.fields, inputs),
    __unanswered: unanswered ?? oldState.__unanswered,
    [ofEmulator]: run.isEmulated || undefined,
  });
  const state = (seen: Observed) => ({
    ...stateOf(kind.fields, seen, inputs, { ...inputs, ...oldState }, sent && { from: oldState, sent }),
    ...kept,
    ...internalsOf({
      __written: writtenBetween(run, kind, observed, seen) ?? written ?? oldState.__written,
    }),
  });
  const noteDrift = (seen: Observed) => {
    const drift = sent ? driftBeside(kind.fields, seen, inputs, { from: oldState, sent }) : [];
    if (drift.length > 0) log(inputs.__urn, driftNote(drift));
  };
  // What makes it ready can wait for long, as for room on a host, and change the object then.
  const marked = { ...kept, ...internalsOf({ __written: written ?? oldState.__written }) };
  const proof = proofOfMark(kind, run, id, marked, (object) =>
    anotherOwnerError(kind, run, object, inputs.__urn),
  );
  const within = timeout === undefined ? wanted : { ...wanted, waitTimeout: timeout };
  try {
    const { makeReady = () => observed } = kind;
    const ready = await onBehalfOf(inputs.__urn, () =>
      proof.during(async () => makeReady(run.api(), id, within, observed, oldState)),
    );
    noteDrift(ready);
    return state(ready);
  } catch (error) {
    noteDrift(observed);
    const last = error instanceof NotReadyError ? error.observed : observed;
    const what = `${title(kind, inputs)} (${id}) exists but is not ready`;
    const { message } = explain(error, what, kind.fields, inputs, oldState);
    const left = { ...state(last), [unready]: true };
    const properties = {
      ...left,
      __declared: { ...uncleared(kind.fields, left, oldState), ...declaration(left) },
      __provider: inputs.__provider,
    };
    throw leaving(message, id, properties);
  }
}

/** Nothing else tells of it before the next refresh, as when an earlier update had no answer and took effect all the same. */
function driftNote(names: readonly string[]): string {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names.join(", ")} ${are} not what the program says, and not part of this update: \`pulumi refresh\` shows ${them}`;
}
