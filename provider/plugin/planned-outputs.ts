import type { Kind } from "../core/kind";
import type { Differences } from "../schema/field";
import { filledIn } from "../schema/shape";
import { hasUnknown, mapped, type Properties, unknownValue } from "../value";

/** The outputs that a preview knows: given, left alone by an update, filled in from `outputs`, or computed from these. */
export function plannedOutputs(
  { fields, outputs: { stable, derive } }: Kind,
  outputs: Properties,
  inputs: Properties,
  before?: { readonly id: string; readonly olds: Properties; readonly changed: Differences },
): Properties {
  const getsSettings = [...(before?.changed.keys() ?? [])].some((name) => fields[name]?.givesSettings);
  const fixed = before && stable?.(before.olds, inputs);
  const known = (filling: unknown, name: string) => {
    const field = fields[name];
    const input = inputs[name];
    if (before !== undefined) {
      const isSet = field?.givenBy?.some((giver) => before.changed.has(giver)) || before.changed.has(name);
      const stays = field !== undefined && input === undefined && !isSet && !getsSettings;
      if (fixed?.includes(name) || stays) return before.olds[name];
    }
    if (field === undefined || input === undefined || hasUnknown(input)) return unknownValue;
    return filledIn(filling, input, unknownValue, inputs.adopt !== undefined);
  };
  const previewed = mapped(outputs, known);
  return { ...previewed, ...derive?.(inputs, { ...previewed, id: before?.id ?? unknownValue }) };
}
