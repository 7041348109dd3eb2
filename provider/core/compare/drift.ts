import { type Path, propertyPath } from "../../path";
import type { Differences, FieldTable } from "../../schema/field";
import { covers, filtered, isRecord, mapped, outline, type Properties } from "../../value";
import type { Observed } from "../kind";
import { stateOf } from "../state/state";
import { differs, hasOwnKeys } from "./diff";

/** An update of an object: its state before, and the fields that were sent because they differed from that. */
interface Update {
  readonly from: Properties;
  readonly sent: Differences;
}

/** The state of an object, without drift of what an update has not sent, so that a refresh shows that; and the paths of that drift. */
export function stateWithoutDrift(
  fields: FieldTable,
  observed: Observed,
  inputs: Properties,
  before: Properties,
  update: Update | undefined,
): { readonly state: Properties; readonly drift: readonly string[] } {
  if (update === undefined) return { state: stateOf(fields, observed, inputs, before), drift: [] };
  const drift: string[] = [];
  const settled = (name: string, present: unknown) => {
    // What the service leaves out is no drift to tell of.
    const note = (path: Path) => present !== undefined && drift.push(propertyPath(path));
    return withoutDrift(fields, name, present, inputs[name], update, note);
  };
  return { state: stateOf(fields, observed, inputs, before, settled), drift };
}

/** The value of a field for the state: the one from before where the update has not sent it. */
function withoutDrift(
  fields: FieldTable,
  name: string,
  observed: unknown,
  input: unknown,
  { from, sent }: Update,
  note: (path: Path) => void,
): unknown {
  const field = fields[name];
  if (field === undefined || field.writeOnly === true || field.notInBody || input === undefined)
    return observed;
  // Applying what gives settings sends the program's own of them again.
  const isGiven = [...sent.keys()].some((sender) => fields[sender]?.givesSettings?.includes(name));
  if (isGiven || !differs(field, observed, input, outline(input))) return observed;
  if (field.shared) {
    const unsent = sameKeys(from[name], input);
    if (!hasOwnKeys(observed, unsent)) note([name]);
    return { ...(observed as object), ...unsent };
  }
  const isSent = sent.has(name);
  const before = from[name] ?? (isSent ? undefined : input);
  const settled = (path: Path, is: unknown, says: unknown, was: unknown): unknown => {
    if (!field.exact && isRecord(is) && isRecord(says) && isRecord(was))
      return { ...is, ...mapped(says, (item, key) => settled([...path, key], is[key], item, was[key])) };
    const isDone = field.exact ? isSent : covers(is, says) || (isSent && !covers(was, says));
    if (isDone) return is;
    note(path);
    return was;
  };
  return settled([name], observed, input, before);
}

/** The keys that have the same value in both maps. */
function sameKeys(before: unknown, value: unknown): Properties {
  if (!isRecord(before) || !isRecord(value)) return {};
  return filtered(value, (key, item) => before[key] === item);
}
