import { isDeepStrictEqual } from "node:util";
import { log, logOnce } from "../../engine/log";
import { partsOfUrn } from "../../identity";
import type { Kind } from "../kind/definition";
import type { Run } from "../run";
import { isRecord, type Properties } from "../value";
import type { Differences } from "./diff";

/**
 * Tells of settings of a template that this run changes, and that an object keeps as they were copied: without `templateRevision`, it
 * gets none of them.
 */
export function tellCopied({ noun, fields }: Kind, run: Run, inputs: Properties, changes: Differences): void {
  const { templateId, templateRevision, __urn } = inputs;
  // Another template is copied anew.
  if (changes.has("templateId") || templateRevision !== undefined || typeof templateId !== "string") return;
  const template = run.owners.known(templateId);
  const { changed = [] } = run.notes(template).compared ?? {};
  const copied = (fields.templateId?.givesSettings ?? []).filter((name) => inputs[name] === undefined);
  const kept = copied.filter((name) => changed.includes(name));
  if (template === undefined || kept.length === 0) return;
  const { name } = partsOfUrn(template);
  const reaches =
    fields.templateRevision?.change === "update" ? `the ${noun} gets them` : `the ${noun} is replaced`;
  const text = `keeps ${kept.join(", ")} as copied from the template ${name}, which changes: with \`templateRevision\`, ${reaches}`;
  logOnce(__urn, text);
}

/**
 * Tells of settings that an object had from its template, and that a refresh finds changed: what the program leaves out is left alone, so
 * that no later `up` shows it.
 */
export function tellCopiedDrift({ fields }: Kind, before: Properties, now: Properties): void {
  const declared = isRecord(before.__declared) ? before.__declared : {};
  if (declared.templateId === undefined) return;
  const copied = (fields.templateId?.givesSettings ?? []).filter((name) => declared[name] === undefined);
  const isOther = (name: string) => before[name] !== undefined && !isDeepStrictEqual(before[name], now[name]);
  const changed = copied.filter(isOther).join(", ");
  const text = `somebody has changed ${changed}, which the template gave: no later up restores it. Declare ${changed} to have it kept`;
  if (changed !== "") log(before.__urn, text);
}
