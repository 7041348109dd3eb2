import * as z from "zod";
import { nearestProperty, oneOf } from "../did-you-mean";
import { at, type Path, propertyPath } from "../path";
import { isUnknown, type Properties } from "../value";
import { type Failure, invalid } from "./failure";
import { type Field, isDiscreet } from "./field";
import { foreignName } from "./foreign-names";
import { leastForm, rightForm } from "./forms";
import { element, shapeOf, type Unit, unitOf, withoutOptional } from "./schemas";

type Issue = z.core.$ZodIssue;
/** The part of a field that a check without the service needs. */
export type Checked = Pick<Field, "schema" | "sensitive" | "shared" | "givenBy">;

/** An issue of zod in words. An unknown value has no failures. */
export function failuresOf(issue: Issue, inputs: Properties, fields: Record<string, Checked>): Failure[] {
  const { path } = issue;
  if (path.some((_key, index) => isUnknown(at(inputs, ...path.slice(0, index + 1))))) return [];
  if (issue.code === "unrecognized_keys") {
    const names = knownKeys(path, fields, inputs);
    const nested = path.length === 0 ? nestedKeys(fields) : [];
    const meant = (key: string) =>
      path.length === 0 ? foreignName(key, names) : typeWith(key, schemaAt(path, fields, inputs));
    return issue.keys.map((key) => ({
      property: propertyPath([...path, key]),
      reason: `unknown property "${key}"${meant(key) || nearestProperty(key, names, nested)}`,
      code: "PODLUMI-UNKNOWN-PROPERTY",
    }));
  }
  const value = at(inputs, ...path);
  const field = fields[String(path[0])];
  const hidden = field !== undefined && isDiscreet(field);
  const schema = schemaAt(path, fields, inputs);
  const form = () => {
    if (issue.code !== "invalid_type") return "";
    if (value === undefined) return leastForm(schema);
    const names = knownKeys(path, fields, inputs);
    const { givenBy = [] } = field ?? {};
    const lists = givenBy.filter((name) => element(fields[name]?.schema) !== undefined);
    const isCommand = givenBy.includes("args");
    return rightForm({ value, expected: issue.expected, hidden, schema, names, lists, isCommand });
  };
  return [invalid(path, `${sentence(issue, value, hidden, unitOf(schema) ?? "")}${form()}`)];
}

function sentence(issue: Issue, value: unknown, hidden: boolean, unit: Unit | ""): string {
  const isShown = value === null || (!hidden && value !== undefined && typeof value !== "object");
  const got = isShown ? `, not ${typeof value === "string" ? JSON.stringify(value) : value}` : "";
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return "is required";
      return `must be ${typesInWords[issue.expected] ?? `of type ${issue.expected}`}${unit && ` of ${unit}`}${got}`;
    case "invalid_value":
      return `${value === undefined ? "is required:" : "must be"} ${oneOf(issue.values)}${got}`;
    case "invalid_key": {
      const [wrong] = issue.issues;
      return wrong === undefined || wrong.code === "too_small"
        ? "needs a name"
        : `its name ${sentence(wrong, undefined, true, "")}`;
    }
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      if (issue.origin === "array") return `needs at least ${amount(Number(issue.minimum))}`;
      return `must be at least ${inUnit(Number(issue.minimum), unit)}${got}`;
    case "too_big":
      if (issue.origin === "string") return `must not be longer than ${issue.maximum} characters`;
      if (issue.origin === "array") return `takes at most ${amount(Number(issue.maximum))}`;
      return `must be at most ${inUnit(Number(issue.maximum), unit)}${got}`;
    default:
      return `${issue.message}${got}`;
  }
}

const typesInWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "a map of names to values",
};

function inUnit(amount: number, unit: Unit | ""): string {
  return `${amount} ${amount === 1 ? unit.replace(/s$/, "") : unit}`.trim();
}

function amount(items: number): string {
  return items === 1 ? "one item" : `${items} items`;
}

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
    return Object.entries(inner.shape).flatMap(([key, property]) => [
      `${parent}.${key}`,
      ...within(property, `${parent}.${key}`),
    ]);
  };
  return Object.entries(fields).flatMap(([name, { schema }]) => within(schema, name));
}

function schemaAt(path: Path, fields: Record<string, Checked>, inputs: Properties): unknown {
  let schema: unknown = fields[String(path[0])]?.schema;
  path.slice(1).forEach((key, index) => {
    const value = at(inputs, ...path.slice(0, index + 1));
    schema = typeof key === "number" ? element(schema) : shapeOf(schema, value)[String(key)];
  });
  return schema;
}

/** For a property of another `type` of a union than the value's. */
function typeWith(key: string, schema: unknown): string {
  const union = withoutOptional(schema);
  const options = union instanceof z.ZodUnion ? union.options.map((option) => shapeOf(option, {})) : [];
  const type = options.find((shape) => Object.hasOwn(shape, key))?.type;
  return type instanceof z.ZodLiteral ? `; it belongs to the type ${oneOf([...type.values])}` : "";
}
