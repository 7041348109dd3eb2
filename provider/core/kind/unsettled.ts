import { usualEffect } from "../../client/policy";
import type { Run } from "../run";
import { isRecord, keyed, outline, type Properties, without } from "../value";
import { declaration } from "./declared";
import type { FieldTable } from "./field";
import { inputsOf, unsettled } from "./state";

// An update without a clear answer may take effect late. The state keeps which fields it sent, and the next update sends them again.

/** What the state keeps of updates without a clear answer: when the last one failed, and the fields that they sent. */
interface Unsettled {
  readonly at: string;
  readonly fields: readonly string[];
}

const nothing: Unsettled = { at: "", fields: [] };

function unsettledOf({ [unsettled]: kept }: Properties): Unsettled {
  return isRecord(kept) ? (kept as unknown as Unsettled) : nothing;
}

/** The fields of which nobody knows what the object has. */
export function unsettledFields(state: Properties): readonly string[] {
  return unsettledOf(state).fields;
}

/** When the last such update failed, in milliseconds since the epoch. */
export function unsettledAt(state: Properties): number {
  return Date.parse(unsettledOf(state).at) || 0;
}

/** A state without these fields: nothing of them counts as equal. */
export function withoutUnsettled(state: Properties): Properties {
  return without(unsettledFields(state), state);
}

/** What a state keeps of an update without a clear answer. The object may have what the program gave: it counts as declared. */
export function unsettledIn(
  run: Run,
  state: Properties,
  open: readonly string[],
  news: Properties,
): Properties {
  if (open.length === 0) return {};
  const before = declaration(state);
  const given = open.filter((name) => news[name] !== undefined);
  const declared = keyed(given, (name) => beside(outline(news[name]), before[name]));
  const kept: Unsettled = {
    at: run.timestamp(),
    fields: [...new Set([...unsettledFields(state), ...open])],
  };
  return { [unsettled]: kept, __declared: { ...before, ...declared } };
}

/** What counts as the inputs of a state that is read again: also what such an update was to add. The object may have it by now. */
export function inputsBeforeRead(fields: FieldTable, state: Properties): Properties {
  const inputs = inputsOf(state);
  const declared = declaration(state);
  const told = unsettledFields(state).filter((name) => name in declared && !fields[name]?.writeOnly);
  return { ...inputs, ...keyed(told, (name) => beside(declared[name], inputs[name])) };
}

/** The second value, with the keys of the first that it does not have. */
function beside(more: unknown, value: unknown): unknown {
  return isRecord(more) && isRecord(value) ? { ...more, ...value } : (value ?? more);
}

/** What a state keeps of it after a read: what no read tells, once the update has taken effect or never will. */
export function unsettledAfterRead(run: Run, fields: FieldTable, state: Properties): Properties {
  const isOver = run.api().now() - unsettledAt(state) > usualEffect;
  const open = unsettledFields(state).filter((name) => !isOver || fields[name]?.writeOnly);
  return { [unsettled]: open.length === 0 ? undefined : { ...unsettledOf(state), fields: open } };
}
