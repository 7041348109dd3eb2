import { log, logOnce } from "../../engine/log";
import type { Differences } from "../../schema/field";
import { hasUnknown, type Properties } from "../../value";
import type { Existing } from "../call";
import type { Kind } from "../kind";
import { mayLag } from "../state/lag";
import { type Comparison, isUnready } from "./comparison";
import { tellUpdateOfTemplate } from "./copied";

/** Tells what an update in place does that the fields alone do not show. */
export async function tellUpdate(comparison: Comparison): Promise<void> {
  const { kind, urn, id, inputs, fields, sent, noted } = comparison;
  const again = [...sent.keys()].filter((name) => !fields.has(name));
  if (sent.size > 0) tellRestart(kind, await presentOf(comparison), inputs, sent);
  if (again.length > 0) log(urn, unclearNote(again));
  if (noted.length > 0 && fields.size === 0) log(urn, notedNote(noted));
  tellUpdateOfTemplate(comparison, sent);
  if (kind.naming?.givesValue && [...fields.keys()].some((name) => kind.fields[name]?.writeOnly))
    logOnce(urn, formerValueNote);
  if (isUnready(comparison) && fields.size === 0) log(urn, waitsNote(kind.noun, id));
}

const waitsNote = (noun: string, id: string) =>
  `the ${noun} ${id} has not become ready since podlumi last changed it: this update waits for it again`;

const unclearNote = (names: readonly string[]) =>
  `sends ${names.join(", ")} again, as the program says: an earlier update had no clear answer`;

const notedNote = (names: readonly string[]) =>
  `only the state changes, to what the program declares (${names.join(", ")}): nothing is sent to the service`;

const formerValueNote =
  "running containers keep the former value until they restart: `runpodctl pod restart` restarts a pod, and a changed variable in env the " +
  "workers of an endpoint";

/** The object as it is now, for what a restart loses. By the state where the service does not tell, or where its list may lag. */
export async function presentOf({ kind, run, id, state, api }: Existing): Promise<Properties> {
  if (kind.data?.lostByRestart === undefined) return state;
  const look = async () => {
    if (mayLag(api(), state) && kind.data?.lostByRestart?.(state) !== undefined) return undefined;
    return run.lists.oneAtFirst(kind, api(), id);
  };
  return (await run.look(kind, look)) ?? state;
}

/** Tells of an update in place that restarts or stops what runs. `writes` has what it writes beside the inputs, in words, by field. */
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
  const what = [...fields, ...written.map((name) => String(writes[name]))];
  const isCertain = written.length > 0 || fields.some((name) => !hasUnknown(inputs[name]));
  const does = stopping.length > 0 ? "stops" : isCertain ? "restarts" : "may restart";
  logOnce(inputs.__urn, lossNote(what, does, kind, lost));
}

/** Tells that a replacement loses the same. */
export async function tellReplacement(comparison: Comparison): Promise<void> {
  const { kind, urn, inputs, replaces } = comparison;
  const lost = kind.data?.lostByRestart?.(await presentOf(comparison));
  const isCertain = replaces.some((name) => !hasUnknown(inputs[name]));
  if (lost !== undefined)
    logOnce(urn, lossNote(replaces, isCertain ? "replaces" : "may replace", kind, lost));
}

const lossNote = (fields: readonly string[], does: string, { noun }: Kind, lost: string) =>
  `a change of ${fields.join(", ")} ${does} the ${noun}: ${lost} is lost`;
