import type { Kind } from "../core/kind";
import { defined, filtered, isRecord, isUnknown, keyed, mapped, type Properties } from "../value";

/**
 * The properties of an imported object, with other ones in place of what the service never returns. The state has no outline of that
 * until an update.
 */
export function withUnseen({ fields }: Kind, properties: Properties, others: Properties): Properties {
  const all = mapped(fields, ({ writeOnly }, name) => {
    const [present, other] = [properties[name], others[name]];
    if (writeOnly === true) return present ?? other;
    if (writeOnly === undefined || !isRecord(present) || !isRecord(other)) return present;
    return { ...present, ...defined(keyed(writeOnly, (key) => present[key] ?? other[key])) };
  });
  return { ...properties, ...defined(all) };
}

/** Leaves out unknown values: derived outputs can have one, and the response to an import must not. */
export function withoutUnknown(properties: Properties): Properties {
  return filtered(properties, (_name, value) => !isUnknown(value));
}
