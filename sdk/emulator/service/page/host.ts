import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Refuses requests to any host but localhost and IP addresses. A hostile web site can let its own name resolve to
 * this machine (DNS rebinding); it would then have the same origin as the page. Nobody can redirect an IP address.
 */
export async function addressedDirectly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { hostname } = new URL(`http://${request.headers.host ?? ""}`);
  if (hostname === "localhost" || isIP(hostname.replace(/^\[(.*)\]$/, "$1"))) return;
  await reply
    .status(403)
    .send({ error: `use the emulator's IP address or localhost instead of ${hostname}` });
}
