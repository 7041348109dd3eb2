import { type Facts, resolve, type Shape, shapeOf } from "./shape";

/** What an operation takes and answers. */
export interface Operation {
  /** By place and name: `query limit`. */
  readonly parameters: Shape;
  readonly body?: Shape;
  /** By status. An answer without a body has an empty shape. */
  readonly answers: ReadonlyMap<string, Shape>;
}

/** What matters to podlumi in an OpenAPI file: no texts and no examples. */
export interface Contract {
  readonly version: string;
  readonly operations: ReadonlyMap<string, Operation>;
}

const methods = ["get", "put", "post", "delete", "patch", "head", "options"];

type Json = Record<string, unknown>;

const record = (value: unknown): Json => Object(value) as Json;

/** Reads an OpenAPI file. Throws when it describes no operation: then it is some other file. */
export function contractOf(text: string): Contract {
  const document = record(JSON.parse(text));
  const operations = new Map<string, Operation>();
  for (const [path, found] of Object.entries(record(document.paths))) {
    const item = resolve(found, document);
    for (const method of methods.filter((one) => one in item)) {
      const shared = Array.isArray(item.parameters) ? item.parameters : [];
      operations.set(`${method.toUpperCase()} ${path}`, operationOf(record(item[method]), shared, document));
    }
  }
  if (operations.size === 0) throw new Error("this is no OpenAPI file: it describes no operation");
  return { version: String(record(document.info).version), operations };
}

function operationOf(operation: Json, shared: readonly unknown[], document: Json): Operation {
  const own = Array.isArray(operation.parameters) ? operation.parameters : [];
  const parameters: Shape = new Map();
  for (const found of [...shared, ...own]) {
    const { in: place, name, required, schema } = resolve(found, document);
    for (const [path, facts] of shapeOf(schema, document))
      parameters.set(`${place} ${name}${path}`, {
        ...facts,
        ...(path === "" && required === true && { required }),
      });
  }
  const answers = Object.entries(record(operation.responses)).map(
    ([status, answer]) => [status, bodyOf(answer, document)] as const,
  );
  return {
    parameters,
    body: operation.requestBody === undefined ? undefined : bodyOf(operation.requestBody, document),
    answers: new Map(answers),
  };
}

function bodyOf(found: unknown, document: Json): Shape {
  const [content] = Object.entries(record(resolve(found, document).content));
  if (content === undefined) return new Map();
  const shape = shapeOf(record(content[1]).schema, document);
  const [type] = content;
  if (!/json/.test(type)) shape.set("", { ...shape.get(""), format: type });
  return shape;
}

/** A contract as JSON, with one line for each field. What several operations have in common stands once. */
export function digestText({ version, operations }: Contract): string {
  const shapes = new Map<string, string>();
  const kept: [name: string, lines: string][] = [];
  const whole = [...operations].flatMap(([name, { body, answers }]) => [
    ...(body === undefined ? [] : [[`${name} body`, body] as const]),
    ...[...answers].map(([status, shape]) => [`${name} ${status}`, shape] as const),
  ]);
  // The smallest first, so that larger ones can refer to them.
  for (const [name, shape] of whole
    .filter(([, { size }]) => size > 1)
    .sort(([, a], [, b]) => a.size - b.size)) {
    const text = JSON.stringify([...shape]);
    if (shapes.has(text)) continue;
    kept.push([name, lines(shortened(shape, shapes))]);
    shapes.set(text, name);
  }
  const nameOf = (shape: Shape) => shapes.get(JSON.stringify([...shape])) ?? Object.fromEntries(shape);
  const told = [...operations].map(([name, { parameters, body, answers }]) => {
    const content = {
      ...(parameters.size > 0 && { parameters: Object.fromEntries(parameters) }),
      ...(body !== undefined && { body: nameOf(body) }),
      answers: Object.fromEntries([...answers].map(([status, shape]) => [status, nameOf(shape)])),
    };
    return `    ${JSON.stringify(name)}: ${JSON.stringify(content)}`;
  });
  const made = kept.map(([name, text]) => `    ${JSON.stringify(name)}: {\n${text}\n    }`);
  return `{
  "version": ${JSON.stringify(version)},
  "operations": {
${told.join(",\n")}
  },
  "shapes": {
${made.join(",\n")}
  }
}
`;
}

const lines = (shape: Shape) =>
  [...shape].map(([path, facts]) => `      ${JSON.stringify(path)}: ${JSON.stringify(facts)}`).join(",\n");

/** A shape that names, where it can, other shapes in place of their fields. */
function shortened(shape: Shape, shapes: ReadonlyMap<string, string>): Shape {
  const short: Shape = new Map();
  const left: string[] = [];
  for (const [path, facts] of shape) {
    if (left.some((prefix) => path.startsWith(prefix))) continue;
    const inner = path === "" ? undefined : shapes.get(JSON.stringify(below(shape, path)));
    if (inner !== undefined) left.push(`${path}.`, `${path}[]`, `${path}{}`);
    short.set(path, inner === undefined ? facts : { ...facts, shape: inner });
  }
  return short;
}

/** The part of a shape from a path on, as if it stood alone. */
function below(shape: Shape, path: string): [string, Facts][] {
  return [...shape].flatMap(([other, facts]): [string, Facts][] => {
    const { required, ...rest } = facts;
    if (other === path) return [["", rest]];
    if (other.startsWith(`${path}.`)) return [[other.slice(path.length + 1), facts]];
    return other.startsWith(`${path}[]`) || other.startsWith(`${path}{}`)
      ? [[other.slice(path.length), facts]]
      : [];
  });
}

/** Reads what `digestText` has written. */
export function contractOfDigest(text: string): Contract {
  const { version, operations, shapes } = JSON.parse(text) as {
    version: string;
    operations: Record<string, { parameters?: object; body?: unknown; answers: object }>;
    shapes: Record<string, Record<string, Facts>>;
  };
  const whole = (found: unknown): Shape => {
    const short = typeof found === "string" ? shapes[found] : (found as Record<string, Facts>);
    const shape: Shape = new Map();
    for (const [path, { shape: inner, ...facts }] of Object.entries(short ?? {})) {
      shape.set(path, facts);
      for (const [rest, more] of inner === undefined ? [] : whole(inner))
        if (rest !== "") shape.set(/^[[{]/.test(rest) ? path + rest : `${path}.${rest}`, more);
    }
    return shape;
  };
  return {
    version,
    operations: new Map(
      Object.entries(operations).map(([name, { parameters = {}, body, answers }]) => [
        name,
        {
          parameters: whole(parameters),
          body: body === undefined ? undefined : whole(body),
          answers: new Map(Object.entries(answers).map(([status, answer]) => [status, whole(answer)])),
        },
      ]),
    ),
  };
}
