import { isDeepStrictEqual } from "node:util";
import { log, logOnce } from "../../engine/log";
import { partsOfUrn } from "../../identity";
import { at } from "../../path";
import { type Differences, isGiven } from "../../schema/field";
import { hasUnknown, type Properties } from "../../value";
import type { Edit } from "../call";
import type { Kind } from "../kind";
import { declaration } from "../state/declared";

// A pod, a cluster or an endpoint copies settings from its template, and then leaves them alone.

/** Tells of settings of a template that this run changes: an object keeps its copies, or takes them over by a new `templateRevision`. */
export function tellUpdateOfTemplate(
  { kind: { noun, fields }, run, inputs }: Edit,
  changes: Differences,
): void {
  const { templateId, templateRevision, __urn } = inputs;
  // Another template is copied anew.
  if (changes.has("templateId") || typeof templateId !== "string") return;
  const template = run.holders.of(templateId);
  const { compared, declared } = run.record(template);
  if (template === undefined || compared === undefined) return;
  const isCopied = (name: string) =>
    (inputs[name] === undefined && !isGiven(fields[name], inputs)) ||
    (fields[name]?.shared === true && differsBeside(inputs[name], compared.state[name], declared?.[name]));
  const settings = fields.templateId?.givesSettings ?? [];
  const affected = settings.filter((name) => compared.changed.includes(name) && isCopied(name));
  if (affected.length === 0) return;
  const [what, { name }] = [affected.join(", "), partsOfUrn(template)];
  const isInPlace = fields.templateRevision?.change === "update";
  if (templateRevision === undefined) {
    const reaches = isInPlace ? `the ${noun} gets the new settings` : `the ${noun} is replaced`;
    const keeps = `keeps ${what} as copied from the template ${name}, which changes`;
    logOnce(__urn, `${keeps}: with \`templateRevision\`, ${reaches}`);
  } else if (isInPlace && changes.has("templateRevision") && !hasUnknown(templateRevision))
    logOnce(__urn, `rolls out ${what} of the template ${name}, which changes`);
}

/** The template changes a key of the map that the program does not set itself. */
function differsBeside(own: unknown, before: unknown, after: unknown): boolean {
  const keys = Object.keys({ ...Object(before), ...Object(after) });
  return keys.some((key) => at(own, key) === undefined && at(before, key) !== at(after, key));
}

/** Tells of template settings that a refresh finds changed. The program leaves them out, so no later `up` shows them. */
export function tellDriftOfCopied({ fields }: Kind, before: Properties, now: Properties): void {
  const declared = declaration(before);
  if (declared.templateId === undefined) return;
  const settings = fields.templateId?.givesSettings ?? [];
  const copied = settings.filter((name) => declared[name] === undefined && !isGiven(fields[name], declared));
  const isOther = (name: string) => before[name] !== undefined && !isDeepStrictEqual(before[name], now[name]);
  // The program declares a setting in one form: the first one says all of it.
  const others = copied.filter(isOther);
  const isSaid = (name: string, index: number) =>
    fields[name]?.givenBy?.some((giver) => others.slice(0, index).includes(giver));
  const changed = others.filter((name, index) => !isSaid(name, index)).join(", ");
  const text = `somebody has changed ${changed}, which the template gave: no later up restores it. Declare ${changed} to have it kept`;
  if (changed !== "") log(before.__urn, text);
}
