import type { Advice } from "../core/kind/advice";
import { logOnce } from "../engine/log";
import { partsOfUrn } from "../identity";
import { at } from "../path";
import { isGiven } from "../schema/field";
import { hasUnknown } from "../value";

/** Tells of settings of a template that this run changes: an object keeps its copies, or takes them over by a new `templateRevision`. */
export const tellCopies: Required<Advice>["tellCopies"] = ({ noun, fields }, run, inputs, changes) => {
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
};

/** The template changes a key of the map that the program does not set itself. */
function differsBeside(own: unknown, before: unknown, after: unknown): boolean {
  const keys = Object.keys({ ...Object(before), ...Object(after) });
  return keys.some((key) => at(own, key) === undefined && at(before, key) !== at(after, key));
}
