import type { Kind } from "../core/kind/definition";
import { isRecord, isUnknown, type Properties } from "../core/value";

/**
 * The properties of an imported object, with other ones in place of what the service never returns. The state has no outline of that
 * until an update.
 */
export function withUnseen({ fields }: Kind, properties: Properties, others: Properties): Properties {
  const entries = Object.entries(fields).map(([name, { writeOnly }]) => {
    const [present, other] = [properties[name], others[name]];
    if (writeOnly === true) return [name, present ?? other];
    if (writeOnly === undefined || !isRecord(present) || !isRecord(other)) return [name, present];
    const unseen = writeOnly.map((key) => [key, present[key] ?? other[key]]);
    return [name, { ...present, ...withoutUndefined(unseen) }];
  });
  return { ...properties, ...withoutUndefined(entries) };
}

const withoutUndefined = (entries: unknown[][]): Properties =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined));

/** Leaves out unknown values: derived outputs can have one, and the response to an import must not. */
export function withoutUnknown(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnknown(value)));
}
