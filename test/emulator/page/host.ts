import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * A site of the open Web can make its name point at this machine, and would then be of one origin with the page
 * (DNS rebinding). An address cannot be made to point elsewhere, so addresses and localhost are all that is taken.
 */
export async function addressedDirectly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { hostname } = new URL(`http://${request.headers.host ?? ""}`);
  if (hostname === "localhost" || isIP(hostname.replace(/^\[(.*)\]$/, "$1"))) return;
  await reply
    .status(403)
    .send({ error: `use the emulator's IP address or localhost instead of ${hostname}` });
}
