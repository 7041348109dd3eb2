import { isDeepStrictEqual } from "node:util";
import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import * as z from "zod";
import { withCode } from "../codes";
import { nearestProperty, oneOf } from "../did-you-mean";
import { type Field, type FieldTable, isDiscreet } from "./field";
import { formerName } from "./former-names";
import { at, propertyPath } from "./path";
import { hasUnknown, isUnknown, type Properties } from "./value";

/** An invalid property, and a sentence that says how to fix it. */
export interface Failure {
  property: string;
  reason: string;
  /** The code of its entry in docs/troubleshooting.md. Default: `PODLUMI-INVALID`. */
  code?: string;
}

/** A failure as the engine takes it. */
export function checkFailure({ property, reason, code = "PODLUMI-INVALID" }: Failure): CheckFailure {
  return { property, reason: withCode(reason, code) };
}

/** A rule between fields. It is skipped while a field in `needs` is unknown or invalid. */
export interface Rule {
  readonly needs: readonly string[];
  readonly check: (inputs: Properties) => Failure | undefined;
  /**
   * It holds for the whole object: also for what the program leaves to others, or for that only, since podlumi sees to the program's own.
   * Without it, a rule is about what a program may say.
   */
  readonly ofObject?: "too" | "only";
}

export function rule(needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check };
}

export function objectRule(ofObject: "too" | "only", needs: readonly string[], check: Rule["check"]): Rule {
  return { needs, check, ofObject };
}

/**
 * Finds what is wrong with inputs. `before` has those in the state; undefined for a resource that has no object yet. A field that is as
 * it was there is no mistake of the program: with `ignoreChanges`, the engine puts in what a refresh found, or takes out what nobody can tell.
 */
export type Checker = (inputs: Properties, before?: Properties) => Failure[];

/** Validates inputs without the service. The schema is built once for all resources of a kind. */
export function checker(fields: FieldTable, rules: readonly Rule[] = []): Checker {
  const shapes = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));
  const schema = z.strictObject(shapes);
  return (inputs, before) => {
    const isAsBefore = (name: string) =>
      before !== undefined && isDeepStrictEqual(inputs[name], before[name]);
    const issues = schema.safeParse(inputs).error?.issues ?? [];
    const misshapen = new Set(issues.map(({ path }) => path[0]));
    const found = [
      ...issues
        .filter(({ path: [name] }) => name === undefined || !isAsBefore(String(name)))
        .flatMap((issue) => failuresOf(issue, [], inputs, fields)),
      ...rules
        .filter(({ needs, ofObject }) => ofObject !== "only" && !needs.every(isAsBefore))
        .filter(({ needs }) => !needs.some((name) => misshapen.has(name) || hasUnknown(inputs[name])))
        .flatMap(({ check }) => check(inputs) ?? []),
    ];
    return found.map((failure) => ({ ...failure, property: discreet(failure.property, fields, inputs) }));
  };
}

/** Validates the arguments of a function. No text repeats a value, since any of them may be a secret. */
export function argumentChecker(args: Readonly<Record<string, z.ZodType>>): (given: Properties) => Failure[] {
  const fields = Object.fromEntries(
    Object.entries(args).map(([name, schema]) => [name, { schema, sensitive: true } as const]),
  );
  const schema = z.strictObject(args);
  return (given) =>
    (schema.safeParse(given).error?.issues ?? []).flatMap((issue) => failuresOf(issue, [], given, fields));
}

/** The texts of arguments that may be any text. */
export function freeTexts(args: Readonly<Record<string, unknown>>, given: Properties): string[] {
  const isFree = (schema: unknown) => (element(schema) ?? unwrapped(schema)) instanceof z.ZodString;
  return Object.keys(args)
    .filter((name) => isFree(args[name]))
    .flatMap((name) => [given[name]].flat())
    .filter((value) => typeof value === "string");
}

/** The inputs with defaults filled in, in the shape of the outputs. */
export function completed(fields: FieldTable, given: Properties): Properties {
  const inputs = { ...given };
  for (const [name, field] of Object.entries(fields)) {
    if (inputs[name] === undefined && field.default !== undefined) inputs[name] = field.default;
    if (field.normalize && inputs[name] !== undefined && !isUnknown(inputs[name])) {
      inputs[name] = field.normalize(inputs[name]);
    }
  }
  return inputs;
}

/**
 * The path of a property that may be secret: a sensitive field, an object, or an unknown property, perhaps misspelt. The engine
 * prints the program's value, which the inputs may lack.
 */
function discreet(property: string, fields: FieldTable, inputs: Properties): string {
  const { [property]: field } = fields;
  const isSecret = field !== undefined && isDiscreet(field);
  const isOther = property in inputs && (field === undefined || typeof inputs[property] === "object");
  return isSecret || isOther ? inBrackets(property) : property;
}

/**
 * The engine prints the value of a failed top-level property, even a secret one. It finds no value for a path in brackets,
 * which means the same property.
 */
export function inBrackets(property: string): string {
  return `[${JSON.stringify(property)}]`;
}

type Issue = z.core.$ZodIssue;
type Checked = Pick<Field, "schema" | "sensitive" | "shared">;
type Path = readonly PropertyKey[];

function failuresOf(
  issue: Issue,
  parent: Path,
  inputs: Properties,
  fields: Record<string, Checked>,
): Failure[] {
  const path = [...parent, ...issue.path];
  if (valuesAlong(inputs, path).some(isUnknown)) return [];
  if (issue.code === "unrecognized_keys") {
    const names = knownKeys(path, fields, inputs);
    return issue.keys.map((key) => ({
      property: propertyPath([...path, key]),
      reason: `unknown property "${key}"${(path.length === 0 && formerName(key, names)) || nearestProperty(key, names)}`,
      code: "PODLUMI-UNKNOWN-PROPERTY",
    }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return (issue.errors[0] as Issue[]).flatMap((inner) => failuresOf(inner, path, inputs, fields));
  }
  const value = valuesAlong(inputs, path).at(-1);
  const field = fields[String(path[0])];
  const hidden = field !== undefined && isDiscreet(field);
  const wanted =
    hidden || issue.code !== "invalid_type" ? "" : objectFor(value, knownKeys(path, fields, inputs));
  return [{ property: propertyPath(path), reason: `${sentence(issue, value, hidden)}${wanted}` }];
}

/** All values along a path, from the inputs to the value at its end. */
function valuesAlong(inputs: Properties, path: Path): unknown[] {
  const values: unknown[] = [inputs];
  for (const key of path) {
    values.push(at({ value: values.at(-1) }, "value", key as string));
  }
  return values;
}

function sentence(issue: Issue, value: unknown, hidden: boolean): string {
  const got =
    hidden || value === undefined || typeof value === "object" ? "" : `, not ${JSON.stringify(value)}`;
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return "is required";
      return `must be ${inWords(issue.expected)}${got}`;
    case "invalid_value":
      return `${value === undefined ? "is required:" : "must be"} ${oneOf(issue.values)}${got}`;
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

/** The object to write in place of a plain text, such as `{ id: "NVIDIA L4" }`. */
function objectFor(value: unknown, names: readonly string[]): string {
  if (typeof value !== "string") return "";
  const text = JSON.stringify(value);
  if (names.includes("pools")) return `: write { pools: [${text}] }`;
  if (!names.includes("id")) return "";
  return `: write { id: ${text}${names.includes("vcpuCount") ? ", vcpuCount: 2" : ""} }`;
}

function inWords(expected: string): string {
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
  const shape = (schema: unknown, depth: number) =>
    shapeOf(schema, at(inputs, ...(path.slice(0, depth) as string[])));
  let schema: unknown = fields[String(path[0])]?.schema;
  path.slice(1).forEach((key, index) => {
    schema = typeof key === "number" ? element(schema) : shape(schema, index + 1)[String(key)];
  });
  return Object.keys(shape(schema, path.length));
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

function element(schema: unknown): unknown {
  const list = unwrapped(schema);
  return list instanceof z.ZodArray ? list.element : undefined;
}

/** The properties of an object schema. For a union, those of the option that matches the `type` of the value. */
function shapeOf(schema: unknown, value: unknown): Record<string, unknown> {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) return inner.shape;
  if (!(inner instanceof z.ZodUnion)) return {};
  const chosen = inner.options.find(
    (option) => z.looseObject({ type: shapeOf(option, value).type as z.ZodType }).safeParse(value).success,
  );
  return shapeOf(chosen, value);
}
