import { logOnce } from "../../engine/log";
import { partsOfUrn } from "../../identity";
import type { Kind } from "../kind/definition";
import type { Run } from "../run";
import type { Properties } from "../value";
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
    fields.templateRevision?.change === "update"
      ? `the ${noun} gets them`
      : `another ${noun} takes its place`;
  const text = `keeps ${kept.join(", ")} as copied from the template ${name}, which changes: with \`templateRevision\`, ${reaches}`;
  logOnce(__urn, text);
}
