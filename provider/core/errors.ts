import { ExpectedError, NoAnswerError, ServiceError } from "../client/errors";
import { withCode } from "../codes";
import { discreetAt, isEnginesProcess } from "../engine/log";
import { partsOfUrn } from "../identity";
import { masked } from "../mask";
import type { Observed } from "./kind/definition";
import type { FieldTable } from "./kind/field";
import type { Properties } from "./value";

/** The program cannot adopt the object that it names. */
export class AdoptionError extends ExpectedError {}

/** The object exists but did not become ready. `observed` is the last answer about it. */
export class NotReadyError extends ExpectedError {
  constructor(
    message: string,
    code: string,
    readonly observed: Observed,
    options?: ErrorOptions,
  ) {
    super(message, code, options);
    this.name = "NotReadyError";
  }
}

/** A later request of an update failed. `changed` has the outputs that are other ones by then, and of an object the keys. */
export class HalfDoneError extends ExpectedError {
  constructor(
    message: string,
    code: string,
    readonly changed: Observed,
    options?: ErrorOptions,
  ) {
    super(message, code, options);
    this.name = "HalfDoneError";
  }
}

/** The message for an object that is in the state but no longer at the service. */
export const gone =
  "it is gone: somebody deleted it. Run `pulumi refresh`, then `pulumi up` creates it again. If nobody deleted it, see first whether the " +
  "API key is of its account: a refresh with the key of another one takes it out of the state, and it still costs money";

/**
 * The error that a user reads: what happened to which resource, what the service answered, what to do next. It hides the secrets of
 * `properties`: the inputs, and the state, since an answer can repeat what the object had before. The host of dynamic providers prints
 * `${error}: ${error.stack}` at the stack, and the engine the message at the resource: so an expected error only points there.
 */
export function explain(
  error: unknown,
  what: string | undefined,
  fields: FieldTable,
  ...properties: readonly Properties[]
): Error {
  const hidden = properties.flatMap((one) => secrets(fields, one));
  const told = (text: string) => discreetAt(properties[0]?.__urn, text);
  const known = error instanceof ExpectedError;
  const text = `${what === undefined ? "" : `${what}: `}${error instanceof Error ? messageWithout(error, hidden) : String(error)}`;
  const explained = new Error(withCode(told(text), known ? error.code : "PODLUMI-DEFECT"));
  explained.toString = () => "podlumi";
  const trace = known || !(error instanceof Error) ? "" : `\n${told(masked(String(error.stack), hidden))}`;
  const { __urn: urn } = properties[0] ?? {};
  explained.stack =
    known && isEnginesProcess && typeof urn === "string"
      ? withCode(`see the error of ${partsOfUrn(urn).name}`, error.code)
      : `${explained.message}${trace}`;
  return explained;
}

/** An explained error that leaves an object in the state, with these outputs. The next up updates it. */
export function leaving(message: string, id: string, properties: Properties): Error {
  return Object.assign(new Error(message), { id, properties, reasons: [message] });
}

/** The message without secrets. The name of the call stays whole: it is podlumi's own text and holds nothing secret. */
function messageWithout(error: Error, hidden: readonly string[]): string {
  const call = error instanceof ServiceError || error instanceof NoAnswerError ? error.call : "";
  const own = error.message.startsWith(call) ? call : "";
  return `${own}${masked(error.message.slice(own.length), hidden)}`;
}

/**
 * Texts to hide: every text in a sensitive field, and every text in a shared map. A text from a map that is part of the
 * resource's name is not hidden, since messages have the name anyway.
 */
function secrets(fields: FieldTable, properties: Properties): string[] {
  const name = String(properties.name ?? "");
  const texts = (of: "sensitive" | "shared") =>
    Object.keys(fields).flatMap((field) => (fields[field]?.[of] ? textsIn(properties[field]) : []));
  return [...texts("sensitive"), ...texts("shared").filter((text) => !name.includes(text))];
}

/** All texts of a value, and its numbers as texts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
