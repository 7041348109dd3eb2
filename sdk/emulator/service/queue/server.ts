import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { whenGone } from "../gone";
import { Problem } from "../state/problem";
import type { Service } from "../state/service";
import { validate } from "../validation";
import { serveBatches } from "./batches";
import { LIMIT, submission } from "./submission";

/** Milliseconds for which /runsync waits. (API: Send requests) */
const waiting = z.object({ wait: z.coerce.number().pipe(z.int().min(1_000).max(300_000)).default(90_000) });
const statusQuery = z.object({ ttl: z.coerce.number().pipe(z.int().min(1)).optional() });

interface Params {
  endpointId: string;
  jobId: string;
}

/** The queue interface of Serverless endpoints, and the health check of load-balanced ones. */
export function serveQueue(app: FastifyInstance): void {
  const jobsOf = ({ account }: FastifyRequest) => account.service.jobs;
  const params = (request: FastifyRequest) => request.params as Params;

  app.addHook("onRequest", async (request) => {
    // Takes the bare key or a bearer token. (API: Serverless, queue)
    const key = request.headers.authorization?.replace(/^Bearer /, "");
    if (!key || !request.account.accepts(key)) throw new Problem(401, "Unauthorized");
  });
  app.setErrorHandler((error, _request, reply) => {
    const { status, message } = queueError(error);
    return reply.status(status).send({ error: message });
  });

  app.post("/v2/:endpointId/run", { bodyLimit: LIMIT.run }, (request) =>
    jobsOf(request).submit(params(request).endpointId, validate(submission, request.body)),
  );
  app.post("/v2/:endpointId/runsync", { bodyLimit: LIMIT.runsync }, async (request, reply) => {
    const { endpointId } = params(request);
    const { wait } = validate(waiting, request.query);
    const { id } = jobsOf(request).submit(endpointId, validate(submission, request.body), true);
    return jobsOf(request).wait(endpointId, id, wait, whenGone(reply));
  });
  app.get("/v2/:endpointId/status/:jobId", (request) => {
    const { endpointId, jobId } = params(request);
    return jobsOf(request).status(endpointId, jobId, validate(statusQuery, request.query).ttl);
  });
  // Older clients of the service wait for a job here. (API: Serverless, queue)
  app.route({
    method: ["GET", "POST"],
    url: "/v2/:endpointId/status-sync/:jobId",
    handler: async (request, reply) => {
      const { endpointId, jobId } = params(request);
      const { wait } = validate(waiting, request.query);
      return jobsOf(request).wait(endpointId, jobId, wait, whenGone(reply));
    },
  });
  app.get("/v2/:endpointId/stream/:jobId", (request) => {
    const { endpointId, jobId } = params(request);
    const stream = jobsOf(request).stream(endpointId, jobId);
    if (!request.account.streamStatus) return stream;
    const { status } = jobsOf(request).status(endpointId, jobId);
    return { status, stream: stream.map(({ output }) => ({ output })) };
  });
  app.post("/v2/:endpointId/cancel/:jobId", (request) => {
    const { endpointId, jobId } = params(request);
    return jobsOf(request).cancel(endpointId, jobId);
  });
  app.post("/v2/:endpointId/retry/:jobId", (request) => {
    const { endpointId, jobId } = params(request);
    return jobsOf(request).retry(endpointId, jobId);
  });
  app.post("/v2/:endpointId/purge-queue", (request) => {
    const removed = jobsOf(request).purge(params(request).endpointId);
    return { removed, status: "completed" };
  });
  app.get("/v2/:endpointId/health", (request) => jobsOf(request).health(params(request).endpointId));
  serveBatches(app);
  app.get("/load-balancer/:endpointId/*", async (request, reply) => {
    const status = loadBalancerHealth(request.account.service, params(request).endpointId, request.url);
    return reply.status(status).send();
  });
}

/** 200 when a worker is ready, 204 before that. Workers are not emulated, so all other paths answer 404. */
function loadBalancerHealth(service: Service, endpointId: string, url: string): number {
  const endpoint = service.endpoints.get(endpointId);
  if (endpoint.type !== "LOAD_BALANCER" || !endpoint.requestUrls.health?.endsWith(url))
    throw new Problem(404, "not found");
  const { summary } = service.endpoints.workers(endpointId);
  return summary.idle + summary.running > 0 ? 200 : 204;
}

/** The service documents only classes of statuses, so an invalid request is 400. */
function queueError(error: unknown): { status: number; message: string } {
  if (error instanceof Problem && error.status === 422)
    return { status: 400, message: error.errors?.join("; ") ?? error.detail };
  if (error instanceof Problem) return { status: error.status, message: error.detail };
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  return { status: statusCode, message };
}
