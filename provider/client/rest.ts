import { isNotFound, type Problem, ServiceError } from "./errors";
import { type Answer, type Effect, limits, listen, type Request, type Send } from "./transport";

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

  /** Everything in a collection. Pages are followed where the service has them. (API: pagination) */
  async list<T>(path: string, key: string): Promise<T[]> {
    const all: T[] = [];
    for (let cursor = ""; ; ) {
      const page = await this.get<Page>(withCursor(path, cursor));
      all.push(...((page[key] ?? []) as T[]));
      const next = page.pagination?.nextCursor;
      if (!next) return all;
      cursor = next;
    }
  }

  /** The last lines of a log, as `source: line`. A courtesy: nothing when they cannot be had. (API: Logs) */
  async lastLines(path: string, count: number): Promise<string[]> {
    const url = new URL(`${this.address}${path}?tail=${count}`);
    const headers = { accept: "text/event-stream", authorization: `Bearer ${this.apiKey}` };
    const text = await listen({ call: `GET ${path}`, effect: "read", method: "GET", url, headers }, 1_500);
    const events = text.split("\n").filter((line) => line.startsWith("data:"));
    return events.slice(-count).flatMap((event) => {
      try {
        const { source, line } = JSON.parse(event.slice("data:".length));
        return [`${source}: ${String(line).replaceAll(this.apiKey, "[secret]")}`];
      } catch {
        return [];
      }
    });
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

  /** Deletes; what is not there any more is deleted. */
  async delete(path: string): Promise<void> {
    try {
      await this.call("DELETE", path, "delete");
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private async call<T>(method: Request["method"], path: string, effect: Effect, body?: object): Promise<T> {
    const call = `${method} ${path}`;
    const answer = await this.send({
      call,
      effect,
      method,
      url: new URL(`${this.address}${path}`),
      headers: {
        accept: "application/json, application/problem+json",
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.status < 200 || answer.status > 299) throw refusal(call, answer);
    return (answer.status === 204 ? undefined : parse(call, answer)) as T;
  }
}

/** The error of an answer that is not a success. */
export function refusal(call: string, answer: Answer): ServiceError {
  const requestId = answer.headers["x-request-id"];
  return new ServiceError(
    call,
    answer.status,
    problem(answer.body),
    requestId === undefined ? undefined : `${requestId}`,
  );
}

/** Reads a problem object leniently: a gateway in between may answer anything. */
function problem(body: string): Problem {
  let fields: Record<string, unknown> = {};
  try {
    fields = Object(JSON.parse(body));
  } catch {
    // Not JSON, so not the service's own words: the status says what there is to say.
  }
  const text = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);
  return {
    title: text(fields.title, "without a reason"),
    detail: text(fields.detail, text(fields.message, "the answer does not say why")).replace(/\.$/, ""),
    errors: Array.isArray(fields.errors) ? fields.errors.filter((error) => typeof error === "string") : [],
  };
}

/** A body as JSON. What is no JSON, or nested deeper than any answer of the service, is no answer. */
export function parse(call: string, answer: Answer): unknown {
  const unreadable = (detail: string) =>
    new ServiceError(call, answer.status, { title: "with a body that cannot be read", detail, errors: [] });
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    throw unreadable("it is not JSON");
  }
  if (isDeeperThan(limits.depth, body)) throw unreadable(`it is nested deeper than ${limits.depth} levels`);
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
