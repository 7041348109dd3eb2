type Json = Record<string, unknown>;

/** What a contract says of one field, in the words of JSON Schema. */
export interface Facts {
  /** Such as `integer`, or `string|null`. */
  type?: string;
  required?: true;
  /** Other keys are refused. */
  closed?: true;
  /** The values, in alphabetical order: `COMMUNITY, SECURE`. */
  enum?: string;
  /** Conditions between fields, as JSON. */
  rule?: string;
  /** Its fields are those of a shape of this name. Only a digest says so. */
  shape?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  pattern?: string;
  format?: string;
  deprecated?: boolean;
}

/** The fields of a body by their paths: `gpu.count`, `pods[].id`, `env{}`. The whole has the path "". */
export type Shape = Map<string, Facts>;

export const limits = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "multipleOf",
] as const satisfies readonly (keyof Facts)[];

/** Taken over from a schema as they are. */
const plain = [
  "default",
  ...limits,
  "minProperties",
  "maxProperties",
  "uniqueItems",
  "pattern",
  "format",
  "deprecated",
] as const satisfies readonly (keyof Facts)[];

interface Node {
  facts: Facts;
  fields: Map<string, Node>;
  items?: Node;
  values?: Node;
}

/** The fields of a schema. References are followed in `document`. Alternatives count together, as one shape. */
export function shapeOf(schema: unknown, document: unknown): Shape {
  const shape: Shape = new Map();
  const add = (path: string, { facts, fields, items, values }: Node) => {
    shape.set(path, facts);
    for (const [name, field] of fields) add(path === "" ? name : `${path}.${name}`, field);
    if (items !== undefined) add(`${path}[]`, items);
    if (values !== undefined) add(`${path}{}`, values);
  };
  add("", nodeOf(schema, document, []));
  return shape;
}

/** What a reference such as `#/components/schemas/Pod` refers to. */
export function resolve(node: unknown, document: unknown): Json {
  const { $ref } = Object(node) as { $ref?: string };
  if ($ref === undefined) return Object(node);
  const keys = $ref
    .replace(/^#\//, "")
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  return resolve(
    keys.reduce((value: unknown, key) => Object(value)[key], document),
    document,
  );
}

function nodeOf(schema: unknown, document: unknown, above: readonly string[]): Node {
  const { $ref, ...own } = Object(schema) as Json & { $ref?: string };
  // A schema that contains itself.
  if ($ref !== undefined && above.includes($ref)) return { facts: { type: "again" }, fields: new Map() };
  const inner = $ref === undefined ? above : [...above, $ref];
  const node = (child: unknown) => nodeOf(child, document, inner);
  const parts = [...list(own.allOf).map(node), ownNode(own, node)];
  if ($ref !== undefined) parts.unshift(node(resolve({ $ref }, document)));
  for (const choice of [own.oneOf, own.anyOf]) {
    const [first, ...others] = list(choice).map(node);
    if (first !== undefined) parts.push(others.reduce(either, first));
  }
  return parts.reduce(both);
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function ownNode(schema: Json, node: (child: unknown) => Node): Node {
  const facts: Facts = {};
  const types = [schema.type ?? []].flat().map(String);
  if (types.length > 0) facts.type = types.sort().join("|");
  const values = schema.const === undefined ? list(schema.enum) : [schema.const];
  if (values.length > 0) facts.enum = values.map(String).sort().join(", ");
  for (const key of plain) if (schema[key] !== undefined) Object.assign(facts, { [key]: schema[key] });
  const { if: when, then, else: otherwise, not, dependentRequired, dependentSchemas } = schema;
  const rule = JSON.stringify({ if: when, then, else: otherwise, not, dependentRequired, dependentSchemas });
  if (rule !== "{}") facts.rule = rule;
  if (schema.additionalProperties === false || schema.unevaluatedProperties === false) facts.closed = true;
  const fields = new Map(
    Object.entries(Object(schema.properties)).map(([name, field]) => [name, node(field)]),
  );
  for (const name of list(schema.required).map(String)) {
    const field = fields.get(name) ?? { facts: {}, fields: new Map() };
    fields.set(name, { ...field, facts: { ...field.facts, required: true } });
  }
  const map = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  return {
    facts,
    fields,
    items: schema.items === undefined ? undefined : node(schema.items),
    values: map === undefined || map === null ? undefined : node(map),
  };
}

/** A value that both schemas describe. Where they differ, the second one holds. */
function both(a: Node, b: Node): Node {
  const rule = [a.facts.rule, b.facts.rule].filter((text) => text !== undefined).join(" ");
  return {
    facts: { ...a.facts, ...b.facts, ...(rule !== "" && { rule }) },
    fields: joined(a.fields, b.fields, (one, other) => (one && other ? both(one, other) : (one ?? other))),
    items: a.items && b.items ? both(a.items, b.items) : (a.items ?? b.items),
    values: a.values && b.values ? both(a.values, b.values) : (a.values ?? b.values),
  };
}

/** A value that one of the two describes. Required is only what both require. */
function either(a: Node, b: Node): Node {
  if (b.facts.type === "null") return orNull(a);
  if (a.facts.type === "null") return orNull(b);
  const facts: Facts = {};
  for (const key of new Set([...Object.keys(a.facts), ...Object.keys(b.facts)]) as Set<keyof Facts>) {
    const [one, other] = [a.facts[key], b.facts[key]];
    if (one === other) Object.assign(facts, { [key]: one });
    else if (key === "enum" && one !== undefined && other !== undefined)
      facts.enum = [...new Set(`${one}, ${other}`.split(", "))].sort().join(", ");
    else if (key === "type" && one !== undefined && other !== undefined)
      facts.type = [...new Set(`${one}|${other}`.split("|"))].sort().join("|");
    else if (key !== "required" && key !== "closed") facts.rule = `${key} is ${one} or ${other}`;
  }
  const optional = (node: Node): Node => ({ ...node, facts: { ...node.facts, required: undefined } });
  return {
    facts,
    fields: joined(a.fields, b.fields, (one, other) =>
      one && other ? either(one, other) : optional((one ?? other) as Node),
    ),
    items: a.items && b.items ? either(a.items, b.items) : (a.items ?? b.items),
    values: a.values && b.values ? either(a.values, b.values) : (a.values ?? b.values),
  };
}

function orNull(node: Node): Node {
  const { type } = node.facts;
  const types = new Set([...(type === undefined ? [] : type.split("|")), "null"]);
  return { ...node, facts: { ...node.facts, type: [...types].sort().join("|") } };
}

function joined<T>(
  a: Map<string, T>,
  b: Map<string, T>,
  join: (one: T | undefined, other: T | undefined) => T | undefined,
): Map<string, T> {
  const names = new Set([...a.keys(), ...b.keys()]);
  return new Map([...names].map((name) => [name, join(a.get(name), b.get(name)) as T]));
}
