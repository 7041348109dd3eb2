import { ExpectedError, NoAnswerError, ServiceError, withCode } from "../client/errors";
import type { Observed } from "./definition";
import type { Field } from "./field";
import type { Properties } from "./value";

/** An object exists but did not get where it should, with what was last seen of it. */
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

/** Told of an object that the state has and the service has no more. */
export const gone = "it is gone: somebody deleted it. Run `pulumi refresh`, then `pulumi up` makes it anew";

/**
 * What a user reads: what happened to which resource, what the service answered, what to do next. The host of dynamic
 * providers prints `${error}: ${error.stack}`: for a failure that is no defect of podlumi, that shall be its message,
 * once and without a stack.
 */
export function explain(
  error: unknown,
  what: string | undefined,
  fields: Record<string, Field>,
  properties: Properties,
): Error {
  const hidden = secrets(fields, properties);
  const known = error instanceof ExpectedError;
  const text = `${what === undefined ? "" : `${what}: `}${error instanceof Error ? messageWithout(error, hidden) : String(error)}`;
  const explained = new Error(withCode(text, known ? error.code : "PODLUMI-DEFECT"));
  explained.toString = () => "podlumi";
  const trace = known || !(error instanceof Error) ? "" : `\n${redacted(String(error.stack), hidden)}`;
  explained.stack = `${explained.message}${trace}`;
  return explained;
}

/** The message of a failure. What was called is podlumi's own word and holds nothing secret. */
function messageWithout(error: Error, hidden: readonly string[]): string {
  const call = error instanceof ServiceError || error instanceof NoAnswerError ? error.call : "";
  const own = error.message.startsWith(call) ? call : "";
  return `${own}${redacted(error.message.slice(own.length), hidden)}`;
}

/**
 * Texts that may be secret: those that always are, and those of maps that can hold some, however deep, but for parts of
 * the resource's name, which is told anyway. A worker may repeat them as JSON.
 */
function secrets(fields: Record<string, Field>, properties: Properties): string[] {
  const name = String(properties.name ?? "");
  const texts = (of: "sensitive" | "shared") =>
    Object.keys(fields).flatMap((field) => (fields[field]?.[of] ? textsIn(properties[field]) : []));
  return [...texts("sensitive"), ...texts("shared").filter((text) => !name.includes(text))]
    .filter((text) => text.length >= 4)
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function redacted(text: string, secrets: readonly string[]): string {
  return secrets.reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}
