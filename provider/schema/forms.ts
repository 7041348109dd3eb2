import * as z from "zod";
import { duration } from "../core/state/expiry";
import { deferred } from "../deferred";
import { oneOf } from "../did-you-mean";
import { isRecord, isUnknown } from "../value";
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

/** What to write where a value is missing; empty where that is no object. */
export function leastForm(schema: unknown): string {
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

/** What to write in place of a value; empty where its type alone says that. */
export function rightForm(misfit: Misfit): string {
  const { value, expected, hidden, schema, lists } = misfit;
  if (expected === "record") return `: write { NAME: "value" }`;
  if (expected === "string" && Array.isArray(value) && lists.length > 0)
    return `: write a list as ${lists.join(" or ")}`;
  if (hidden) return hiddenForm(misfit);
  if (expected === "string") return quoted(value, schema);
  return typeof value === "string" ? formOfText(value, misfit) : formOfOther(misfit);
}

/** In place of a text, such as `{ id: "NVIDIA L4" }`. */
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

/** What to write in place of the name of a flavor or of an instance. */
export function cpuOf(text: string): string {
  const [, flavor = text, vcpuCount = "2"] = cpuInstance.exec(text) ?? [];
  return `{ id: ${JSON.stringify(flavor)}, vcpuCount: ${vcpuCount} }`;
}

/** The list of some texts, or what is wrong with one of them, too. */
function listOf(texts: string[], schema: unknown): string {
  const item = element(schema);
  if (Object.hasOwn(shapeOf(item, {}), "vcpuCount")) return `: write [${texts.map(cpuOf).join(", ")}]`;
  const results = texts.map((text) => (item instanceof z.ZodType ? item.safeParse(text) : undefined));
  const wrong = results.find((result) => result?.success === false)?.error?.issues[0];
  return wrong?.code === "invalid_format" || wrong?.code === "custom"
    ? `: write […], where each item ${wrong.message}`
    : `: write ${JSON.stringify(texts)}`;
}

/** The number to write in place of a text such as `5m` or `50 GB`. */
function withoutUnit(text: string, schema: unknown): string {
  const amount = { GB: gigabytes(text), seconds: duration(text) / 1_000, milliseconds: duration(text) };
  const unit = unitOf(schema);
  return unit === undefined || Number.isNaN(amount[unit]) ? "" : `: write ${amount[unit]}`;
}

function gigabytes(text: string): number {
  return Number(/^(\d+) ?Gi?B?$/i.exec(text)?.[1]);
}

/** In place of a list, an object, a number or a boolean. */
function formOfOther({ value, expected, schema, names }: Misfit): string {
  if (expected === "array" && isRecord(value))
    return element(schema) instanceof z.ZodObject ? ": write [{ … }]" : ": write […]";
  return `${Array.isArray(value) && expected === "object" ? ", not a list" : ""}${namesTaken(expected, names, schema)}`;
}

/** What an object takes. One of several shapes, which no `type` chooses, is shown as a whole. */
function namesTaken(expected: string, names: readonly string[], schema: unknown): string {
  if (expected !== "object") return "";
  return names.length > 0 ? `; it takes ${[...names].sort().join(", ")}` : leastForm(schema);
}

/** What to do with a text that holds the number or the boolean that is expected. */
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

/** The words of a command. What only a shell can take apart, a shell gets. */
function wordsOf(command: string): string[] {
  return /[^\w\s./:=,@%+-]/.test(command) ? ["sh", "-c", command] : command.trim().split(/\s+/);
}

/** The text to write: the id of an object, or a number or a boolean in quotes, or what is wrong with that, too. */
function quoted(value: unknown, schema: unknown): string {
  if (isRecord(value) && typeof value.id === "string")
    return isUnknown(value.id) ? ": write its id alone" : `: write ${JSON.stringify(value.id)}`;
  if (!(schema instanceof z.ZodType) || !["number", "boolean"].includes(typeof value)) return "";
  const [wrong] = schema.safeParse(String(value)).error?.issues ?? [];
  return wrong === undefined ? `: write it in quotes, "${value}"` : `: it ${wrong.message}`;
}

/** The text to write in place of another value, which a message must not repeat. */
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
