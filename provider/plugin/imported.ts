import type { Kind } from "../core/kind";
import { defined, isRecord, keyed, mapped, type Properties } from "../value";

/** An imported object, with substitutes for write-only values. The state has no outline of them until an update. */
export function withUnseen({ fields }: Kind, properties: Properties, substitutes: Properties): Properties {
  const all = mapped(fields, ({ writeOnly }, name) => {
    const [present, substitute] = [properties[name], substitutes[name]];
    if (writeOnly === true) return present ?? substitute;
    if (writeOnly === undefined || !isRecord(present) || !isRecord(substitute)) return present;
    return { ...present, ...defined(keyed(writeOnly, (key) => present[key] ?? substitute[key])) };
  });
  return { ...properties, ...defined(all) };
}
