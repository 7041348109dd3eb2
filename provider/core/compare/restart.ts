import { logOnce } from "../../engine/log";
import type { Differences } from "../../schema/field";
import { hasUnknown, type Properties } from "../../value";
import type { Existing } from "../call";
import type { Kind } from "../kind";
import { mayLag } from "../wait";
import type { Comparison } from "./comparison";

/**
 * The object as it is now, where a restart of it may lose something. As the state has it where the service does not tell, or where its
 * list may lag behind podlumi's own start of the object.
 */
export async function presentOf({ kind, run, id, state, api }: Existing): Promise<Properties> {
  if (kind.data?.lostByRestart === undefined) return state;
  const look = async () => {
    if (mayLag(api(), state) && kind.data?.lostByRestart?.(state) !== undefined) return undefined;
    return run.lists.one(kind, api().impatient(), id);
  };
  return (await run.look(kind, look)) ?? state;
}

/**
 * Tells of an update in place that restarts or stops what runs at present. `writes` names what it writes beside the inputs, in words, by
 * the field that holds it. Of unknown values, each may be as before.
 */
export function tellRestart(
  kind: Kind,
  present: Properties,
  inputs: Properties,
  changes: Differences,
  writes: Readonly<Record<string, string>> = {},
): void {
  const restarts = (name: string) => {
    const { restarts = false } = kind.fields[name] ?? {};
    return typeof restarts === "function" ? restarts(inputs) : restarts;
  };
  const stopping = [...changes.keys()].filter((name) => kind.fields[name]?.stops?.(inputs));
  const fields = [...changes.keys()].filter((name) => restarts(name) || stopping.includes(name));
  const written = Object.keys(writes).filter(restarts);
  const lost = fields.length + written.length === 0 ? undefined : kind.data?.lostByRestart?.(present);
  if (lost === undefined) return;
  const what = [...fields, ...written.map((name) => writes[name])].join(", ");
  const isCertain = written.length > 0 || fields.some((name) => !hasUnknown(inputs[name]));
  const does = stopping.length > 0 ? "stops" : isCertain ? "restarts" : "may restart";
  logOnce(inputs.__urn, `a change of ${what} ${does} the ${kind.noun}: ${lost} is lost`);
}

/** Tells that a replacement loses the same. */
export async function tellReplacement(comparison: Comparison): Promise<void> {
  const { kind, urn, inputs, replaces } = comparison;
  const lost = kind.data?.lostByRestart?.(await presentOf(comparison));
  if (lost === undefined) return;
  const does = replaces.some((name) => !hasUnknown(inputs[name])) ? "replaces" : "may replace";
  logOnce(urn, `a change of ${replaces.join(", ")} ${does} the ${kind.noun}: ${lost} is lost`);
}
