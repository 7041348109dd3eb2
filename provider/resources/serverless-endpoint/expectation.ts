import * as z from "zod";
import { type Path, propertyPath } from "../../path";
import { isRecord } from "../../value";

/** A keyword: the shape of what it is given, and whether a value satisfies it. */
interface Keyword<Given> {
  readonly schema: z.ZodType<Given>;
  readonly holds: (value: unknown, given: Given) => boolean;
}

const keyword = <Given>(schema: z.ZodType<Given>, holds: Keyword<Given>["holds"]) =>
  ({ schema, holds }) as Keyword<unknown>;

/** Names and meanings are those of JSON Schema. */
const keywords: Record<string, Keyword<unknown>> = {
  $type: keyword(
    z.enum(["string", "number", "integer", "boolean", "object", "array", "null"]),
    (value, type) => typeOf(value) === type || (type === "integer" && Number.isInteger(value)),
  ),
  $pattern: keyword(
    z.string().refine(isPattern, "must be a regular expression"),
    (value, pattern) => typeof value === "string" && new RegExp(pattern, "u").test(value),
  ),
  $minimum: keyword(z.number(), (value, least) => typeof value === "number" && value >= least),
  $maximum: keyword(z.number(), (value, most) => typeof value === "number" && value <= most),
  $minLength: keyword(z.int().min(0), (value, least) => typeof value === "string" && value.length >= least),
  $minItems: keyword(z.int().min(0), (value, least) => Array.isArray(value) && value.length >= least),
  $contains: keyword(
    z.unknown(),
    (value, item) => Array.isArray(value) && value.some((one) => deviations(one, item).length === 0),
  ),
};

/** By its first character: objects of JavaScript have names such as `constructor` without anybody's doing. */
const isKeyword = (name: string) => name.startsWith("$");

/** Any JSON, in which names that begin with `$` are keywords. */
export const expectation = z.unknown().superRefine((expected, context) => {
  const faults = (value: unknown, path: Path): z.core.$ZodSuperRefineIssue[] => {
    if (Array.isArray(value)) return value.flatMap((item, index) => faults(item, [...path, index]));
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      if (!isKeyword(name)) return faults(inner, [...path, name]);
      const schema = keywords[name]?.schema;
      const at = [...path, name];
      if (schema === undefined) {
        const message = `is not a keyword; the keywords are ${Object.keys(keywords).join(", ")}`;
        return [{ code: "custom" as const, input: value, path: at, message }];
      }
      const issues = schema.safeParse(inner).error?.issues ?? [];
      const own = issues.map((issue) => ({ ...issue, path: [...at, ...issue.path] }));
      return name === "$contains" ? faults(inner, at) : (own as z.core.$ZodSuperRefineIssue[]);
    });
  };
  for (const fault of faults(expected, [])) context.addIssue(fault);
});

/**
 * One sentence for each place where a value is not as expected. Objects must have at least the expected properties,
 * lists must match item by item, and everything else must be equal. A sentence names the place of the expectation in
 * the program, but not its value, which can be a secret.
 */
export function deviations(value: unknown, expected: unknown, path: Path = []): string[] {
  const deviation = (...keys: string[]) => [
    `${propertyPath(["output", ...path])} is ${shown(value)}, which does not match ` +
      `${propertyPath(["verify", "expect", ...path, ...keys])}`,
  ];
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return deviation();
    return expected.flatMap((item, index) => deviations(value[index], item, [...path, index]));
  }
  if (!isRecord(expected)) return value === expected ? [] : deviation();
  const rules = Object.entries(expected).filter(([name]) => isKeyword(name));
  const properties = Object.entries(expected).filter(([name]) => !isKeyword(name));
  if (!isRecord(value) && (properties.length > 0 || rules.length === 0)) return deviation();
  return [
    ...rules.flatMap(([name, given]) => (keywords[name]?.holds(value, given) ? [] : deviation(name))),
    ...properties.flatMap(([name, inner]) =>
      deviations(isRecord(value) ? value[name] : undefined, inner, [...path, name]),
    ),
  ];
}

/** The whole value or nothing of it. A part of it may be a part of a secret, which nothing would recognize and mask. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return text.length <= 300 ? text : `of type ${typeOf(value)}, ${text.length} characters of JSON`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
