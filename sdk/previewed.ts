import * as pulumi from "@pulumi/pulumi";
import { filledIn } from "../provider/schema/shape";
import type { Known } from "./service";

/** An output that no input is. A preview knows it only of a resource that stays as it is. */
export const stateOnly = "__declared";

/**
 * Completes the outputs that are arguments, too. The engine previews no dynamic provider: the outputs of what a preview creates or changes
 * are its arguments, without what the service adds to them.
 */
export function fillIn(resource: object, outputs: object, isAdopted: boolean): void {
  if (!pulumi.runtime.isDryRun()) return;
  const values = resource as Record<string, pulumi.Output<unknown> & Known>;
  const { isKnown: isUnchanged } = values[stateOnly] as Known;
  const filled = Object.entries(outputs)
    .filter(([, filling]) => filling !== undefined)
    .map(([name, filling]) => {
      const complete = async (value: unknown) =>
        (await isUnchanged) ? value : filledIn(filling, value, pulumi.unknown, isAdopted);
      return [name, applied(values[name], complete)];
    });
  Object.assign(resource, Object.fromEntries(filled));
}

/** Also where a part of the value is unknown. Pulumi's own declarations leave this form out. */
function applied(output: unknown, change: (value: unknown) => Promise<unknown>): pulumi.Output<unknown> {
  const whole = output as { apply(change: object, runWithUnknowns: boolean): pulumi.Output<unknown> };
  return whole.apply(change, true);
}
