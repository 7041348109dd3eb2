import { onBehalfOf } from "../engine/log";
import type { Kind, Observed } from "./definition";
import { explain, NotReadyError } from "./errors";
import { markDigits } from "./ownership";
import type { Run } from "./run";
import { internalsOf, stateOf, visibleInputs } from "./state";
import { title } from "./telling";
import type { OpenCreate } from "./twins";
import type { Properties } from "./value";

interface Context {
  /** The state as it was; nothing after a create. */
  readonly before?: Properties;
  /** The open end of the create call. */
  readonly unanswered?: OpenCreate | undefined;
}

/** Finishes an object whose id is known, and returns its state: whatever fails from here on, the state keeps it. */
export async function finish(
  kind: Kind,
  run: Run,
  id: string,
  inputs: Properties,
  wanted: Properties,
  observed: Observed,
  { before = {}, unanswered }: Context,
): Promise<Properties> {
  const isNew = Object.keys(before).length === 0;
  const kept = internalsOf({
    ...inputs,
    __made: isNew ? new Date(run.api().now()).toISOString() : before.__made,
    __mark: markDigits(kind, observed) ?? before.__mark,
    __asked: kind.dataHeld && visibleInputs(kind.fields, inputs),
    __unanswered: unanswered ?? before.__unanswered,
  });
  const state = (seen: Observed) => ({
    ...stateOf(kind.fields, seen, inputs, { ...inputs, ...before }),
    ...kept,
  });
  try {
    const { makeReady = () => observed } = kind;
    return state(
      await onBehalfOf(inputs.__urn, async () => makeReady(run.api(), id, wanted, observed, before)),
    );
  } catch (error) {
    const last = error instanceof NotReadyError ? error.observed : observed;
    const what = `${title(kind, inputs)} (${id}) exists but is not ready`;
    const { message } = explain(error, what, kind.fields, inputs);
    const properties = { ...state(last), __provider: inputs.__provider };
    throw Object.assign(new Error(message), { id, properties, reasons: [message] });
  }
}
