import { showWaiting } from "../engine/log";
import { whenAborted } from "./cancel";
import type { Clock } from "./clock";
import { patienceOf } from "./errand";
import { longest, Windows } from "./rate-limit";
import type { HttpResponse, Request, Send } from "./transport";

/** Changes go before reads. A refused request goes before both, or it might be refused until its time is over. */
function rankOf({ effect, after }: Request): number {
  if (after === "429") return 2;
  return effect === "read" ? 0 : 1;
}

/** Holds each request until the rate limit has room for it. */
export function pace(next: Send, quota: Quota, clock: Clock): Send {
  return async (request: Request) => {
    const { errand, proof } = request;
    const patience = patienceOf(errand);
    const began = clock.now();
    const pause = quota.pause();
    // The service would answer the same, and count it.
    if (pause > patience)
      return { status: 429, headers: { "retry-after": String(Math.ceil(pause / 1000)) }, body: "" };
    showWaiting(errand?.urn, "the account's rate limit", pause);
    // A proof may not hold after a wait. It is renewed only for so long, or a quota with hardly any room would never let the request go.
    for (;;) {
      const giveBack = await quota.turn(rankOf(request), errand?.unending);
      if (proof === undefined || proof.isRecent() || clock.now() - began > longest) break;
      giveBack();
      await proof.renew();
    }
    const held = pause > 0 ? clock.now() - began : 0;
    request.onHeld?.(held);
    try {
      const response = await next({ ...request, held });
      quota.learn(response);
      const wait = response.status === 429 ? quota.pause() : 0;
      return wait > 0 && wait <= patience ? { ...response, paced: true } : response;
    } catch (error) {
      quota.learn();
      throw error;
    }
  };
}

interface Waiting {
  readonly rank: number;
  readonly unending: boolean;
  readonly go: (giveBack: () => void) => void;
}

/** The turns of requests under one rate limit: at full speed while it has room, and with pauses where somebody else uses it too. */
export class Quota {
  private readonly windows: Windows;
  private queue: Waiting[] = [];
  private asleep: AbortController | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly cancelled?: AbortSignal,
  ) {
    this.windows = new Windows(clock);
    if (cancelled !== undefined) whenAborted(cancelled, () => this.release());
  }

  /**
   * Resolves when a request may be sent, with a function that gives the turn back. Requests of a higher rank go first. After a
   * cancellation, only an unending request waits.
   */
  async turn(rank: number, unending = false): Promise<() => void> {
    if (this.cancelled?.aborted && !unending) return this.take();
    const turn = new Promise<() => void>((go) => {
      this.queue.push({ rank, unending, go });
      this.queue.sort((a, b) => b.rank - a.rank);
    });
    this.serve();
    return turn;
  }

  /** Updates the windows after a request. */
  learn(response?: Partial<HttpResponse>): void {
    this.windows.learn(response);
    this.serve();
  }

  /** Milliseconds until the next request may be sent. */
  pause(): number {
    return this.windows.pause();
  }

  private take(): () => void {
    const giveBack = this.windows.take();
    return () => {
      giveBack();
      this.serve();
    };
  }

  /** Lets requests go at once whose outcome nobody waits for any more. */
  private release(keepUnending = true): void {
    const stays = ({ unending }: Waiting) => unending && keepUnending;
    const released = this.queue.filter((waiting) => !stays(waiting));
    this.queue = this.queue.filter(stays);
    for (const { go } of released) go(this.take());
    // A timer keeps its process alive.
    if (this.queue.length === 0) this.asleep?.abort();
  }

  private serve(): void {
    while (this.queue.length > 0 && !this.windows.areCrowded()) {
      const pause = this.pause();
      if (pause > 0) return void this.wake(pause);
      const giveBack = this.take();
      this.queue.shift()?.go(giveBack);
    }
  }

  private async wake(pause: number): Promise<void> {
    if (this.asleep !== undefined) return;
    this.asleep = new AbortController();
    const slept = this.clock.sleep(pause, this.asleep.signal);
    const isOver = await slept.then(
      () => true,
      () => false,
    );
    this.asleep = undefined;
    // A clock that has ended serves no pauses.
    if (isOver) this.serve();
    else this.release(false);
  }
}
