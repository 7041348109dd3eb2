import { declaration, wanted } from "../kind/declared";
import { type Context, type Differences, type Field, type FieldTable, fieldFor } from "../kind/field";
import { inputsOf, stateOf } from "../kind/state";
import { unsettledFields } from "../kind/unsettled";
import { mayLag } from "../kind/written";
import type { Edit } from "../resource";
import { keyed, type Properties } from "../value";
import { changeOf } from "./diff";

/**
 * The fields that an update without a clear answer sent, and what it needs to set each as the program says: by the rule of the field, as for
 * any other change. What has nothing to send is not among them.
 */
export async function unsettledChanges(fields: FieldTable, context: Context): Promise<Differences> {
  const { state, inputs } = context;
  const found = new Map<string, "update" | "replace">();
  for (const name of unsettledFields(state)) {
    const field = fieldFor(fields[name] as Field, inputs);
    const change = await changeOf(field, state[name], inputs[name], context);
    const isSent = field.notInBody || wanted(field, inputs[name], declaration(state)[name]) !== undefined;
    if (change === "replace" || (change === "update" && isSent)) found.set(name, change);
  }
  return found;
}

/**
 * The state with what the list shows of these fields, and what they need then: only a replacement can bring back some of them, such as the
 * size of a volume that has grown.
 */
export async function seenOfUnsettled(edit: Edit): Promise<{ seen: Properties; open: Differences }> {
  const { kind, run, id, state, inputs } = edit;
  const names = run.notes(inputs.__urn).checked ? unsettledFields(state) : [];
  if (names.length === 0) return { seen: state, open: new Map() };
  const look = async () => {
    const object = await run.lists.one(kind, id);
    return mayLag(run, state) ? undefined : object;
  };
  const listed = await run.look(kind, look);
  const present = listed && stateOf(kind.fields, listed, inputsOf(state), state);
  const seen = { ...state, ...(present && keyed(names, (name) => present[name])) };
  const context = { state: seen, inputs, api: () => run.api() };
  return { seen, open: await unsettledChanges(kind.fields, context) };
}
