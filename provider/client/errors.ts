import { withCode } from "../codes";
import { isLoopback } from "./loopback";
import { refusals, situations } from "./policy";
import type { Problem, Remedy } from "./remedies";
import { remedies, remedyFor } from "./remedies";

/** A failure that is no defect of podlumi: its message is enough, without a stack trace. */
export class ExpectedError extends Error {
  /** An earlier attempt of the same request had no clear answer. */
  declare readonly wasUnclear?: true;
  /** A read failed, which changes nothing, whatever it was answered. */
  declare readonly isOfRead?: true;

  constructor(
    message: string,
    /** Names its entry in docs/troubleshooting.md. The code stays the same when the message changes. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** For requests whose answer is not needed. A defect of podlumi stays an error. */
export function undefinedIfExpected(error: unknown): undefined {
  if (!(error instanceof ExpectedError)) throw error;
}

export function errorText({ message, code }: ExpectedError): string {
  return withCode(message, code);
}

/** A copy of a failure with one more sentence, since several callers may have the failure. Any other error stays as it is. */
export function extended(error: unknown, sentence: string, code?: string): unknown {
  if (!(error instanceof ExpectedError)) return error;
  const end = /[.?!]$/.test(error.message) ? "" : ".";
  const message = { value: `${error.message}${end} ${sentence}`, writable: true, configurable: true };
  return Object.create(error, { message, ...(code !== undefined && { code: { value: code } }) });
}

/** A failure with a sentence about an earlier attempt of its request that had no clear answer. */
export function afterUnclear(error: unknown, sentence: string | undefined): unknown {
  if (sentence === undefined) return error;
  const failure = extended(error, sentence);
  return failure instanceof ExpectedError ? Object.create(failure, { wasUnclear: { value: true } }) : failure;
}

/** Throws a failure as that of a read, which changes nothing. */
export function failAsRead(error: unknown): never {
  throw error instanceof ExpectedError ? Object.create(error, { isOfRead: { value: true } }) : error;
}

export function isAnswered(
  error: unknown,
  { statuses }: { statuses(status: number): boolean },
): error is ServiceError {
  return error instanceof ServiceError && statuses(error.status);
}

/** The service answered with a failure, or its response cannot be read. */
export class ServiceError extends ExpectedError {
  constructor(
    /** The request without secrets: `POST /pods`, `GraphQL secretCreate`. */
    readonly call: string,
    /** Of the response. */
    readonly status: number,
    /** The service's own words. */
    readonly problem: Problem,
    /** The service's id of the request, for its support. */
    readonly requestId?: string,
    { code, next }: Remedy = remedyFor(status),
  ) {
    const errors = problem.errors.length > 0 ? ` (${problem.errors.join("; ")})` : "";
    const request = requestId === undefined ? "" : ` [request ${requestId}]`;
    const answered =
      problem.code === undefined ? `answered ${status} ${problem.title}` : `was refused (${problem.code})`;
    super(`${call} ${answered}: ${problem.detail}${errors}${request}.${next && ` ${next}`}`, code);
    this.name = "ServiceError";
  }
}

export function hasStatus(error: unknown, status: number): error is ServiceError {
  return error instanceof ServiceError && error.status === status;
}

/** No answer arrived, or only a part of one. */
export class NoAnswerError extends ExpectedError {
  constructor(
    /** The request without secrets: `POST /pods`, `GraphQL secretCreate`. */
    readonly call: string,
    /** Scheme, host and port. */
    readonly origin: string,
    /** The request may have reached the service, which then may have acted on it. */
    readonly mayHaveActed: boolean,
    /** Such as `ECONNREFUSED`. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    const next = mayHaveActed
      ? ", and it is unknown whether the service acted on it."
      : `. Check ${reachable(new URL(origin))}, and the address: ${remedies().addresses}.`;
    super(`${call} got no answer from ${origin}: ${reason}${next}`, "PODLUMI-NO-ANSWER", options);
    this.name = "NoAnswerError";
  }
}

const reachable = (url: URL) =>
  isLoopback(url) ? "whether the emulator still runs there" : "the network, the proxy in HTTPS_PROXY";

/**
 * A request failed, but the service may have done it. It was not repeated, since that could do it twice. `cause` is
 * the failure.
 *
 * @example
 * ```ts
 * try {
 *   await endpoint.run(request);
 * } catch (error) {
 *   if (!(error instanceof UnknownOutcomeError)) throw error;
 *   const { jobs } = await endpoint.health(); // see whether the job exists before you send it again
 * }
 * ```
 */
export class UnknownOutcomeError extends ExpectedError {
  constructor(
    /** The request without secrets: `POST /pods`, `GraphQL secretCreate`. */
    readonly call: string,
    /** The failure that left it open. */
    override readonly cause: Error,
  ) {
    super(`${cause.message} It was not retried, since it may have taken effect.`, "PODLUMI-UNKNOWN-OUTCOME", {
      cause,
    });
    this.name = "UnknownOutcomeError";
  }
}

/** The beginning of a sentence about a failed request. */
export function outcomeOf(error: Error): string {
  if (error instanceof NoAnswerError) return `${error.call} got no answer (${error.reason})`;
  if (error instanceof ServiceError) return `${error.call} answered ${error.status} ${error.problem.title}`;
  return error.message.replace(/\.$/, "");
}

/** With this configuration no request is possible. */
export class ConfigurationError extends ExpectedError {
  constructor(message: string) {
    super(message, "PODLUMI-CONFIGURATION");
    this.name = "ConfigurationError";
  }
}

/** The service itself answers that there is no such object. A gateway's 404 proves nothing. (API: Errors) */
// assumes: status GET */{id}
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404) && error.problem.known === true;
}

/** A 404 of somebody else: the address is wrong, or a gateway answers. */
export function isOfAnotherAddress(error: unknown): error is ServiceError {
  return hasStatus(error, 404) && error.problem.known !== true;
}

/** A success whose body cannot be read. */
export function unreadable(call: string, status: number, detail: string): ServiceError {
  return new ServiceError(call, status, { title: "with a body that cannot be read", detail, errors: [] });
}

export function isUnreadable(error: unknown): boolean {
  return error instanceof ServiceError && !isRefusal(error) && error.status < 300;
}

/** A failed request may have taken effect after no answer, 408, 5xx or an unreadable response, of any attempt. */
export function mayHaveActed(error: unknown): boolean {
  if (error instanceof ExpectedError && error.wasUnclear) return true;
  if (error instanceof ExpectedError && error.isOfRead) return false;
  if (error instanceof NoAnswerError) return error.mayHaveActed;
  if (!(error instanceof ServiceError) || isRefusal(error)) return false;
  return situations.unfinished.statuses(error.status) || isUnreadable(error);
}

/** A change may have taken effect. A gateway may answer 404 to a request that the service has done. */
export function isUnclear(error: unknown): boolean {
  return mayHaveActed(error) || (isOfAnotherAddress(error) && !error.isOfRead);
}

/** A rule of the service refused the request: 400 or 409 from REST, code `RUNPOD` from GraphQL. (API: Errors) */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return refusals(error.status) || error.problem.code === "RUNPOD";
}
