import { type Context, type Differences, type Field, type FieldTable, fieldFor } from "../../schema/field";
import { keyed, type Properties } from "../../value";
import type { Edit } from "../call";
import { mayLag } from "../call/wait";
import { declaration, wanted } from "../state/declared";
import { inputsOf, stateOf } from "../state/state";
import { unclearFields } from "../state/unclear";
import { changeOf, differences } from "./diff";

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
export async function seenOfUnclear(edit: Edit): Promise<{ seen: Properties; unclear: Differences }> {
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
