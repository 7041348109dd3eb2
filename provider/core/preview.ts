import type { Kind } from "./definition";
import { hasUnknown, isRecord, type Properties, unknownValue } from "./value";

/**
 * The outputs of a resource, as far as a preview knows them. Only the plugin asks: the dynamic provider has no preview of
 * outputs. A preview knows the values that the program gives and, for an
 * existing object, what an update leaves as it is. Everything else is unknown until it is observed.
 */
export function previewOf(
  { fields, stable = [] }: Kind,
  outputs: readonly string[],
  inputs: Properties,
  olds?: Properties,
): Properties {
  const known = (name: string) => {
    const field = fields[name];
    const input = inputs[name];
    if (olds !== undefined && (stable.includes(name) || (field !== undefined && input === undefined)))
      return olds[name];
    if (field === undefined || input === undefined || hasUnknown(input)) return unknownValue;
    // The service adds keys of its own to an object.
    return isRecord(input) && !field.shared ? unknownValue : input;
  };
  return Object.fromEntries(outputs.map((name) => [name, known(name)]));
}
