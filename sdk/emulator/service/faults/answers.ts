import { STATUS_CODES } from "node:http";
import type { Readable } from "node:stream";
import { GraphQLError } from "graphql";
import type { LoggedRequest } from "../emulator";
import { asServiceError } from "../graphql/errors";
import { PROBLEM_TYPE, problemBody } from "../rest/server";
import { Problem } from "../state/problem";
import { blanked, gzipBomb, MALFORMED, nested, oversized, truncated } from "./bodies";
import type { OtherAnswer, What } from "./fault";
import { type BrokenRule, brokenRule } from "./rules";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Absent: the answer has an empty body. */
  body?: string | Readable;
}

/** The service's own answer. Its body is undefined for a fault "before", because the service has not acted. */
export interface OwnAnswer {
  status: number;
  body: unknown;
}

/** The faults that replace the answer. The others concern the connection, or change what the service does. */
export type WrongAnswer = Exclude<
  What,
  { reset: true } | { delay: number } | { hang: true } | { later: number } | { lag: number }
>;

const JSON_TYPE = "application/json";

export function answerOf(what: WrongAnswer, request: LoggedRequest, own: OwnAnswer): Answer {
  if ("status" in what) {
    const { status, detail = STATUS_CODES[status] ?? "Error" } = what;
    return refusal(request, new Problem(status, detail));
  }
  if ("rateLimited" in what) return rateLimited(request, what.rateLimited.retryAfter);
  if (isBrokenRule(what)) return ruleAnswer(request, brokenRule(what, request));
  if ("answer" in what) return otherAnswer(what.answer);

  // A 204 has no body that a fault could spoil.
  const status = own.status === 204 ? 200 : own.status;
  const headers = { "content-type": JSON_TYPE };
  if ("malformed" in what) return { status, headers, body: MALFORMED };
  if ("blank" in what) return { status, headers, body: blanked(own.body, what.blank) };
  if ("truncated" in what) return { status, ...truncated(own.body, headers) };
  if ("nested" in what) return { status, headers, body: nested(what.nested) };
  if ("oversized" in what) return { status, headers, body: oversized(what.oversized) };
  return { status, headers: { ...headers, "content-encoding": "gzip" }, body: gzipBomb(what.gzipBomb) };
}

function otherAnswer({ status, body, text, type }: OtherAnswer): Answer {
  const usual = body !== undefined ? JSON_TYPE : text !== undefined ? "text/plain" : undefined;
  const contentType = type ?? usual;
  return {
    status,
    headers: contentType === undefined ? {} : { "content-type": contentType },
    body: body === undefined ? text : JSON.stringify(body),
  };
}

function rateLimited(request: LoggedRequest, retryAfter: number): Answer {
  const answer = refusal(request, new Problem(429, "rate limit exceeded for the minute window"));
  const headers = {
    ...answer.headers,
    ratelimit: `"minute";r=0;t=${retryAfter}`,
    "ratelimit-policy": `"minute";q=60;w=60`,
    "retry-after": String(retryAfter),
  };
  return { ...answer, headers };
}

const isBrokenRule = (what: WrongAnswer): what is BrokenRule =>
  "capacity" in what || "inUse" in what || "nameTaken" in what;

/** GraphQL reports a broken rule with HTTP 200. */
function ruleAnswer(request: LoggedRequest, problem: Problem): Answer {
  if (request.interface !== "graphql") return refusal(request, problem);
  const field = request.operation ?? "";
  const error = asServiceError(new GraphQLError(problem.detail, { path: [field], originalError: problem }));
  const body = JSON.stringify({ errors: [error], data: { [field]: null } });
  return { status: 200, headers: { "content-type": JSON_TYPE }, body };
}

/** An error status, in the form that the request's interface uses. */
function refusal(request: LoggedRequest, problem: Problem): Answer {
  const { status, detail } = problem;
  const headers = { "content-type": JSON_TYPE };
  switch (request.interface) {
    case "rest":
      return { status, headers: { "content-type": PROBLEM_TYPE }, body: problemBody(problem) };
    case "graphql":
      return { status, headers, body: JSON.stringify({ errors: [new GraphQLError(detail)] }) };
    case "queue":
      return { status, headers, body: JSON.stringify({ error: detail }) };
  }
}
