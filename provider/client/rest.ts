import { STATUS_CODES } from "node:http";
import { deferred } from "../deferred";
import type { Advice, Problem } from "./advice";
import { systemClock, timeOf } from "./clock";
import { ExpectedError, isNotFound, leavingOpen, ServiceError, unreadable } from "./errors";
import { events } from "./events";
import type { LogLine, LogQuery, LogReading } from "./logs";
import { linesIn } from "./logs";
import { query } from "./query";
import type { Effect, HttpResponse, Request, Send } from "./transport";
import { limits } from "./transport";

/** A path in which every value is escaped: `` path`/pods/${id}` ``. Throws for a value that is no {@link segment}. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((left, right, index) => `${left}${segment(left, values[index - 1] as string)}${right}`);
}

/** Half of a surrogate pair, which no address can hold. */
const half = /\p{Surrogate}/u;

/**
 * One value of a path, escaped. Throws for anything that leads elsewhere than to one object: an empty text leads to the whole
 * collection, and addresses resolve the dots.
 */
export function segment(left: string, value: string): string {
  const isId = typeof value === "string" && !["", ".", ".."].includes(value) && !half.test(value);
  if (isId) return encodeURIComponent(value);
  const given = typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
  throw new ExpectedError(
    `${left} needs an id, not ${deferred(value) ?? `${given}: check where the program gets it`}`,
    "PODLUMI-INVALID",
  );
}

function withCursor(path: string, cursor: string): string {
  if (cursor === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
}

interface Page {
  readonly pagination?: { readonly nextCursor?: string | null; readonly hasNextPage?: boolean };
  readonly [key: string]: unknown;
}

/** REST v2. Paths are relative to the configured address. (API: General) */
export class Rest {
  constructor(
    private readonly send: Send,
    private readonly address: string,
    private readonly apiKey: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>("GET", path, "read");
  }

  /** The object, or undefined when the service says that there is none. Every other failure throws. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.get<T>(path);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** A response with a list under `key`. */
  async getListed<T extends object>(path: string, key: keyof T & string): Promise<T> {
    const response = Object(await this.get<T | null>(path)) as T;
    // A response without the list is not the service's, so it does not prove that anything is missing.
    if (!Array.isArray(response[key])) throw unreadable(`GET ${path}`, 200, `it has no list of ${key}`);
    return response;
  }

  /** All objects of a collection. Follows pages where the service has them. (API: pagination) */
  async list<T>(path: string, key: string): Promise<T[]> {
    const all: T[] = [];
    const pages = new Set<string>();
    for (let cursor = ""; ; ) {
      const page = await this.getListed<Page>(withCursor(path, cursor), key);
      all.push(...(page[key] as T[]));
      const { nextCursor: next, hasNextPage } = page.pagination ?? {};
      if (!next && hasNextPage === true)
        throw unreadable(`GET ${path}`, 200, "it has a next page, and no cursor for it");
      if (!next) return all;
      const content = JSON.stringify(page[key]);
      if (pages.has(next) || pages.has(content))
        throw unreadable(`GET ${path}`, 200, "its pages go round in circles");
      pages.add(next).add(content);
      cursor = next;
    }
  }

  /** The lines of a log, oldest first. (API: Logs) */
  async *logs(
    path: string,
    asked: LogQuery,
    { follow, quiet = 2_000, signal }: LogReading,
  ): AsyncGenerator<LogLine> {
    const request = this.request("GET", `${path}${query(asked)}`, "read");
    /** When the log was opened, by the service's clock and by the one here. */
    let opened: { readonly there: number; readonly here: number } | undefined;
    /** A line of a later time, which also comes later: the host that writes it may have a clock of its own. */
    const isToCome = (ts: string) =>
      opened !== undefined && timeOf(ts) - opened.there > quiet && systemClock.now() - opened.here > quiet;
    const open = async (lastEventId: string | undefined) => {
      const headers = {
        ...request.headers,
        accept: "text/event-stream",
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      };
      const response = await this.send({ ...request, headers, streamed: true, signal });
      if (response.stream === undefined) throw errorOf(request.call, response);
      opened ??= { there: Date.parse(String(response.headers.date)), here: systemClock.now() };
      return response.stream;
    };
    for await (const { data } of events(open, { quiet: follow ? undefined : quiet, signal }))
      for (const { line, ...rest } of linesIn(data)) {
        if (!follow && isToCome(rest.ts)) return;
        yield { ...rest, line: line.replaceAll(this.apiKey, "[secret]") };
      }
  }

  /** The last lines of a log. They only add detail to a message, so failures are ignored. */
  async lastLines(path: string, count: number): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    try {
      const reading = { quiet: 1_000, signal: AbortSignal.timeout(1_500) };
      for await (const line of this.logs(path, { tail: count }, reading)) lines.push(line);
    } catch {
      // Return the lines that arrived.
    }
    return lines.slice(-count);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call<T>("POST", path, "create", body);
  }

  patch<T>(path: string, body: object, effect: "change" | "restart" = "change"): Promise<T> {
    return this.call<T>("PATCH", path, effect, body);
  }

  /** Replaces the whole value at a path. */
  put<T>(path: string, body: object): Promise<T> {
    return this.call<T>("PUT", path, "change", body);
  }

  /** Deletes an object. A success of the service has no body. One with a body is a gateway's, and proves nothing. */
  async delete(path: string): Promise<void> {
    const response = await this.call("DELETE", path, "delete");
    if (response !== undefined) throw unreadable(`DELETE ${path}`, 200, "a deletion is answered without one");
  }

  private async call<T>(method: Request["method"], path: string, effect: Effect, body?: object): Promise<T> {
    const request = this.request(method, path, effect, body);
    const response = await this.send(request);
    if (response.status < 200 || response.status > 299)
      throw leavingOpen(errorOf(request.call, response), response.unclear);
    // A response to GET always has a body, so 204 is unreadable there.
    const empty = response.status === 204 && method !== "GET";
    return (empty ? undefined : parse(request.call, response)) as T;
  }

  private request(method: Request["method"], path: string, effect: Effect, body?: object): Request {
    return {
      call: `${method} ${path}`,
      effect,
      method,
      url: new URL(`${this.address}${path}`),
      headers: {
        accept: "application/json, application/problem+json",
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }
}

/** The error for a response that is not a success. `advice` replaces the usual advice. */
export function errorOf(call: string, response: HttpResponse, advice?: Advice): ServiceError {
  const requestId = response.headers["x-request-id"];
  return new ServiceError(
    call,
    response.status,
    problem(response),
    requestId === undefined ? undefined : `${requestId}`,
    advice,
  );
}

/** Reads a problem document leniently, because a gateway may answer anything. */
function problem({ status, body }: HttpResponse): Problem {
  let fields: Record<string, unknown> = {};
  try {
    fields = Object(JSON.parse(body));
  } catch {
    // Not JSON, so not the service's own form. A gateway may say in plain text what is wrong.
    fields = { message: sentence(body) };
  }
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

/** The first line of a plain text, if it is short enough to be one for people. A page is none. */
function sentence(body: string): string {
  const [line = ""] = body.trim().split(/[\r\n]/, 1);
  return line.length <= 300 && !line.startsWith("<") ? line : "";
}

/** Parses a body. Throws when it is not JSON, or is nested deeper than any response of the service. */
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
