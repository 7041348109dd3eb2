import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { InnerRequest } from "../answer";
import type { Clock } from "../clock";
import type { LoggedRequest } from "../emulator";

/** Header of the request that the emulator sends itself. */
const HEADER = "x-late-effect";

/** Effects that come later than their errors. The emulator sends itself the request again and drops the answer. */
export class LateEffects {
  /** The clients' original requests, by random tokens that no client can guess. */
  private readonly due = new Map<string, LoggedRequest>();
  private forgotten = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly send: (request: InnerRequest) => Promise<unknown>,
  ) {}

  /** Makes the service act on the request after `ms` milliseconds. */
  plan(request: FastifyRequest, ms: number): void {
    // A read has no effect, and a streaming read would never end.
    if (request.method === "GET") return;
    // It can fail only when the emulator closes.
    this.clock
      .sleep(ms, this.forgotten.signal)
      .then(() => this.send(this.again(request)))
      .catch(() => undefined);
  }

  /** Drops the effects that are still to come. */
  forget(): void {
    this.forgotten.abort();
    this.forgotten = new AbortController();
  }

  /** The client's original request, if the emulator sent this one. Each token is valid once. */
  claim({ headers }: FastifyRequest): LoggedRequest | undefined {
    const token = String(headers[HEADER]);
    const logged = this.due.get(token);
    this.due.delete(token);
    return logged;
  }

  private again({ method, url, logged, body, headers }: FastifyRequest): InnerRequest {
    const { authorization } = headers;
    const token = randomUUID();
    this.due.set(token, logged);
    return {
      method,
      path: url,
      headers: {
        ...(authorization && { authorization }),
        ...(body !== undefined && { "content-type": "application/json" }),
        [HEADER]: token,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }
}
