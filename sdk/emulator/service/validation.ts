import type { z } from "zod";
import { unprocessable } from "./state/problem";

/** Checks a part of a request. Throws a 422 that names every violation in the service's words. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw unprocessable(...missing(result.error.issues), ...result.error.issues.flatMap(sentence));
}

type Issue = z.core.$ZodIssue;

const pathOf = (path: PropertyKey[]) =>
  path.reduce((text: string, key) => text + (typeof key === "number" ? `[${key}]` : `.${String(key)}`), "$");

const quoted = (values: unknown[]) => values.map((value) => `'${String(value)}'`).join(", ");

const isMissing = (issue: Issue) =>
  "input" in issue
    ? issue.input === undefined
    : issue.code === "invalid_type" || issue.code === "invalid_value";

/** One sentence for all missing keys of the same object. */
function missing(issues: Issue[]): string[] {
  const absent = issues
    .filter(isMissing)
    .map(({ path }) => ({ where: pathOf(path.slice(0, -1)), key: path.at(-1) }));
  return [...new Set(absent.map(({ where }) => where))].map((where) => {
    const keys = absent.filter((other) => other.where === where).map(({ key }) => key);
    return `${where}: missing ${keys.length > 1 ? "properties" : "property"} ${quoted(keys)}`;
  });
}

function sentence(issue: Issue): string[] {
  if (isMissing(issue)) return [];
  const where = pathOf(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return [`${where}: additional properties ${quoted(issue.keys)} not allowed`];
    case "invalid_type":
      return [
        `${where}: got ${typeName(issue.input)}, want ${issue.expected === "int" ? "integer" : issue.expected}`,
      ];
    case "invalid_value":
      return [`${where}: value must be one of ${quoted(issue.values)}`];
    case "invalid_union":
      return unionSentence(issue);
    case "too_small":
      return [`${where}: ${bound("min", issue.origin)}: got ${sizeOf(issue.input)}, want ${issue.minimum}`];
    case "too_big":
      return [`${where}: ${bound("max", issue.origin)}: got ${sizeOf(issue.input)}, want ${issue.maximum}`];
    case "invalid_format":
      return [`${where}: ${quoted([issue.input])} does not match ${issue.pattern ?? issue.format}`];
    default:
      return [`${where}: ${issue.message}`];
  }
}

function unionSentence(issue: z.core.$ZodIssueInvalidUnion): string[] {
  const where = pathOf(issue.path);
  const { input, discriminator } = issue;
  if (discriminator && typeof input === "object" && input !== null && !(discriminator in input))
    return [`${pathOf(issue.path.slice(0, -1))}: missing property '${discriminator}'`];
  return [`${where}: value must be one of ${quoted("options" in issue ? (issue.options ?? []) : [])}`];
}

function bound(side: "min" | "max", origin: string): string {
  if (origin === "string") return `${side}Length`;
  if (origin === "array") return `${side}Items`;
  return side === "min" ? "minimum" : "maximum";
}

const sizeOf = (value: unknown) =>
  typeof value === "string" || Array.isArray(value) ? value.length : String(value);

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
