import { type Path, propertyPath } from "../../path";
import type { Differences, Field, FieldTable } from "../../schema/field";
import {
  covers,
  filtered,
  isBlank,
  isRecord,
  mapped,
  type Outline,
  outline,
  type Properties,
  without,
} from "../../value";
import type { Observed } from "../kind";
import { stateOf } from "../state/state";
import { differs, hasOwnKeys, removedKeys } from "./diff";

/** An update of an object: its state before, and the fields that were sent because they differed from that. */
export interface Update {
  readonly from: Properties;
  readonly sent: Differences;
}

/** Whether an update sends only the parts of a field that differ from the state, beside what the service has. */
export function keepsPart(field: Field | undefined, value: unknown, before: unknown): boolean {
  return field?.shared === true || (field?.whole !== true && isRecord(value) && isRecord(before));
}

/**
 * The value to send of a field that keeps a part: what differs from the state, and the rest as the service has it. What others
 * made of the rest is drift, which no preview of this update has shown.
 */
export function besidePresent(
  field: Field | undefined,
  observed: unknown,
  value: unknown,
  declared: Outline | undefined,
  before: unknown,
): unknown {
  return field?.shared
    ? sharedMap(observed, value, declared, before)
    : besidePresentKeys(observed, value, before);
}

function besidePresentKeys(observed: unknown, value: unknown, before: unknown): unknown {
  if (!isRecord(value) || !isRecord(before) || !isRecord(observed) || isBlank(observed)) return value;
  const all = mapped(value, (item, key) => {
    const isPresents = !isRecord(item) && covers(before[key], item) && !covers(observed[key], item);
    return isPresents ? observed[key] : besidePresentKeys(observed[key], item, before[key]);
  });
  return filtered(all, (_key, item) => item !== undefined && item !== null);
}

/** All variables of a map that the service replaces as a whole, with the program's changes. */
function sharedMap(
  observed: unknown,
  value: unknown,
  declared: Outline | undefined,
  before: unknown,
): unknown {
  if (!isRecord(value)) return value;
  const present = without(removedKeys(value, declared), isRecord(observed) ? observed : {});
  return { ...present, ...filtered(value, (key, item) => !isRecord(before) || before[key] !== item) };
}

/** The keys that have the same value in both maps. */
function sameKeys(before: unknown, value: unknown): Properties {
  if (!isRecord(before) || !isRecord(value)) return {};
  return filtered(value, (key, item) => before[key] === item);
}

/**
 * The state of an object. After an update, drift of what that has not sent stays out of it, so that a refresh shows it. `note` gets the path of
 * each drift in what the service has returned.
 */
export function stateWithoutDrift(
  fields: FieldTable,
  observed: Observed,
  inputs: Properties,
  before: Properties,
  update: Update | undefined,
  note?: (path: string) => void,
): Properties {
  if (update === undefined) return stateOf(fields, observed, inputs, before);
  const settled = (name: string, present: unknown) =>
    withoutDrift(fields, name, present, inputs[name], update, present === undefined ? undefined : note);
  return stateOf(fields, observed, inputs, before, settled);
}

/**
 * What an update returns of a field, without drift of what it has not sent: that keeps its value in the state. `note` gets the
 * path of each drift.
 */
function withoutDrift(
  fields: FieldTable,
  name: string,
  observed: unknown,
  input: unknown,
  { from, sent }: Update,
  note: (path: string) => void = () => undefined,
): unknown {
  const field = fields[name];
  if (field === undefined || field.writeOnly === true || field.notInBody || input === undefined)
    return observed;
  // Applying what gives settings sends the program's own of them again.
  const isGiven = [...sent.keys()].some((sender) => fields[sender]?.givesSettings?.includes(name));
  if (isGiven || !differs(field, observed, input, outline(input))) return observed;
  if (field.shared) {
    const unsent = sameKeys(from[name], input);
    if (!hasOwnKeys(observed, unsent)) note(name);
    return { ...(observed as object), ...unsent };
  }
  const isSent = sent.has(name);
  const before = from[name] ?? (isSent ? undefined : input);
  if (!field.exact) return withoutDriftAt([name], observed, input, before, isSent, note);
  if (isSent) return observed;
  note(name);
  return before;
}

/** The properties that are not what the program says and that an update has not sent: the drift that stays out of the state. */
export function driftBeside(
  fields: FieldTable,
  observed: Observed,
  inputs: Properties,
  update: Update,
): string[] {
  const found: string[] = [];
  const before = { ...inputs, ...update.from };
  stateWithoutDrift(fields, observed, inputs, before, update, (path) => found.push(path));
  return found;
}

function withoutDriftAt(
  path: Path,
  observed: unknown,
  input: unknown,
  before: unknown,
  isSent: boolean,
  note: (path: string) => void,
): unknown {
  if (isRecord(observed) && isRecord(input) && isRecord(before)) {
    const settled = mapped(input, (item, key) =>
      withoutDriftAt([...path, key], observed[key], item, before[key], isSent, note),
    );
    return { ...observed, ...settled };
  }
  if (covers(observed, input) || (isSent && !covers(before, input))) return observed;
  note(propertyPath(path));
  return before;
}
