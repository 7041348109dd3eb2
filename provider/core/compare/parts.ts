import type { Field } from "../../schema/field";
import { covers, filtered, isBlank, isRecord, mapped, type Outline, without } from "../../value";
import { removedKeys } from "./diff";

/** An update sends only the parts that differ from the state, beside what the service has. */
export function keepsPart(field: Field | undefined, value: unknown, before: unknown): boolean {
  return field?.shared === true || (field?.whole !== true && isRecord(value) && isRecord(before));
}

/** Sends what differs from the state, and the rest as the service has it: no preview has shown what others made of that. */
export function besidePresent(
  field: Field | undefined,
  observed: unknown,
  value: unknown,
  declared: Outline | undefined,
  before: unknown,
): unknown {
  if (!field?.shared) return besidePresentKeys(observed, value, before);
  if (!isRecord(value)) return value;
  // The service replaces a map of variables as a whole.
  const present = without(removedKeys(value, declared), isRecord(observed) ? observed : {});
  return { ...present, ...filtered(value, (key, item) => !isRecord(before) || before[key] !== item) };
}

function besidePresentKeys(observed: unknown, value: unknown, before: unknown): unknown {
  if (!isRecord(value) || !isRecord(before) || !isRecord(observed) || isBlank(observed)) return value;
  const all = mapped(value, (item, key) => {
    const isPresents = !isRecord(item) && covers(before[key], item) && !covers(observed[key], item);
    return isPresents ? observed[key] : besidePresentKeys(observed[key], item, before[key]);
  });
  return filtered(all, (_key, item) => item !== undefined && item !== null);
}
