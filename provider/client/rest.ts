import { STATUS_CODES } from "node:http";
import type { Advice, Problem } from "./errors";
import { isNotFound, ServiceError, unreadable } from "./errors";
import type { Listening } from "./events";
import type { LogLine, LogQuery, OpenStream } from "./logs";
import { logLines } from "./logs";
import type { Answer, Effect, Request, Send } from "./transport";
import { limits } from "./transport";

/** A path of REST v2 in which every value is escaped: `` path`/pods/${id}` ``. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

function withCursor(path: string, cursor: string): string {
  if (cursor === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
}

interface Page {
  readonly pagination?: { readonly nextCursor?: string | null };
  readonly [key: string]: unknown;
}

/** REST v2. Paths are relative to the configured address. (specification, "REST API v2" and "Authentication") */
export class Rest {
  constructor(
    private readonly send: Send,
    private readonly address: string,
    private readonly apiKey: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>("GET", path, "read");
  }

  /** The object, or undefined when there is none. Any other failure is an error, never an absence. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.get<T>(path);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** An answer that has a list under a key. */
  async getListed<T extends object>(path: string, key: keyof T & string): Promise<T> {
    const answer = Object(await this.get<T | null>(path)) as T;
    // Whoever answers without is not the service: nothing follows from what it does not list.
    if (!Array.isArray(answer[key])) throw unreadable(`GET ${path}`, 200, `it has no list of ${key}`);
    return answer;
  }

  /** Everything in a collection. Pages are followed where the service has them. (API: pagination) */
  async list<T>(path: string, key: string): Promise<T[]> {
    const all: T[] = [];
    const pages = new Set<string>();
    for (let cursor = ""; ; ) {
      const page = await this.getListed<Page>(withCursor(path, cursor), key);
      all.push(...(page[key] as T[]));
      const next = page.pagination?.nextCursor;
      if (!next) return all;
      const content = JSON.stringify(page[key]);
      if (pages.has(next) || pages.has(content))
        throw unreadable(`GET ${path}`, 200, "its pages go round in circles");
      pages.add(next).add(content);
      cursor = next;
    }
  }

  /** The lines of a log, oldest first. (API: Logs) */
  async *logs(path: string, asked: LogQuery, listening: Listening): AsyncGenerator<LogLine> {
    const open: OpenStream = async (path, headers, signal) => {
      const request = this.request("GET", path, "read");
      const sent = {
        ...request,
        headers: { ...request.headers, ...headers },
        streamed: true,
        signal,
      } as const;
      const answer = await this.send(sent);
      if (answer.stream === undefined) throw refusal(request.call, answer);
      return answer.stream;
    };
    for await (const { line, ...rest } of logLines(open, path, asked, listening)) {
      yield { ...rest, line: line.replaceAll(this.apiKey, "[secret]") };
    }
  }

  /** The last lines of a log, as `source: line`. A courtesy: nothing when they cannot be had. */
  async lastLines(path: string, count: number): Promise<string[]> {
    const lines: string[] = [];
    try {
      const listening = { quiet: 1_000, signal: AbortSignal.timeout(1_500) };
      for await (const { source, line } of this.logs(path, { tail: count }, listening)) {
        lines.push(`${source}: ${line}`);
      }
    } catch {
      // What was heard is what there is.
    }
    return lines.slice(-count);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call<T>("POST", path, "create", body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.call<T>("PATCH", path, "change", body);
  }

  /** Sets something whole. */
  put<T>(path: string, body: object): Promise<T> {
    return this.call<T>("PUT", path, "change", body);
  }

  /** Deletes. A success has no body: one with a body is somebody else's, and leaves open what was done. */
  async delete(path: string): Promise<void> {
    const answer = await this.call("DELETE", path, "delete");
    if (answer !== undefined) throw unreadable(`DELETE ${path}`, 200, "a deletion is answered without one");
  }

  private async call<T>(method: Request["method"], path: string, effect: Effect, body?: object): Promise<T> {
    const request = this.request(method, path, effect, body);
    const answer = await this.send(request);
    if (answer.status < 200 || answer.status > 299) throw refusal(request.call, answer);
    // A look is answered with what there is.
    const empty = answer.status === 204 && method !== "GET";
    return (empty ? undefined : parse(request.call, answer)) as T;
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

/** The error of an answer that is not a success, with its own advice where that is special. */
export function refusal(call: string, answer: Answer, advice?: Advice): ServiceError {
  const requestId = answer.headers["x-request-id"];
  return new ServiceError(
    call,
    answer.status,
    problem(answer),
    requestId === undefined ? undefined : `${requestId}`,
    advice,
  );
}

/** Reads a problem object leniently: a gateway in between may answer anything. */
function problem({ status, body }: Answer): Problem {
  let fields: Record<string, unknown> = {};
  try {
    fields = Object(JSON.parse(body));
  } catch {
    // Not JSON, so not the service's own words: the status says what there is to say.
  }
  const text = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);
  // REST says `detail`, gateways say `message`, and queues say `error`.
  const detail = text(fields.detail, text(fields.message, text(fields.error, "")));
  const known =
    typeof fields.title === "string" && typeof fields.detail === "string" && fields.status === status;
  return {
    ...(known ? { known } : {}),
    title: text(fields.title, detail === "" ? "without a reason" : (STATUS_CODES[status] ?? "")),
    detail: (detail || "the answer does not say why").replace(/\.$/, ""),
    errors: Array.isArray(fields.errors) ? fields.errors.filter((error) => typeof error === "string") : [],
  };
}

/** A body as JSON. What is no JSON, or nested deeper than any answer of the service, is no answer. */
export function parse(call: string, answer: Answer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    throw unreadable(call, answer.status, "it is not JSON");
  }
  if (isDeeperThan(limits.depth, body))
    throw unreadable(call, answer.status, `it is nested deeper than ${limits.depth} levels`);
  return body;
}

/** Level by level, since a recursion would end where such a body wants it to. */
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
