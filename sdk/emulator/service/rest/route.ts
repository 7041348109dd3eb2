import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Service } from "../state/service";

/** A permission that an operation asks of a key (API: Account limits; Balance; Tags). */
export type Scope = "account:read" | "billing:read" | "tags:read" | "tags:write";

export interface Call<Body, Query> {
  service: Service;
  params: { id: string; workerId: string; buildId: string; resourceType: string; resourceId: string };
  query: Query;
  body: Body;
  headers: IncomingHttpHeaders;
  /** Aborts when the connection closes. */
  signal: AbortSignal;
}

/** One operation of the REST interface. The server and the published schema are both made from it. */
export interface Route<Body = unknown, Query = unknown> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below /v2, with parameters in braces. */
  path: string;
  operationId: string;
  summary: string;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  /** Keys without it are answered 403. */
  scope?: Scope;
  /** Newer versions of the service answer this list in pages, newest first, or all of it as one page: how `handle` answers it. */
  paged?: "oldest first" | "newest first" | "one page";
  /** Status of an answer with a body. Default 200. Without a body the status is 204. */
  status?: 201;
  /** Returns the body. Undefined: no body. An async iterable: a stream of server-sent events. */
  handle(call: Call<Body, Query>): unknown;
}

/** Infers the types of body and query from their schemas. */
export function route<Body, Query>(route: Route<Body, Query>): Route {
  return route;
}
