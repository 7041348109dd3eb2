import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { faultSchema } from "./fault";
import type { Injection } from "./plan";

/** The fault plan over HTTP. It is not part of the service, so it needs no key and is not logged. */
export function serveFaults(app: FastifyInstance): void {
  app.get("/", ({ account: { faults } }) => ({
    plan: faults.plan,
    injected: faults.injected.map(withoutBody),
  }));
  app.post("/", (request, reply) => {
    const body = Array.isArray(request.body) ? request.body : [request.body];
    const wanted = z.array(faultSchema).safeParse(body);
    if (!wanted.success) return reply.status(400).send({ error: z.prettifyError(wanted.error) });
    return reply.status(201).send({ ids: wanted.data.map((fault) => request.account.faults.add(fault)) });
  });
  app.delete("/", ({ account }, reply) => {
    account.faults.clear();
    return reply.status(204).send();
  });
  app.delete<{ Params: { id: string } }>("/:id", ({ account, params }, reply) => {
    const removed = account.faults.remove(params.id);
    return reply.status(removed ? 204 : 404).send();
  });
}

/** Bodies may contain secrets, and this interface needs no key. */
function withoutBody({ request: { body, ...request }, ...injection }: Injection) {
  return { ...injection, request };
}
