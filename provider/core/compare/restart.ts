import { logOnce } from "../../engine/log";
import type { Kind } from "../kind/definition";
import type { Differences } from "../kind/field";
import { mayLag } from "../kind/written";
import type { Existing } from "../resource";
import { hasUnknown, type Properties } from "../value";

/**
 * The object as it is now, where a restart of it may lose something. As the state has it where the service does not tell, or where its
 * list may lag behind podlumi's own start of the object.
 */
export async function presentOf({ kind, run, id, state }: Existing): Promise<Properties> {
  if (kind.lostByRestart === undefined) return state;
  const look = async () => {
    if (mayLag(run, state) && kind.lostByRestart?.(state) !== undefined) return undefined;
    return run.lists.one(kind, id);
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
  const lost = fields.length + written.length === 0 ? undefined : kind.lostByRestart?.(present);
  if (lost === undefined) return;
  const what = [...fields, ...written.map((name) => writes[name])].join(", ");
  const isCertain = written.length > 0 || fields.some((name) => !hasUnknown(inputs[name]));
  const does = stopping.length > 0 ? "stops" : isCertain ? "restarts" : "may restart";
  logOnce(inputs.__urn, `a change of ${what} ${does} the ${kind.noun}: ${lost} is lost`);
}
