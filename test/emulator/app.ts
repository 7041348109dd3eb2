import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { LoggedRequest } from "./emulator";
import type { Gate } from "./faults/gate";
import type { LateEffects } from "./faults/late";
import { operationOf } from "./graphql/server";
import { remember } from "./recent";
import type { Service } from "./state/service";

declare module "fastify" {
  interface FastifyRequest {
    logged: LoggedRequest;
    /** It brings a late effect about. What is logged then is the request that had the effect. */
    isLate: boolean;
    /** Milliseconds by which a fault wants what is read to be behind. */
    lag?: number;
  }
}

/** Bytes, above the largest payload of the queue. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** The HTTP server below everything. */
export function newApp(): FastifyInstance {
  const app = fastify({ bodyLimit: BODY_LIMIT, exposeHeadRoutes: false, forceCloseConnections: true });
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, text === "" ? undefined : JSON.parse(String(text)));
    } catch {
      done(Object.assign(new Error("request body is not valid JSON"), { statusCode: 400 }));
    }
  });
  return app;
}

interface Passage {
  service: Service;
  gate: Gate;
  late: LateEffects;
  log: LoggedRequest[];
}

/** Every request of every interface passes here: it is logged, and may meet a fault. */
export function passThrough(interfaces: FastifyInstance, { service, gate, late, log }: Passage): void {
  interfaces.addHook("onRequest", async (request, reply) => {
    const origin = late.claim(request);
    request.isLate = origin !== undefined;
    if (origin) {
      request.logged = origin;
      return;
    }
    const logged: LoggedRequest = {
      id: request.id,
      at: service.clock.now(),
      interface: interfaceOf(request.url),
      method: request.method,
      path: request.url.replace(/api_key=[^&]*/, "api_key=***"),
      client: keyOf(request).slice(-4),
      status: 0,
    };
    const arrived = performance.now();
    request.logged = logged;
    remember(log, logged);
    // Comes also when the connection breaks, where there is no answer.
    reply.raw.once("close", () => {
      logged.duration = performance.now() - arrived;
    });
    if (service.timings.latency > 0) await service.clock.sleep(service.timings.latency);
  });
  interfaces.addHook("preHandler", (request, reply, done) => {
    const { logged, body } = request;
    logged.body = body;
    if (logged.interface === "graphql") logged.operation = operationOf(body);
    // Without done() nothing more happens to the request. A promise could only say so by returning the
    // reply, and would then be rejected when a client leaves in the middle of a streamed body.
    gate.enter(request, reply).then((passes) => passes && done(), done);
  });
  interfaces.addHook("onSend", async (request, reply, payload) => {
    reply.header("date", new Date(service.clock.now()).toUTCString());
    const answer = await gate.leave(request, reply, payload);
    if (!request.isLate && !request.raw.socket.destroyed) request.logged.status = reply.statusCode;
    return answer;
  });
  // Here instead of above, so that requests to unknown addresses are logged as well.
  interfaces.setNotFoundHandler((_request, reply) => reply.status(404).send({ message: "not found" }));
}

/** The API key, wherever an interface has it. */
function keyOf({ headers, url }: FastifyRequest): string {
  return /[?&]api_key=([^&]*)/.exec(url)?.[1] ?? headers.authorization?.replace(/^Bearer /, "") ?? "";
}

function interfaceOf(url: string): LoggedRequest["interface"] {
  if (url.startsWith("/queue")) return "queue";
  return url.startsWith("/graphql") ? "graphql" : "rest";
}
