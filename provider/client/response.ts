import { STATUS_CODES } from "node:http";
import { ServiceError, unreadable } from "./errors";
import type { Problem, Remedy } from "./remedies";
import { type HttpResponse, limits } from "./transport";

/** `remedyOf` knows more of the interface than the status tells. */
export function errorOf(
  call: string,
  response: HttpResponse,
  remedyOf?: (status: number, said: Problem) => Remedy,
): ServiceError {
  const { status, headers } = response;
  const said = problem(response);
  const requestId = headers["x-request-id"]?.toString();
  return new ServiceError(call, status, said, requestId, remedyOf?.(status, said));
}

/** The members of a body; undefined where it is not JSON. */
function membersOf(body: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** A gateway may answer anything, so this takes any form. */
function problem({ status, body }: HttpResponse): Problem {
  // A gateway may say in plain text what is wrong.
  const fields = membersOf(body) ?? { message: sentence(body) };
  const text = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);
  // REST uses `detail`, gateways use `message`, and queues use `error`, whose form is not documented.
  const inner = text(fields.error, text(Object(fields.error).message, ""));
  const detail = text(fields.detail, text(fields.message, inner));
  const known =
    typeof fields.title === "string" && typeof fields.detail === "string" && fields.status === status;
  return {
    ...(known ? { known } : {}),
    title: text(fields.title, detail === "" ? "without a reason" : (STATUS_CODES[status] ?? "")),
    detail: (detail || "the response does not say why").replace(/\.$/, ""),
    errors: Array.isArray(fields.errors) ? fields.errors.filter((error) => typeof error === "string") : [],
  };
}

/** The first line of a plain text; empty for a page, and where it is too long to be meant for people. */
function sentence(body: string): string {
  const [line = ""] = body.trim().split(/[\r\n]/, 1);
  return line.length <= 300 && !line.startsWith("<") ? line : "";
}

/** No response of the service is nested deeper than `limits.depth`. */
export function parse(call: string, response: HttpResponse): unknown {
  let body: unknown;
  try {
    body = JSON.parse(response.body);
  } catch {
    throw unreadable(call, response.status, "it is not JSON");
  }
  if (isDeeperThan(limits.depth, body))
    throw unreadable(call, response.status, `it is nested deeper than ${limits.depth} levels`);
  return body;
}

/** Goes level by level, because recursion would overflow the stack on a very deep body. */
function isDeeperThan(depth: number, body: unknown): boolean {
  let level = [body];
  for (let reached = 0; level.length > 0; reached++) {
    if (reached > depth) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
