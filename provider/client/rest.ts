import { deferred } from "../deferred";
import { systemClock, timeOf } from "./clock";
import { afterUnclear, ExpectedError, failAsRead, isNotFound, unreadable } from "./errors";
import { events } from "./events";
import { type LogLine, type LogQuery, type LogReading, linesIn } from "./logs";
import { remedyOfRest } from "./remedies";
import { errorOf, parse } from "./response";
import type { Effect, Request, Send } from "./transport";

/** A path in which every value is escaped: `` path`/pods/${id}` ``. Throws for a value that is no {@link segment}. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce(
    (start, rest, index) => `${start}${segment(start, values[index - 1] as string)}${rest}`,
  );
}

/** No address can hold half of a surrogate pair. */
const half = /\p{Surrogate}/u;

/** One value of a path, escaped. Throws where it does not lead to one object: `""` leads to the collection, and dots to another path. */
export function segment(start: string, value: string): string {
  const isId = typeof value === "string" && !["", ".", ".."].includes(value) && !half.test(value);
  if (isId) return encodeURIComponent(value);
  const shown = typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
  throw new ExpectedError(
    `${start} needs an id, not ${deferred(value) ?? `${shown}: check where the program gets it`}`,
    "PODLUMI-INVALID",
  );
}

/** A query string, `""` without parameters. Lists are joined by commas, which are not escaped. (API: Catalog) */
export function query(parameters: object): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
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
    return this.call<T>("GET", path, "read").catch(failAsRead);
  }

  /** Undefined only when the service itself says that there is no such object. */
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

  /** All objects of a collection, from all its pages. (API: pagination) */
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
    /** By the service's clock and by the one here. */
    let opened: { readonly there: number; readonly here: number } | undefined;
    // Both clocks count: the host that writes a line may have a clock of its own.
    const isToCome = (ts: string) =>
      opened !== undefined && timeOf(ts) - opened.there > quiet && systemClock.now() - opened.here > quiet;
    const open = async (lastEventId: string | undefined) => {
      const headers = {
        ...request.headers,
        accept: "text/event-stream",
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      };
      const response = await this.send({ ...request, headers, streamed: true, signal });
      if (response.stream === undefined)
        throw errorOf(request.call, response, remedyOfRest(request.method, path));
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

  put<T>(path: string, body?: object): Promise<T> {
    return this.call<T>("PUT", path, "change", body);
  }

  /** A success of the service has no body. A success with a body is a gateway's, and proves nothing. */
  async delete(path: string): Promise<void> {
    const response = await this.call("DELETE", path, "delete");
    if (response !== undefined) throw unreadable(`DELETE ${path}`, 200, "a deletion is answered without one");
  }

  private async call<T>(method: Request["method"], path: string, effect: Effect, body?: object): Promise<T> {
    const request = this.request(method, path, effect, body);
    const response = await this.send(request);
    if (response.status < 200 || response.status > 299)
      throw afterUnclear(errorOf(request.call, response, remedyOfRest(method, path)), response.unclear);
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
