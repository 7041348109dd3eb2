import type { FastifyReply } from "fastify";

/** Aborts when the connection of an answer closes. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
}
