import type { Kind } from "./definition";
import type { Differences } from "./diff";
import { hasUnknown, isRecord, type Properties, unknownValue } from "./value";

/**
 * The outputs of a resource, as far as a preview knows them: the values that the program gives and, for an existing
 * object, what an update leaves as it is, with what podlumi computes from them. Everything else is unknown until it is
 * observed. Only the plugin asks, since the dynamic provider has no preview of outputs.
 */
export function previewOf(
  { fields, stable = [], derive }: Kind,
  outputs: readonly string[],
  inputs: Properties,
  before?: { readonly olds: Properties; readonly changed: Differences },
): Properties {
  // A template brings settings of its own.
  const isCopied = before?.changed.has("templateId") || before?.changed.has("templateRevision");
  const known = (name: string) => {
    const field = fields[name];
    const input = inputs[name];
    if (before !== undefined) {
      const stays = field !== undefined && input === undefined && !before.changed.has(name) && !isCopied;
      if (stable.includes(name) || stays) return before.olds[name];
    }
    if (field === undefined || input === undefined || hasUnknown(input)) return unknownValue;
    // The service adds keys of its own to an object.
    return isRecord(input) && !field.shared ? unknownValue : input;
  };
  const previewed = Object.fromEntries(outputs.map((name) => [name, known(name)]));
  return { ...previewed, ...derive?.(inputs, previewed) };
}
