import { once } from "node:events";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock";
import type { LoggedRequest } from "../emulator";
import { type Answer, answerOf, type OwnAnswer } from "./answers";
import type { Fault, Match, What, When } from "./fault";
import type { LateEffects } from "./late";
import { matches } from "./match";
import type { Faults } from "./plan";

/** Called just before the service acts on a request, or just after, then with the service's own answer. */
export type Listener = (request: LoggedRequest, answer?: OwnAnswer) => void | Promise<void>;

/** The answer to send. "own": the service's own answer. "none": no answer at all. */
type Outcome = Answer | "own" | "none";

/**
 * Applies faults and calls listeners, before and after the service acts. Requests that the service refuses
 * before it reads them (no key, too large, over the rate limit) never get here.
 */
export class Gate {
  private readonly listeners = new Set<{ when: When; match: Match; listener: Listener }>();
  /** The requests that the service is handling, each with the fault that will strike its answer. */
  private readonly inside = new WeakMap<FastifyRequest, Fault | undefined>();
  private readonly closing = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly faults: Faults,
    private readonly late: LateEffects,
  ) {}

  on(when: When, match: Match, listener: Listener): () => void {
    const entry = { when, match, listener };
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }

  /** Removes all listeners. */
  forget(): void {
    this.listeners.clear();
  }

  /** Called before the service acts. Returns whether the request goes on to the service. */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (request.isLate) {
      this.inside.set(request, undefined);
      return true;
    }
    await this.tell("before", request.logged);
    const fault = this.faults.take(request.logged);
    if (fault?.when === "before") {
      const outcome = await this.strike(fault.what, request, { status: 200, body: undefined });
      if (outcome === "none") return false;
      if (outcome !== "own") {
        reply.status(outcome.status).headers(outcome.headers).send(outcome.body);
        return false;
      }
    }
    this.inside.set(request, fault?.when === "after" ? fault : undefined);
    return true;
  }

  /** Called after the service has acted. Returns the body to send. */
  async leave(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    if (!this.inside.has(request)) return payload;
    const fault = this.inside.get(request);
    this.inside.delete(request);
    const own = { status: reply.statusCode, body: payload };
    await this.tell("after", request.logged, own);
    if (!fault) return payload;
    const outcome = await this.strike(fault.what, request, own);
    // With "none" the connection is gone, so the payload reaches nobody.
    if (outcome === "own" || outcome === "none") return payload;
    if (payload instanceof Readable) payload.destroy();
    // The new answer sets its own content type; an empty one has none.
    reply.removeHeader("content-type");
    reply.status(outcome.status).headers(outcome.headers);
    // With undefined, Fastify would keep the service's own body.
    return outcome.body ?? null;
  }

  /** Ends the delays, and the requests that never get an answer. */
  close(): void {
    this.closing.abort();
  }

  private async strike(what: What, request: FastifyRequest, own: OwnAnswer): Promise<Outcome> {
    const { socket } = request.raw;
    if ("later" in what) {
      const { later, reset, status = 504, detail } = what;
      this.late.plan(request, later);
      return this.strike(reset ? { reset } : { status, detail }, request, own);
    }
    if ("lag" in what) {
      request.lag = what.lag;
      return "own";
    }
    if ("delay" in what) {
      await this.clock.sleep(what.delay, this.closing.signal);
      return "own";
    }
    if ("reset" in what) {
      socket.resetAndDestroy();
      return "none";
    }
    if ("hang" in what) {
      // Of an emulator without a port, nothing else ends the connections when it closes.
      if (!socket.destroyed)
        await once(socket, "close", { signal: this.closing.signal }).catch(() => socket.destroy());
      return "none";
    }
    return answerOf(what, request.logged, own);
  }

  private async tell(when: When, request: LoggedRequest, answer?: OwnAnswer): Promise<void> {
    const told = [...this.listeners].filter((entry) => entry.when === when && matches(entry.match, request));
    for (const { listener } of told) await listener(request, answer);
  }
}
