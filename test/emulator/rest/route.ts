import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Service } from "../state/service";

export interface Call<Body, Query> {
  service: Service;
  params: { id: string; workerId: string };
  query: Query;
  body: Body;
  headers: IncomingHttpHeaders;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
}

/** One operation of the REST interface: the server and its published schema both come from this. */
export interface Route<Body = unknown, Query = unknown> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /v2, with parameters in braces. */
  path: string;
  operationId: string;
  summary: string;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  /** A list that newer versions of the service hand out in pages. */
  paged?: true;
  /** Of an answer that has a body; without one it is 204. */
  status?: 201;
  /** An async iterable becomes a stream of server-sent events. */
  handle(call: Call<Body, Query>): unknown;
}

/** Lets the types of body and query follow from their schemas. */
export function route<Body, Query>(route: Route<Body, Query>): Route {
  return route;
}
