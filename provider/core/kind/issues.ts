import * as z from "zod";
import { deferred } from "../../deferred";
import { nearestProperty, oneOf } from "../../did-you-mean";
import { at, type Path, propertyPath } from "../path";
import { isRecord, isUnknown, type Properties } from "../value";
import type { Failure } from "./check";
import { type Field, isDiscreet } from "./field";
import { formerName } from "./former-names";
import { placeOfOption } from "./resource-options";

type Issue = z.core.$ZodIssue;
type Checked = Pick<Field, "schema" | "sensitive" | "shared" | "givenBy">;

/**
 * The failures of an issue that zod has found, in words. `parent` is the place that its path begins at. A value that nobody knows yet is
 * none.
 */
export function failuresOf(
  issue: Issue,
  parent: Path,
  inputs: Properties,
  fields: Record<string, Checked>,
): Failure[] {
  const path = [...parent, ...issue.path];
  if (path.some((_key, index) => isUnknown(at(inputs, ...path.slice(0, index + 1))))) return [];
  if (issue.code === "unrecognized_keys") {
    const names = knownKeys(path, fields, inputs);
    const nested = path.length === 0 ? nestedKeys(fields) : [];
    const meant = (key: string) =>
      path.length === 0
        ? placeOfOption(key) || formerName(key, names)
        : typeWith(key, schemaAt(path, fields, inputs));
    return issue.keys.map((key) => ({
      property: propertyPath([...path, key]),
      reason: `unknown property "${key}"${meant(key) || nearestProperty(key, names, nested)}`,
      code: "PODLUMI-UNKNOWN-PROPERTY",
    }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return (issue.errors[0] as Issue[]).flatMap((inner) => failuresOf(inner, path, inputs, fields));
  }
  const value = at(inputs, ...path);
  const field = fields[String(path[0])];
  const hidden = field !== undefined && isDiscreet(field);
  const wanted = () => {
    if (issue.code !== "invalid_type") return "";
    if (value === undefined) return formMissing(schemaAt(path, fields, inputs));
    if (issue.expected === "record") return `: write { NAME: "value" }`;
    const lists = Array.isArray(value) && issue.expected === "string" ? listsFor(field, fields) : [];
    if (lists.length > 0) return `: write a list as ${lists.join(" or ")}`;
    if (hidden) return textFor(value, issue.expected);
    if (issue.expected === "string") return quotedFor(value, schemaAt(path, fields, inputs));
    if (issue.expected === "array" && typeof value === "string")
      return `: write ${JSON.stringify(field?.givenBy?.includes("args") ? wordsOf(value) : value.split(/\s*,\s*/))}`;
    return formFor(value, issue.expected, knownKeys(path, fields, inputs), schemaAt(path, fields, inputs));
  };
  return [{ property: propertyPath(path), reason: `${sentence(issue, value, hidden)}${wanted()}` }];
}

function sentence(issue: Issue, value: unknown, hidden: boolean): string {
  const isShown = value === null || (!hidden && value !== undefined && typeof value !== "object");
  const got = isShown ? `, not ${typeof value === "string" ? JSON.stringify(value) : value}` : "";
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return "is required";
      return `must be ${typeInWords(issue.expected)}${got}`;
    case "invalid_value":
      return `${value === undefined ? "is required:" : "must be"} ${oneOf(issue.values)}${got}`;
    case "invalid_key":
      return "needs a name";
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      if (issue.origin === "array") return `needs at least ${amount(Number(issue.minimum))}`;
      return `must be at least ${issue.minimum}${got}`;
    case "too_big":
      if (issue.origin === "string") return `must not be longer than ${issue.maximum} characters`;
      if (issue.origin === "array") return `takes at most ${amount(Number(issue.maximum))}`;
      return `must be at most ${issue.maximum}${got}`;
    default:
      return `${issue.message}${got}`;
  }
}

/** What to write where an object is missing. */
function formMissing(schema: unknown): string {
  const form = leastOf(schema);
  return form === "" ? "" : `: ${form}`;
}

/** What an object needs at least, such as `{ type: "QUEUE_DELAY", queueDelay }`. */
function leastOf(schema: unknown): string {
  const inner = withoutOptional(schema);
  if (inner instanceof z.ZodUnion) return inner.options.map(leastOf).filter(Boolean).join(" or ");
  if (!(inner instanceof z.ZodObject)) return "";
  const needed = Object.entries(inner.shape).filter(([, one]) => !(one instanceof z.ZodOptional));
  const written = needed.map(([key, one]) =>
    one instanceof z.ZodLiteral ? `${key}: ${oneOf([...one.values])}` : key,
  );
  return written.length === 0 ? "" : `{ ${written.join(", ")} }`;
}

/** What to write in place of a value of another type, such as `{ id: "NVIDIA L4" }` for a plain text. */
function formFor(value: unknown, expected: string, names: readonly string[], schema: unknown): string {
  if (typeof value === "string") {
    const text = JSON.stringify(value);
    const unquoted = unquotedFor(value, expected);
    if (unquoted !== "") return unquoted;
    if (names.includes("pools")) return `: write { pools: [${text}] }`;
    if (names.includes("name")) return `: write { id: ${text} } or { name: ${text} }`;
    if (names.includes("id"))
      return `: write { id: ${text}${names.includes("vcpuCount") ? ", vcpuCount: 2" : ""} }`;
  }
  if (expected === "array" && isRecord(value))
    return element(schema) instanceof z.ZodObject ? ": write [{ … }]" : ": write […]";
  if (expected !== "object" || names.length === 0) return "";
  return `${Array.isArray(value) ? ", not a list" : ""}; it takes ${[...names].sort().join(", ")}`;
}

/** What to do with a text that holds the number or the boolean that is expected. */
function unquotedFor(value: string, expected: string): string {
  const isNumber =
    ["number", "int"].includes(expected) && value.trim() !== "" && Number.isFinite(Number(value));
  const isBoolean = expected === "boolean" && ["true", "false"].includes(value);
  if (!isNumber && !isBoolean) return "";
  return `: write it without quotes, or read it with config.${isNumber ? "requireNumber" : "requireBoolean"}`;
}

/** The words of a command. What only a shell can take apart, a shell gets. */
function wordsOf(command: string): string[] {
  return /[^\w\s./:=,@%+-]/.test(command) ? ["sh", "-c", command] : command.trim().split(/\s+/);
}

/** The fields that take as a list what the field takes as a text. */
function listsFor(field: Checked | undefined, fields: Record<string, Checked>): readonly string[] {
  return (field?.givenBy ?? []).filter((name) => element(fields[name]?.schema) !== undefined);
}

/** The text to write in place of a number or a boolean: in quotes, or what is wrong with that, too. */
function quotedFor(value: unknown, schema: unknown): string {
  if (!(schema instanceof z.ZodType) || !["number", "boolean"].includes(typeof value)) return "";
  const [wrong] = schema.safeParse(String(value)).error?.issues ?? [];
  return wrong === undefined ? `: write it in quotes, "${value}"` : `: it ${wrong.message}`;
}

/** The text to write in place of another value, which a message must not repeat. */
function textFor(value: unknown, expected: string): string {
  if (expected === "array") return ": write […]";
  if (typeof value === "string") return unquotedFor(value, expected);
  if (expected !== "string" || value === null) return "";
  if (value instanceof Date) return ": write it with toISOString()";
  const later = deferred(value);
  if (later !== undefined) return `, not ${later}`;
  return typeof value === "object"
    ? ": write it as JSON, with JSON.stringify"
    : ': write it in quotes, such as "3" or "true"';
}

function typeInWords(expected: string): string {
  const names: Record<string, string> = {
    string: "a string",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "a map of names to values",
  };
  return names[expected] ?? `of type ${expected}`;
}

function amount(items: number): string {
  return items === 1 ? "one item" : `${items} items`;
}

/** The property names that the schema knows at a path. */
function knownKeys(path: Path, fields: Record<string, Checked>, inputs: Properties): string[] {
  if (path.length === 0) return Object.keys(fields);
  return Object.keys(shapeOf(schemaAt(path, fields, inputs), at(inputs, ...path)));
}

/** The properties within those of a resource, such as `workers.max`. */
function nestedKeys(fields: Record<string, Checked>): string[] {
  const within = (schema: unknown, parent: string): string[] => {
    const inner = withoutOptional(schema);
    if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => within(option, parent));
    if (!(inner instanceof z.ZodObject)) return [];
    return Object.entries(inner.shape).flatMap(([key, one]) => [
      `${parent}.${key}`,
      ...within(one, `${parent}.${key}`),
    ]);
  };
  return Object.entries(fields).flatMap(([name, { schema }]) => within(schema, name));
}

/** The schema of what is at a path in a field. */
function schemaAt(path: Path, fields: Record<string, Checked>, inputs: Properties): unknown {
  let schema: unknown = fields[String(path[0])]?.schema;
  path.slice(1).forEach((key, index) => {
    const value = at(inputs, ...path.slice(0, index + 1));
    schema = typeof key === "number" ? element(schema) : shapeOf(schema, value)[String(key)];
  });
  return schema;
}

/** Says which `type` a property belongs to, in a union that has it for another type than the value's. */
function typeWith(key: string, schema: unknown): string {
  const union = withoutOptional(schema);
  const options = union instanceof z.ZodUnion ? union.options.map((option) => shapeOf(option, {})) : [];
  const type = options.find((shape) => Object.hasOwn(shape, key))?.type;
  return type instanceof z.ZodLiteral ? `; it belongs to the type ${oneOf([...type.values])}` : "";
}

export function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? withoutOptional(schema.unwrap()) : schema;
}

export function element(schema: unknown): unknown {
  const list = withoutOptional(schema);
  return list instanceof z.ZodArray ? list.element : undefined;
}

/** The properties of an object schema. For a union, those of the option that matches the `type` of the value. */
function shapeOf(schema: unknown, value: unknown): Record<string, unknown> {
  const inner = withoutOptional(schema);
  if (inner instanceof z.ZodObject) return inner.shape;
  if (!(inner instanceof z.ZodUnion)) return {};
  const chosen = inner.options.find(
    (option) => z.looseObject({ type: shapeOf(option, value).type as z.ZodType }).safeParse(value).success,
  );
  return shapeOf(chosen, value);
}
