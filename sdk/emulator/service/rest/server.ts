import { METHODS, STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Account } from "../account";
import { whenGone } from "../gone";
import { POD_BODY_LIMIT, podTooLarge } from "../state/new-pod";
import { Problem } from "../state/problem";
import type { Service } from "../state/service";
import { validate } from "../validation";
import { openApiOf } from "./openapi";
import { paginate } from "./pagination";
import type { Call, Route } from "./route";

/** The methods that clients may try on a path, allowed or not. Node.js 20 does not know QUERY. */
const OTHER_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"].filter((method) =>
  METHODS.includes(method),
);

/** The REST interface: authorization, limits, validation, form of the answers. */
export function serveRest(app: FastifyInstance, routes: Route[]): void {
  const isSchema = (request: FastifyRequest) => request.url === "/v2/openapi.json";

  app.addHook("onRequest", async (request, reply) => {
    // The original request of a late effect has passed these checks already.
    if (isSchema(request) || request.isLate) return;
    // The service checks the size of a pod request before anything else (API: Pods, create).
    const bytes = Number(request.headers["content-length"] ?? 0);
    if (request.method === "POST" && request.url === "/v2/pods" && bytes > POD_BODY_LIMIT)
      throw podTooLarge();
    const { accepts, limiter } = request.account;
    authorize(request.headers.authorization, accepts);
    const { headers, exceeded } = limiter.take();
    // assumes: header * *: x-request-id
    reply.headers({ ...headers, "x-request-id": request.id });
    if (exceeded) throw new Problem(429, `rate limit exceeded for the ${exceeded} window`);
  });
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, problemOf(error)));
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, new Problem(404, "The requested path was not found.")),
  );

  app.get("/openapi.json", () => openApiOf(routes));
  for (const route of routes) serveRoute(app, route);
  for (const path of new Set(routes.map(({ path }) => path))) {
    const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
    app.route({
      method: OTHER_METHODS.filter((method) => !(allowed as string[]).includes(method)),
      url: urlOf(path),
      // Answers before it reads the body, which does not matter here.
      onRequest: async (_request, reply) => {
        // assumes: header PUT *: allow
        reply.header("Allow", allowed.join(", "));
        // assumes: status, value PUT *: title, detail
        throw new Problem(405, "The requested method is not allowed for this path.");
      },
      handler: async () => undefined,
    });
  }
}

function serveRoute(app: FastifyInstance, route: Route): void {
  app.route({
    method: route.method,
    url: urlOf(route.path),
    bodyLimit: route.operationId === "createPod" ? POD_BODY_LIMIT : undefined,
    handler: async (request, reply) => {
      const { scopes, pagination } = request.account;
      if (route.scope && scopes && !scopes.includes(route.scope))
        throw new Problem(403, `the API key lacks the scope ${route.scope}`);
      const result = await route.handle(callOf(route, request, reply));
      const { paged } = route;
      return answer(route, paged && pagination ? paginate(result, request.query, paged) : result, reply);
    },
  });
}

const urlOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, ":$1");

function authorize(header: string | undefined, accepts: (key: string) => boolean): void {
  const key = /^Bearer (.+)$/.exec(header ?? "")?.[1];
  // assumes: status, value GET /pods: title, detail
  if (key === undefined) throw new Problem(401, "missing bearer token");
  if (!accepts(key)) throw new Problem(401, "invalid bearer token");
}

function callOf(route: Route, request: FastifyRequest, reply: FastifyReply): Call<unknown, unknown> {
  const { query, body } = route;
  if (body && request.body === undefined) throw new Problem(400, "request body is required");
  return {
    params: request.params as Call<unknown, unknown>["params"],
    query: query && validate(query, request.query),
    body: body && validate(body, request.body),
    headers: request.headers,
    signal: whenGone(reply),
    service: serviceFor(route, request),
  };
}

/** Only reads lag. Writes act on the present account and return it. */
function serviceFor({ method, path }: Route, { account, lag }: FastifyRequest): Service {
  const { service, past }: Account = account;
  if (method === "GET") return path.includes("{") ? past.read(lag) : past.listed(lag);
  past.note();
  return service;
}

function answer(route: Route, result: unknown, reply: FastifyReply): FastifyReply {
  // assumes: status DELETE *
  if (result === undefined) return reply.status(204).send();
  if (typeof result === "object" && result !== null && Symbol.asyncIterator in result)
    return reply
      .headers({
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-cache",
        "X-Accel-Buffering": "no",
      })
      .send(Readable.from(result as AsyncIterable<string>));
  // assumes: status POST *
  return reply.status(route.status ?? 200).send(result);
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  return new Problem(statusCode, message);
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.status(problem.status).type(PROBLEM_TYPE).send(problemBody(problem));
}

// assumes: header * *: content-type
export const PROBLEM_TYPE = "application/problem+json";

/** An error body: those fields of RFC 9457 that the service uses. */
export const problemBody = ({ status, detail, errors }: Problem) =>
  // assumes: field, value * *: title, status, detail, errors*
  JSON.stringify({ title: STATUS_CODES[status] ?? "Error", status, detail, ...(errors && { errors }) });
