import type { IncomingMessage } from "node:http";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Account } from "./account";
import type { LoggedRequest } from "./emulator";
import { serveFaults } from "./faults/control";
import { operationOf, serveGraphql } from "./graphql/server";
import { addressedDirectly } from "./page/host";
import { servePage } from "./page/server";
import { serveQueue } from "./queue/server";
import { remember } from "./recent";
import type { Route } from "./rest/route";
import { serveRest } from "./rest/server";

declare module "fastify" {
  interface FastifyRequest {
    /** The account that it reaches. */
    account: Account;
    logged: LoggedRequest;
    /** The emulator sent this request itself, for a late effect. `logged` is the client's original request. */
    isLate: boolean;
    /** Milliseconds by which a fault makes this read lag behind. */
    lag?: number;
  }
}

/** Bytes. Above the largest payload that the queue takes. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** All interfaces. `accountOf` tells the account of a request. */
export async function newApp(
  routes: Route[],
  accountOf: (request: IncomingMessage) => Account,
): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: BODY_LIMIT, exposeHeadRoutes: false });
  app.addHook("onRequest", (request, _reply, done) => {
    request.account = accountOf(request.raw);
    done();
  });
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, text === "" ? undefined : JSON.parse(String(text)));
    } catch {
      done(Object.assign(new Error("request body is not valid JSON"), { statusCode: 400 }));
    }
  });
  await app.register(
    named("interfaces", async (interfaces) => {
      passThrough(interfaces);
      await interfaces.register(
        named("rest", async (scope) => serveRest(scope, routes)),
        { prefix: "/v2" },
      );
      await interfaces.register(
        named("graphql", async (scope) => serveGraphql(scope)),
        { prefix: "/graphql" },
      );
      await interfaces.register(
        named("queue", async (scope) => serveQueue(scope)),
        { prefix: "/queue" },
      );
    }),
  );
  await app.register(
    named("controls", async (controls) => {
      controls.addHook("onRequest", addressedDirectly);
      await controls.register(
        named("faults", async (scope) => serveFaults(scope)),
        { prefix: "/faults" },
      );
      await controls.register(named("page", async (scope) => servePage(scope)));
    }),
  );
  await app.ready();
  return app;
}

/** A part of the server. Fastify would look through all loaded modules for its name, which takes longer than to start it. */
function named(name: string, serve: (scope: FastifyInstance) => Promise<void>): typeof serve {
  return Object.assign(serve, { [Symbol.for("fastify.display-name")]: name });
}

/** Logs every request of every interface, and lets the faults strike. */
function passThrough(interfaces: FastifyInstance): void {
  interfaces.addHook("onRequest", async (request, reply) => {
    const { service, late, log } = request.account;
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
    // Also fires when the connection breaks before there is an answer.
    reply.raw.once("close", () => {
      logged.duration = performance.now() - arrived;
    });
    if (service.timings.latency > 0) await service.clock.sleep(service.timings.latency);
    if (isTurnedAway(request)) return reply.status(403).type("text/plain").send("error code: 1010");
  });
  interfaces.addHook("preHandler", (request, reply, done) => {
    const { logged, body } = request;
    logged.body = body;
    if (logged.interface === "graphql") logged.operation = operationOf(body);
    // A request that must not reach the service never gets its done(). An async hook would have to return the
    // reply instead, and Fastify would reject its promise when a client leaves in the middle of a streamed body.
    request.account.gate.enter(request, reply).then((passes) => passes && done(), done);
  });
  interfaces.addHook("onSend", async (request, reply, payload) => {
    const { service, gate } = request.account;
    reply.header("date", new Date(service.clock.now()).toUTCString());
    const answer = await gate.leave(request, reply, payload);
    if (!request.isLate && !request.raw.socket.destroyed) request.logged.status = reply.statusCode;
    return answer;
  });
  // Set here rather than on the whole app, so that requests to unknown addresses are logged too.
  interfaces.setNotFoundHandler((_request, reply) => reply.status(404).send({ message: "not found" }));
}

/** Cloudflare stands before the service, and turns away who does not say who it is, or has the name that Python gives by default. */
const isTurnedAway = ({ headers }: FastifyRequest) =>
  /^(Python-urllib\/.*)?$/.test(headers["user-agent"] ?? "");

/** The API key, from the query (GraphQL) or from the header. */
function keyOf({ headers, url }: FastifyRequest): string {
  return /[?&]api_key=([^&]*)/.exec(url)?.[1] ?? headers.authorization?.replace(/^Bearer /, "") ?? "";
}

function interfaceOf(url: string): LoggedRequest["interface"] {
  if (url.startsWith("/queue")) return "queue";
  return url.startsWith("/graphql") ? "graphql" : "rest";
}
