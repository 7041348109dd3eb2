import { setMaxListeners } from "node:events";
import { showRetry } from "../engine/log";
import { type Ending, either } from "./cancel";
import { backoff, type Clock } from "./clock";
import { type Proof, patienceOf } from "./errand";
import { afterUnclear, mayHaveActed, NoAnswerError } from "./errors";
import { failure, nameOf } from "./hearing";
import { type RequestPolicy, requests, situations } from "./policy";
import { retryAfter } from "./rate-limit";
import type { HttpResponse, Request, Send } from "./transport";

/** Retries what the policy allows, with exponential backoff, until the time of the policy, of the caller or of the run is over. */
export function retry(next: Send, clock: Clock, ending: Ending = { clock }): Send {
  return (request) => new Attempts(request, next, request.errand?.unending ? { clock } : ending).send();
}

/** All attempts of one request. */
class Attempts {
  private readonly policy: RequestPolicy;
  private readonly proof: Request["proof"];
  private readonly clock: Clock;
  /** Ends an attempt. */
  private readonly signal: AbortSignal | undefined;
  private readonly began: number;
  /** The outcome of the last attempt, in short. */
  private after: string | undefined;
  /** Milliseconds that do not count as retries: the wait before the first attempt, and all proofs. */
  private uncounted = 0;
  /** The last outcome after which a change may have taken effect. */
  private open: Outcome | undefined;
  /** The sentence that says so. */
  private unclear: string | undefined;
  /** `pace` may renew the proof within `next`: its error is no outcome of the request. */
  private proofError: unknown;

  constructor(
    private readonly request: Request,
    private readonly next: Send,
    ending: Ending,
  ) {
    // Many requests may share a signal. Node.js takes more than ten listeners for a leak, and prints so.
    if (request.signal !== undefined) setMaxListeners(0, request.signal);
    this.policy = requests[request.effect];
    this.clock = ending.clock;
    this.signal = either(ending.signal, request.signal);
    this.began = this.clock.now();
    const proof = this.isRead ? undefined : request.errand?.proof;
    this.proof = proof && { isRecent: () => proof.isRecent(), renew: () => this.renew(proof) };
  }

  async send(): Promise<HttpResponse> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(attempt);
      const limit = this.limitAfter(outcome);
      const remaining = this.began + limit - this.clock.now();
      const pause = this.pauseAfter(outcome, attempt, remaining);
      if (pause === undefined)
        return { ...result(outcome), unclear: outcome === this.open ? undefined : this.unclear };
      // When the time is over, an earlier attempt that may have taken effect matters more than the last one.
      const isOver = this.request.signal?.aborted || remaining <= 0 || pause > remaining;
      if (isOver) return result(this.open ?? outcome);
      if (pause > 0) await this.wait(outcome, limit, pause);
    }
  }

  private get isRead(): boolean {
    return this.request.effect === "read";
  }

  private async attempt(attempt: number): Promise<Outcome> {
    const { request, proof, after, signal } = this;
    await proof?.renew();
    const onHeld = (held: number) => {
      // Later waits count as time of the retries.
      if (attempt === 0) this.uncounted += held;
    };
    const sent = this.next({ ...request, attempt: attempt + 1, after, onHeld, proof, signal });
    const outcome = await sent.catch((error: Error) => error);
    if (outcome === this.proofError) throw outcome;
    this.after = outcome instanceof Error ? failure(outcome) : String(outcome.status);
    const isUnclear =
      outcome instanceof Error ? mayHaveActed(outcome) : situations.unfinished.statuses(outcome.status);
    if (isUnclear && !this.isRead) {
      this.open = outcome;
      this.unclear = `Before that, ${request.call} had no clear answer (${this.after}), and may still take effect`;
    }
    return outcome;
  }

  private limitAfter(outcome: Outcome): number {
    const { seconds } = reachedNobody(outcome) ? situations.unreachable : this.policy;
    return Math.min(seconds * 1000 + this.uncounted, patienceOf(this.request.errand));
  }

  /**
   * Milliseconds before the request is sent again; undefined when it is not. A pause that the service asks for may exceed the remaining
   * time; backoff does not, so that the last attempt comes at its end.
   */
  private pauseAfter(outcome: Outcome, attempt: number, remaining: number): number | undefined {
    const { policy, clock } = this;
    const atLeast = (asked: number) =>
      asked + Math.min(backoff(attempt, clock), Math.max(0, remaining - asked));
    if (outcome instanceof NoAnswerError)
      return policy.ambiguous || reachedNobody(outcome) ? atLeast(0) : undefined;
    if (outcome instanceof Error) return undefined;
    const { status, headers, paced } = outcome;
    if (!policy.statuses(status)) return undefined;
    // The rate limit knows when the next attempt makes sense, and in which order.
    if (paced) return 0;
    return atLeast(retryAfter(headers) * 1000);
  }

  private async wait(outcome: Outcome, limit: number, pause: number): Promise<void> {
    const { request, clock } = this;
    const what = `${nameOf(request)} ${outcome instanceof Error ? "got" : "answered"} ${this.after}`;
    showRetry(request.errand?.urn, what, limit, clock.now() - this.began, pause);
    await clock.sleep(pause, request.signal).catch((error) => {
      throw afterUnclear(error, this.unclear);
    });
  }

  private async renew(proof: Proof): Promise<void> {
    const began = this.clock.now();
    await proof.renew().catch((error) => {
      this.proofError = afterUnclear(error, this.unclear);
      throw this.proofError;
    });
    this.uncounted += this.clock.now() - began;
  }
}

/** A response, or why there is none. */
type Outcome = HttpResponse | Error;

function result(outcome: Outcome): HttpResponse {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

function reachedNobody(outcome: Outcome): boolean {
  return outcome instanceof NoAnswerError && !outcome.mayHaveActed;
}
