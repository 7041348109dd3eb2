import type { Kind } from "../core/kind";
import { defined, isRecord, keyed, mapped, type Properties } from "../value";

/**
 * The properties of an imported object, with other values for write-only fields. The state has no outline of them until an update.
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
