import * as z from "zod";
import { deferred } from "../deferred";
import { oneOf } from "../did-you-mean";
import { isRecord, isUnknown } from "../value";
import { duration } from "./duration";
import { element, shapeOf, unitOf, withoutOptional } from "./schemas";

/** A value of another type than its place takes. */
interface Misfit {
  readonly value: unknown;
  /** The type that zod expects there. */
  readonly expected: string;
  /** No message may repeat the value. */
  readonly hidden: boolean;
  readonly schema: unknown;
  /** The properties that the place takes. */
  readonly names: readonly string[];
  /** The arguments that say as a list what this one says as a text. */
  readonly lists: readonly string[];
  /** The place takes the words of a command. */
  readonly isCommand: boolean;
}

/** For a missing value; empty where that is no object. */
export function leastForm(schema: unknown): string {
  const form = leastOf(schema);
  return form === "" ? "" : `: ${form}`;
}

/** The required properties of an object, such as `{ type: "QUEUE_DELAY", queueDelay }`. */
function leastOf(schema: unknown): string {
  const inner = withoutOptional(schema);
  if (inner instanceof z.ZodUnion) return inner.options.map(leastOf).filter(Boolean).join(" or ");
  if (!(inner instanceof z.ZodObject)) return "";
  const required = Object.entries(inner.shape).filter(([, property]) => !(property instanceof z.ZodOptional));
  const written = required.map(([key, property]) =>
    property instanceof z.ZodLiteral ? `${key}: ${oneOf([...property.values])}` : key,
  );
  return written.length === 0 ? "" : `{ ${written.join(", ")} }`;
}

/** Tells the right form of a value; empty where the expected type says it. */
export function rightForm(misfit: Misfit): string {
  const { value, expected, hidden, schema, lists } = misfit;
  if (expected === "record") return `: write { NAME: "value" }`;
  if (expected === "string" && Array.isArray(value) && lists.length > 0)
    return `: write a list as ${lists.join(" or ")}`;
  if (hidden) return hiddenForm(misfit);
  if (expected === "string") return quoted(value, schema);
  return typeof value === "string" ? formOfText(value, misfit) : formOfOther(misfit);
}

/** For a text, such as `: write { id: "NVIDIA L4" }`. */
function formOfText(value: string, { expected, schema, names, isCommand }: Misfit): string {
  if (expected === "array") return listOf(isCommand ? wordsOf(value) : value.split(/\s*,\s*/), schema);
  const text = JSON.stringify(value);
  if (names.includes("pools")) return `: write { pools: [${text}] }`;
  if (names.includes("name")) return `: write { id: ${text} } or { name: ${text} }`;
  if (names.includes("vcpuCount")) return `: write ${cpuOf(value)}`;
  if (names.includes("id")) return `: write { id: ${text} }`;
  return unquoted(value, expected) || withoutUnit(value, schema) || namesTaken(expected, names, schema);
}

/** `cpu3c-8-16`: a flavor with vCPUs and memory, which GraphQL and REST v1 have. (API: Migration from v1) */
export const cpuInstance = /^(cpu\w+)-(\d+)-\d+$/;

/** For the name of a flavor or of an instance. */
export function cpuOf(text: string): string {
  const [, flavor = text, vcpuCount = "2"] = cpuInstance.exec(text) ?? [];
  return `{ id: ${JSON.stringify(flavor)}, vcpuCount: ${vcpuCount} }`;
}

/** A list of texts, or the reason why one of them is not valid either. */
function listOf(texts: string[], schema: unknown): string {
  const item = element(schema);
  if (Object.hasOwn(shapeOf(item, {}), "vcpuCount")) return `: write [${texts.map(cpuOf).join(", ")}]`;
  const results = texts.map((text) => (item instanceof z.ZodType ? item.safeParse(text) : undefined));
  const wrong = results.find((result) => result?.success === false)?.error?.issues[0];
  return wrong?.code === "invalid_format" || wrong?.code === "custom"
    ? `: write […], where each item ${wrong.message}`
    : `: write ${JSON.stringify(texts)}`;
}

/** For a text such as `5m` or `50 GB`. */
function withoutUnit(text: string, schema: unknown): string {
  const gigabytes = Number(/^(\d+) ?Gi?B?$/i.exec(text)?.[1]);
  const amount = { GB: gigabytes, seconds: duration(text) / 1_000, milliseconds: duration(text) };
  const unit = unitOf(schema);
  return unit === undefined || Number.isNaN(amount[unit]) ? "" : `: write ${amount[unit]}`;
}

/** For a list, an object, a number or a boolean. */
function formOfOther({ value, expected, schema, names }: Misfit): string {
  if (expected === "array" && isRecord(value))
    return element(schema) instanceof z.ZodObject ? ": write [{ … }]" : ": write […]";
  return `${Array.isArray(value) && expected === "object" ? ", not a list" : ""}${namesTaken(expected, names, schema)}`;
}

/** The properties that an object takes. Several shapes without a `type` to choose by are shown as a whole. */
function namesTaken(expected: string, names: readonly string[], schema: unknown): string {
  if (expected !== "object") return "";
  return names.length > 0 ? `; it takes ${[...names].sort().join(", ")}` : leastForm(schema);
}

/** For a text of the expected number or boolean. */
function unquoted(value: string, expected: string): string {
  const isNumber =
    ["number", "int"].includes(expected) && value.trim() !== "" && Number.isFinite(Number(value));
  const isBoolean = expected === "boolean" && ["true", "false"].includes(value);
  if (!isNumber && !isBoolean) return "";
  const [typescript, python, yaml] = isNumber
    ? ["requireNumber", "require_int", "integer"]
    : ["requireBoolean", "require_bool", "boolean"];
  return `: write it without quotes, or read it from the configuration with ${typescript} (Python: ${python}; YAML: type: ${yaml})`;
}

/** A command that only a shell can take apart goes to a shell. */
function wordsOf(command: string): string[] {
  return /[^\w\s./:=,@%+-]/.test(command) ? ["sh", "-c", command] : command.trim().split(/\s+/);
}

/** For an object with an id, a number or a boolean in place of a text. */
function quoted(value: unknown, schema: unknown): string {
  if (isRecord(value) && typeof value.id === "string")
    return isUnknown(value.id) ? ": write its id alone" : `: write ${JSON.stringify(value.id)}`;
  if (!(schema instanceof z.ZodType) || !["number", "boolean"].includes(typeof value)) return "";
  const [wrong] = schema.safeParse(String(value)).error?.issues ?? [];
  return wrong === undefined ? `: write it in quotes, "${value}"` : `: it ${wrong.message}`;
}

/** For a value that no message may repeat. */
function hiddenForm({ value, expected, schema, names }: Misfit): string {
  if (expected === "array") return ": write […]";
  if (typeof value === "string") return unquoted(value, expected);
  if (expected !== "string" || value === null) return namesTaken(expected, names, schema);
  if (value instanceof Date) return ": write it with toISOString()";
  const later = deferred(value);
  if (later !== undefined) return `, not ${later}`;
  return typeof value === "object"
    ? ": write it as JSON, with JSON.stringify"
    : ': write it in quotes, such as "3" or "true"';
}
