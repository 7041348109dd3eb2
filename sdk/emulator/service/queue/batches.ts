import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { validate } from "../validation";
import { LIMIT, submission } from "./submission";

const requests = z.array(submission);
const page = z.object({
  offset: z.coerce.number().pipe(z.int().min(0)).default(0),
  limit: z.coerce.number().pipe(z.int().min(1)).default(50),
});

/** The batches of an endpoint. (API: Batch jobs) */
export function serveBatches(app: FastifyInstance): void {
  const batchesOf = ({ account }: FastifyRequest) => account.service.batches;
  const params = (request: FastifyRequest) => {
    const { endpointId, batchId } = request.params as { endpointId: string; batchId: string };
    return [endpointId, batchId] as const;
  };

  app.post("/v2/:endpointId/batch", { bodyLimit: LIMIT.batch }, (request) =>
    batchesOf(request).create(params(request)[0], validate(requests, request.body)),
  );
  app.get("/v2/:endpointId/batch/:batchId", (request) => batchesOf(request).status(...params(request)));
  app.post("/v2/:endpointId/batch/:batchId/requests", { bodyLimit: LIMIT.batch }, (request) =>
    batchesOf(request).add(...params(request), validate(z.object({ requests }), request.body).requests),
  );
  app.get("/v2/:endpointId/batch/:batchId/requests", (request) => {
    const { offset, limit } = validate(page, request.query);
    return batchesOf(request).requests(...params(request), offset, limit);
  });
  app.post("/v2/:endpointId/batch/:batchId/finalize", (request) =>
    batchesOf(request).finalize(...params(request)),
  );
  app.post("/v2/:endpointId/batch/:batchId/cancel", (request) =>
    batchesOf(request).cancel(...params(request)),
  );
}
