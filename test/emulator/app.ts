import fastify, { type FastifyInstance } from "fastify";
import type { LoggedRequest } from "./emulator";
import { operationOf } from "./graphql/server";
import type { Service } from "./state/service";

declare module "fastify" {
  interface FastifyRequest {
    logged: LoggedRequest;
  }
}

/** Bytes, above the largest payload of the queue. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** The HTTP server below all three interfaces. */
export function newApp(service: Service, log: LoggedRequest[]): FastifyInstance {
  const app = fastify({ bodyLimit: BODY_LIMIT, exposeHeadRoutes: false, forceCloseConnections: true });
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, text === "" ? undefined : JSON.parse(String(text)));
    } catch {
      done(Object.assign(new Error("request body is not valid JSON"), { statusCode: 400 }));
    }
  });

  // Every request of every interface passes here first.
  app.addHook("onRequest", async (request) => {
    request.logged = {
      at: service.clock.now(),
      interface: interfaceOf(request.url),
      method: request.method,
      path: request.url.replace(/api_key=[^&]*/, "api_key=***"),
      status: 0,
    };
    log.push(request.logged);
    if (service.timings.latency > 0) await service.clock.sleep(service.timings.latency);
  });
  app.addHook("preHandler", async ({ logged, body }) => {
    logged.body = body;
    if (logged.interface === "graphql") logged.operation = operationOf(body);
  });
  app.addHook("onSend", async ({ logged }, reply) => {
    logged.status = reply.statusCode;
  });
  return app;
}

function interfaceOf(url: string): LoggedRequest["interface"] {
  if (url.startsWith("/queue")) return "queue";
  return url.startsWith("/graphql") ? "graphql" : "rest";
}
