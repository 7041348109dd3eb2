import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

interface Operation extends Json {
  operationId: string;
  requestBody?: Json;
  responses: Record<string, Json>;
}

/** An operation of the contract, and its place in the document. */
export interface Match {
  operation: Operation;
  pointer: string[];
}

/** Checks requests and answers against an OpenAPI contract. */
export class Contract {
  private readonly ajv: Ajv;
  private readonly paths: [template: string, item: Json][];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    closeAnswers(document);
    nestConditions(document);
    this.ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
    addFormats(this.ajv);
    // The contract gives addresses that contain `{job_id}` the format "uri", but RFC 3986 allows no braces.
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

  /** The path with the fewest parameters wins. */
  find(method: string, path: string): Match | undefined {
    const fits = ([template]: [string, Json]) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
    const [found] = this.paths.filter(fits).sort(([a], [b]) => a.split("{").length - b.split("{").length);
    const operation = found?.[1][method.toLowerCase()] as Operation | undefined;
    return found && operation && { operation, pointer: ["paths", found[0], method.toLowerCase()] };
  }

  /** The contract violations in an answer. */
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

  /** The contract violations in the body of a request. */
  checkRequest({ operation, pointer }: Match, body: unknown): string[] {
    if (!operation.requestBody) return ["a body where none is declared"];
    return this.check([...pointer, "requestBody", "content", "application/json", "schema"], body);
  }

  private check(pointer: string[], value: unknown): string[] {
    const $ref = `contract#/${pointer.map(escapePointer).join("/")}`;
    const validator = this.validators.get($ref) ?? this.ajv.compile({ $ref });
    this.validators.set($ref, validator);
    validator(value);
    const named = (validator.errors ?? []).filter(
      ({ params }) => !unpublished.includes(String(params.unevaluatedProperty)),
    );
    return named.map(
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

/** What other versions of the service answer, and the published contract does not name. (API: shared container fields; Tags) */
const unpublished = ["entrypoint", "cmd", "tags"];

const escapePointer = (key: string) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

/**
 * Closes every schema that no other schema extends, so that an answer may not have fields that the contract does
 * not name.
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
 * Moves conditions into `allOf`, where they mean the same. Beside it, a failing `if` makes Ajv 8 forget what `allOf`
 * has evaluated, so that it reports every property as unevaluated.
 */
function nestConditions(document: Json): void {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const [name, { allOf, unevaluatedProperties, ...rest }] of Object.entries(schemas))
    if (Array.isArray(allOf) && "if" in rest)
      schemas[name] = { allOf: [...allOf, rest], unevaluatedProperties };
}
