import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock";
import type { LoggedRequest } from "../emulator";

/** Marks the request that brings a late effect about. */
const HEADER = "x-late-effect";

/** Effects that come later than their errors: the emulator sends itself the request, and nobody gets the answer. */
export class LateEffects {
  /** The requests that the clients had sent, by tokens that no client can know. */
  private readonly due = new Map<string, LoggedRequest>();

  constructor(private readonly clock: Clock) {}

  /** The service will act on the request in so many milliseconds, unless the signal aborts first. */
  plan(request: FastifyRequest, ms: number, signal: AbortSignal): void {
    // A read has no effect, and one that streams would never end.
    if (request.method === "GET") return;
    // Taken now: a connection that is cut has none.
    const { localAddress: host, localPort: port } = request.raw.socket;
    this.clock.sleep(ms, signal).then(
      () => this.send(request, { host, port }),
      () => undefined,
    );
  }

  /** The request whose effect this one brings about, if it is one of those. Each token counts once. */
  claim({ headers }: FastifyRequest): LoggedRequest | undefined {
    const token = String(headers[HEADER]);
    const logged = this.due.get(token);
    this.due.delete(token);
    return logged;
  }

  private send(request: FastifyRequest, address: { host?: string; port?: number }): void {
    const { method, url, logged, body, headers } = request;
    const { authorization } = headers;
    const token = randomUUID();
    this.due.set(token, logged);
    // Without an agent: a connection that was used before could break.
    const sent = httpRequest({
      ...address,
      method,
      path: url,
      agent: false,
      headers: {
        ...(authorization && { authorization }),
        ...(body !== undefined && { "content-type": "application/json" }),
        [HEADER]: token,
      },
    });
    // Nothing but the end of the emulator breaks it off.
    sent.on("response", (response) => response.resume()).on("error", () => undefined);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  }
}
