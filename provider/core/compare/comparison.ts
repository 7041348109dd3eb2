import { isDeepStrictEqual } from "node:util";
import type { Differences } from "../../schema/field";
import type { Properties } from "../../value";
import type { Edit } from "../call";
import { internalInputsOf, unfinishedIn } from "../state/internals";
import { inputsOf } from "../state/state";
import { differences, redeclared, replacing } from "./diff";
import { seenOfUnclear } from "./unclear";

/** How the object of a state differs from what the program says. */
export interface Comparison extends Edit {
  /** The fields that differ. */
  readonly fields: Differences;
  /** Those that an update without a clear answer has sent. The next one sends them again. */
  readonly unclear: Differences;
  /** Those whose difference replaces the object. */
  readonly replaces: readonly string[];
  /** The state, with what the list shows of the unclear fields. */
  readonly seen: Properties;
  /** Unchanged values that became declared. Saved, so that removing them later clears them. */
  readonly noted: readonly string[];
}

export async function compare(edit: Edit): Promise<Comparison> {
  const { kind, record, state, inputs, api } = edit;
  const context = { state, inputs, api };
  const found = await differences(kind.fields, context);
  const { seen, unclear } = await seenOfUnclear(edit);
  const lost = [...unclear].filter(([, change]) => change === "replace");
  const fields: Differences = new Map([...lost, ...found]);
  const sent = new Map([...unclear, ...fields]);
  const noted = record.isChecked ? await redeclared(kind.fields, context, sent) : [];
  return { ...edit, fields, unclear, replaces: replacing(fields), seen, noted };
}

/** The object has to become ready though no field differs. A refresh makes everything else in the state equal to the program. */
export function isUnready({ kind, state, inputs }: Comparison): boolean {
  return unfinishedIn(state).isNotReady === true || kind.readiness?.isUnproven?.(state, inputs) === true;
}

/** The engine finds the change in the inputs by itself: it shows it, and applies `replaceOnChanges`, but would show podlumi's own keys, too. */
export function showsInInputs({ record, state, inputs, fields, replaces }: Comparison): boolean {
  if (!isDeepStrictEqual(internalInputsOf(record.before ?? inputs), internalInputsOf(inputs))) return false;
  const before = record.before ?? inputsOf(state);
  const isEdited = [...fields.keys()].some((name) => !isDeepStrictEqual(before[name], inputs[name]));
  return isEdited || (fields.size > 0 && replaces.length === 0);
}
