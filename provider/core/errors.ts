import { ExpectedError } from "../client/errors";
import type { Observed } from "./definition";
import type { Field } from "./field";
import { isRecord, type Properties } from "./value";

/** An object exists but did not get where it should, with what was last seen of it. */
export class NotReadyError extends ExpectedError {
  constructor(
    message: string,
    readonly observed: Observed,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "NotReadyError";
  }
}

/**
 * What a user reads: what happened to which resource, what the service answered, what to do next. The engine
 * prints a stack beside the message, which helps nobody when the service said no: only defects of podlumi keep it.
 */
export function explain(
  error: unknown,
  what: string,
  fields: Record<string, Field>,
  properties: Properties,
): Error {
  const cause = error instanceof Error ? error.message : undefined;
  const message = redacted(cause === undefined ? what : `${what}: ${cause}`, secrets(fields, properties));
  const explained = new Error(message);
  explained.name = "podlumi";
  const defect = error instanceof Error && !(error instanceof ExpectedError);
  explained.stack = defect ? redacted(error.stack ?? "", secrets(fields, properties)) : "";
  return explained;
}

/** Values that may be secret: those that always are, and those of maps that can hold some. */
function secrets(fields: Record<string, Field>, properties: Properties): string[] {
  return Object.entries(fields)
    .filter(([, field]) => field.sensitive || field.shared)
    .flatMap(([name]) => (isRecord(properties[name]) ? Object.values(properties[name]) : [properties[name]]))
    .filter((value): value is string => typeof value === "string" && value.length >= 4)
    .sort((a, b) => b.length - a.length);
}

function redacted(text: string, secrets: readonly string[]): string {
  return secrets.reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}
