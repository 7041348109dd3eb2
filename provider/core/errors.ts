import { ExpectedError, NoAnswerError, ServiceError } from "../client/errors";
import { withCode } from "../codes";
import { isEnginesProcess } from "../engine/client";
import { shownAtResource } from "../engine/host";
import { discreetAt } from "../engine/log";
import { masked } from "../mask";
import type { FieldTable } from "../schema/field";
import { type Properties, textsIn } from "../value";
import type { Kind, Observed } from "./kind";

/** podlumi itself would refuse the create, so its check fails. Any other error of a look tells nothing of the create. */
export class RefusedError extends ExpectedError {}

/**
 * An object did not become ready, or its update failed after it has changed something, or may have. `observed` is the last response about
 * it, or the part that has changed; `unclear` has the fields without a clear answer.
 */
export class HalfDoneError extends ExpectedError {
  constructor(
    message: string,
    code: string,
    readonly observed: Observed,
    options?: ErrorOptions,
    readonly unclear: readonly string[] = [],
  ) {
    super(message, code, options);
    this.name = "HalfDoneError";
  }

  /** A failure with the object as it is by now. A defect stays as it is. */
  static of(error: unknown, observed: Observed): unknown {
    if (!(error instanceof ExpectedError)) return error;
    const cause = error instanceof HalfDoneError ? error.cause : error;
    return new HalfDoneError(error.message, error.code, observed, { cause });
  }
}

/** An error that a user reads. */
class ExplainedError extends Error {
  override toString(): string {
    return "podlumi";
  }
}

/** On whose behalf something failed. A response can repeat what is secret in the state. */
export interface Failed {
  readonly kind: Pick<Kind, "fields">;
  readonly urn?: unknown;
  readonly inputs?: Properties;
  readonly state?: Properties;
}

/** The error that a user reads. It begins with `what`, and has no secrets. An error that is explained already stays as it is. */
export function explain(
  error: unknown,
  what: string | undefined,
  { kind: { fields }, urn, inputs = {}, state = {} }: Failed,
): ExplainedError {
  if (error instanceof ExplainedError) return error;
  const hidden = [inputs, state].flatMap((one) => secrets(fields, one));
  const [said, code] =
    error instanceof ExpectedError
      ? [messageWithout(error, hidden), error.code]
      : [masked(traceOf(error), hidden), "PODLUMI-DEFECT"];
  const told = discreetAt(urn, what === undefined ? said : `${what}: ${said}`);
  const explained = new ExplainedError(withCode(told, code), { cause: error });
  explained.stack = isEnginesProcess && typeof urn === "string" ? shownAtResource : explained.message;
  return explained;
}

/** Without the trace of a defect, nobody could mend it. */
export function traceOf(error: unknown): string {
  return String((error instanceof Error && error.stack) || error);
}

/** An explained error that leaves an object in the state, with these outputs. The next up updates it. Pulumi's host reads its fields. */
export class LeavingError extends ExplainedError {
  readonly reasons: readonly string[];

  constructor(
    message: string,
    readonly id: string,
    public properties: Properties,
  ) {
    super(message);
    this.reasons = [message];
  }
}

/** The message without secrets. The name of the call stays whole: it is podlumi's own text and holds nothing secret. */
function messageWithout(error: ExpectedError, hidden: readonly string[]): string {
  const call = error instanceof ServiceError || error instanceof NoAnswerError ? error.call : "";
  const own = error.message.startsWith(call) ? call : "";
  return `${own}${masked(error.message.slice(own.length), hidden)}`;
}

/** Every text of sensitive fields and shared maps. One of a map that is in the resource's name stays, since messages have the name anyway. */
function secrets(fields: FieldTable, properties: Properties): string[] {
  const name = String(properties.name ?? "");
  const texts = (of: "sensitive" | "shared") =>
    Object.keys(fields).flatMap((field) => (fields[field]?.[of] ? textsIn(properties[field]) : []));
  return [...texts("sensitive"), ...texts("shared").filter((text) => !name.includes(text))];
}
