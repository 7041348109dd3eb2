import { log, logOnce } from "../../engine/log";
import type { Comparison } from "./comparison";
import { tellCopied } from "./copied";
import { presentOf, tellRestart } from "./restart";

/** Tells what an update in place does that the fields alone do not show. */
export async function tellUpdate(comparison: Comparison): Promise<void> {
  const { kind, run, urn, inputs, fields, unclear, noted } = comparison;
  const again = [...unclear.keys()].filter((name) => !fields.has(name));
  const sent = new Map([...unclear, ...fields]);
  if (sent.size > 0) tellRestart(kind, await presentOf(comparison), inputs, sent);
  if (again.length > 0) log(urn, unclearNote(again));
  if (noted.length > 0 && fields.size === 0) log(urn, notedNote(noted));
  tellCopied(kind, run, inputs, sent);
  if (kind.naming?.givesValue && [...fields.keys()].some((name) => kind.fields[name]?.writeOnly))
    logOnce(urn, formerValueNote);
}

const unclearNote = (names: readonly string[]) =>
  `sends ${names.join(", ")} again, as the program says: an earlier update had no clear answer`;

const notedNote = (names: readonly string[]) =>
  `only the state changes, to what the program declares (${names.join(", ")}): nothing is sent to the service`;

const formerValueNote =
  "running containers keep the former value until they restart: `runpodctl pod restart` restarts a pod, and a changed variable in env the " +
  "workers of an endpoint";
