import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

interface Operation extends Json {
  operationId: string;
  requestBody?: Json;
  responses: Record<string, Json>;
}

/** An operation of the contract, with where it stands in the document. */
export interface Match {
  operation: Operation;
  pointer: string[];
}

/** An OpenAPI contract that answers and requests can be checked against. */
export class Contract {
  private readonly ajv: Ajv;
  private readonly paths: [template: string, item: Json][];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    closeAnswers(document);
    nestConditions(document);
    this.ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
    addFormats(this.ajv);
    // The contract calls addresses with a `{job_id}` in them URIs; RFC 3986 knows no braces.
    this.ajv.addFormat("uri", (text: string) => URL.canParse(text));
    this.ajv.addFormat("float", true).addFormat("double", true);
    this.ajv.addSchema(document, "contract");
    this.paths = Object.entries(document.paths as Record<string, Json>);
  }

  operations(): string[] {
    return this.paths.flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== "parameters")
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** Paths without parameters win over those with. */
  find(method: string, path: string): Match | undefined {
    const fits = ([template]: [string, Json]) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
    const [found] = this.paths.filter(fits).sort(([a], [b]) => a.split("{").length - b.split("{").length);
    const operation = found?.[1][method.toLowerCase()] as Operation | undefined;
    return found && operation && { operation, pointer: ["paths", found[0], method.toLowerCase()] };
  }

  /** What the contract objects to in an answer. */
  checkAnswer({ operation, pointer }: Match, status: number, type: string, body: unknown): string[] {
    const key = [String(status), "default"].find((key) => key in operation.responses);
    const declared = key !== undefined && (status < 400 ? key !== "default" : true);
    if (!declared) return [`status ${status} is not declared`];
    const [response, where] = this.resolve(operation.responses[key] ?? {}, [...pointer, "responses", key]);
    const content = response.content as Record<string, Json> | undefined;
    if (!content) return body === "" ? [] : ["a body where none is declared"];
    if (!(type in content)) return [`content type '${type}' is not declared`];
    return this.check([...where, "content", type, "schema"], body);
  }

  /** What the contract objects to in the body of a request. */
  checkRequest({ operation, pointer }: Match, body: unknown): string[] {
    if (!operation.requestBody) return ["a body where none is declared"];
    return this.check([...pointer, "requestBody", "content", "application/json", "schema"], body);
  }

  private check(pointer: string[], value: unknown): string[] {
    const $ref = `contract#/${pointer.map(escapePointer).join("/")}`;
    const validator = this.validators.get($ref) ?? this.ajv.compile({ $ref });
    this.validators.set($ref, validator);
    validator(value);
    return (validator.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Follows a reference to a shared response. */
  private resolve(node: Json, pointer: string[]): [Json, string[]] {
    if (typeof node.$ref !== "string") return [node, pointer];
    const path = node.$ref.slice(2).split("/");
    const target = path.reduce((value: Json, key) => value[key] as Json, this.document);
    return [target, path];
  }
}

const escapePointer = (key: string) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

/**
 * Closes every schema that no other builds upon, so that a field of an answer which the contract does not
 * name is a violation too.
 */
function closeAnswers(document: Json): void {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const extended = new Set<string>();
  JSON.stringify(schemas, (key, value) => {
    if (key === "allOf") for (const { $ref } of value as Json[]) extended.add(String($ref));
    return value;
  });
  for (const [name, schema] of Object.entries(schemas)) {
    const isObject = schema.properties !== undefined || schema.allOf !== undefined;
    const isOpen = schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
    if (isObject && isOpen && !extended.has(`#/components/schemas/${name}`))
      schema.unevaluatedProperties = false;
  }
}

/**
 * Ajv 8 forgets what `allOf` evaluated when an `if` beside it fails, and then calls every property
 * unevaluated. Within `allOf` the condition means the same and works.
 */
function nestConditions(document: Json): void {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const [name, { allOf, unevaluatedProperties, ...rest }] of Object.entries(schemas))
    if (Array.isArray(allOf) && "if" in rest)
      schemas[name] = { allOf: [...allOf, rest], unevaluatedProperties };
}
