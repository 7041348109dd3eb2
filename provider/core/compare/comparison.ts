import { isDeepStrictEqual } from "node:util";
import { type Context, type Differences, type Field, type FieldTable, fieldFor } from "../../schema/field";
import { keyed, type Properties } from "../../value";
import type { Edit } from "../call";
import { declaration, wanted } from "../state/declared";
import { internalInputsOf } from "../state/internals";
import { mayLag } from "../state/lag";
import { inputsOf, stateOf } from "../state/state";
import { unclearFields, unfinishedIn } from "../state/unfinished";
import { changeOf, differences, redeclared, replacing } from "./diff";

/** How the object of a state differs from what the program says. */
export interface Comparison extends Edit {
  /** The fields that differ. */
  readonly fields: Differences;
  /** All that an update sends: these, and those that one without a clear answer has sent. */
  readonly sent: Differences;
  /** The fields whose difference replaces the object. */
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
  return { ...edit, fields, sent, replaces: replacing(fields), seen, noted };
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

/** All that an update sends: what differs, and what one without a clear answer has sent. */
export async function changesOf({ kind, state, inputs, api }: Edit): Promise<Differences> {
  const context = { state, inputs, api };
  const unclear = await unclearChanges(kind.fields, context);
  return new Map([...unclear, ...(await differences(kind.fields, context))]);
}

/** The fields that an update without a clear answer sent and that are to be sent again, by the rule of each field. */
async function unclearChanges(fields: FieldTable, context: Context): Promise<Differences> {
  const { state, inputs } = context;
  const found = new Map<string, "update" | "replace">();
  for (const name of unclearFields(state)) {
    const field = fieldFor(fields[name] as Field, inputs);
    const change = await changeOf(field, state[name], inputs[name], context);
    const isSent = field.notInBody || wanted(field, inputs[name], declaration(state)[name]) !== undefined;
    if (change === "replace" || (change === "update" && isSent)) found.set(name, change);
  }
  return found;
}

/** The state with the list's values of these fields, and their changes: a volume that has grown, only a replacement can bring back. */
async function seenOfUnclear(edit: Edit): Promise<{ seen: Properties; unclear: Differences }> {
  const { kind, run, record, id, state, inputs, api } = edit;
  const names = record.isChecked ? unclearFields(state) : [];
  if (names.length === 0) return { seen: state, unclear: new Map() };
  const look = async () => {
    const object = await run.lists.oneLately(kind, api(), id);
    return mayLag(api(), state) ? undefined : object;
  };
  const listed = await run.look(kind, look);
  const present = listed && stateOf(kind.fields, listed, inputsOf(state), state);
  const seen = { ...state, ...(present && keyed(names, (name) => present[name])) };
  return { seen, unclear: await unclearChanges(kind.fields, { state: seen, inputs, api }) };
}
