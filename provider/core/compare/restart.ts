import { logOnce } from "../../engine/log";
import type { Kind } from "../kind/definition";
import { hasUnknown, type Properties } from "../value";
import type { Differences } from "./diff";

/**
 * Tells of an update in place that restarts what runs. `writes` names what it writes beside the inputs, in words, by the field that holds
 * it. Of unknown values, each may be as before.
 */
export function tellRestart(
  kind: Kind,
  state: Properties,
  inputs: Properties,
  changes: Differences,
  writes: Readonly<Record<string, string>> = {},
): void {
  const restarts = (name: string) => kind.fields[name]?.restarts === true;
  const fields = [...changes.keys()].filter(restarts);
  const written = Object.keys(writes).filter(restarts);
  const lost = fields.length + written.length === 0 ? undefined : kind.lostByRestart?.(state, inputs);
  if (lost === undefined) return;
  const what = [...fields, ...written.map((name) => writes[name])].join(", ");
  const isCertain = written.length > 0 || fields.some((name) => !hasUnknown(inputs[name]));
  const does = isCertain ? "restarts" : "may restart";
  logOnce(inputs.__urn, `a change of ${what} ${does} the ${kind.noun}: ${lost} is lost`);
}
