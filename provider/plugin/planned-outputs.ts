import type { Run } from "../core/call/run";
import type { Kind } from "../core/kind";
import { withSecrets } from "../core/state/secret-value";
import { secretOutputs } from "../core/state/secrets";
import type { Differences } from "../schema/field";
import { filledIn } from "../schema/shape";
import { hasUnknown, mapped, type Properties, unknownValue } from "../value";

/** The outputs that a preview knows: given, left alone by an update, filled in by the kind, or computed from these. */
export function plannedOutputs(
  kind: Kind,
  run: Run,
  inputs: Properties,
  before?: { readonly id: string; readonly olds: Properties; readonly changed: Differences },
): Properties {
  const { fields, outputs } = kind;
  const getsSettings = [...(before?.changed.keys() ?? [])].some((name) => fields[name]?.givesSettings);
  const known = (filling: unknown, name: string) => {
    const field = fields[name];
    const input = inputs[name];
    if (before !== undefined) {
      const isSet = field?.givenBy?.some((giver) => before.changed.has(giver)) || before.changed.has(name);
      const stays = field !== undefined && input === undefined && !isSet && !getsSettings;
      const isStable = name === "createdAt" || outputs.stable?.(before.olds, inputs).includes(name);
      if (isStable || stays) return before.olds[name];
    }
    if (field === undefined || input === undefined || hasUnknown(input)) return unknownValue;
    return filledIn(filling, input, unknownValue, inputs.adopt !== undefined);
  };
  const previewed = mapped(outputs.shape.outputs, known);
  const derived = outputs.derive?.(inputs, { ...previewed, id: before?.id ?? unknownValue });
  return withSecrets({ ...previewed, ...derived }, secretOutputs(kind, run, inputs));
}
