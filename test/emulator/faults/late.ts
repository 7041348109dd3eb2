import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock";
import type { LoggedRequest } from "../emulator";

/** Header of the request that the emulator sends itself. */
const HEADER = "x-late-effect";

/** Effects that come later than their errors. The emulator sends itself the request again and drops the answer. */
export class LateEffects {
  /** The clients' original requests, by random tokens that no client can guess. */
  private readonly due = new Map<string, LoggedRequest>();

  constructor(private readonly clock: Clock) {}

  /** Makes the service act on the request after `ms` milliseconds, unless the signal aborts first. */
  plan(request: FastifyRequest, ms: number, signal: AbortSignal): void {
    // A read has no effect, and a streaming read would never end.
    if (request.method === "GET") return;
    // Taken now, because a closed connection no longer has its addresses.
    const { localAddress: host, localPort: port } = request.raw.socket;
    this.clock.sleep(ms, signal).then(
      () => this.send(request, { host, port }),
      () => undefined,
    );
  }

  /** The client's original request, if the emulator sent this one. Each token is valid once. */
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
    // No agent: a reused connection could break.
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
    // It can fail only when the emulator closes.
    sent.on("response", (response) => response.resume()).on("error", () => undefined);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  }
}
