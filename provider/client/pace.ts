import { showWaiting } from "../engine/log";
import { whenAborted } from "./cancel";
import type { Clock } from "./clock";
import { patienceOf } from "./errand";
import { requests } from "./policy";
import { retryAfter, windowsOf } from "./rate-limit";
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
    // A proof may not hold after a wait. It is renewed only for so long, or a quota with hardly any room would never let the request go.
    for (;;) {
      const giveBack = await quota.turn(rankOf(request), errand?.unending);
      if (proof === undefined || proof.isRecent() || clock.now() - began > longest) break;
      giveBack();
      await proof.renew();
    }
    const held = pause > 0 ? clock.now() - began : 0;
    showWaiting(errand?.urn, "the account's rate limit", held);
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

/** One window of the rate limit: `quota` requests in `length`. Times are in milliseconds (since the epoch). */
interface Window {
  readonly quota: number;
  readonly length: number;
  remaining: number;
  /** When the next window begins. */
  resets: number;
  /** Until when podlumi assumes that somebody else uses the same quota. */
  readonly sharedUntil: number;
}

/**
 * Below this share of a quota that somebody else uses too, requests are spread over the rest of the window: two clients at full speed
 * would use it up together.
 */
const reserve = 1 / 4;

/** Windows that are longer than these milliseconds are not waited for. */
const longest = requests.create.seconds * 1000;

interface Waiting {
  readonly rank: number;
  readonly unending: boolean;
  readonly go: (giveBack: () => void) => void;
}

/**
 * A rate limit of the account, as responses report it. The window that needs the longest pause decides. Requests go at full speed while
 * it has room, and with pauses where somebody else uses it too. (API: General, rate limits)
 */
export class Quota {
  private readonly windows = new Map<string, Window>();
  private queue: Waiting[] = [];
  private onTheWay = 0;
  private sent = 0;
  /** When a refusal without windows allows the next request, in milliseconds since the epoch. */
  private refusedUntil = 0;
  private asleep: AbortController | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly cancelled?: AbortSignal,
  ) {
    if (cancelled !== undefined) whenAborted(cancelled, () => this.release());
  }

  /**
   * Resolves when a request may be sent, with a function that gives the turn back. Requests of a higher rank go first. After a
   * cancellation, only an unending request waits.
   */
  async turn(rank: number, unending = false): Promise<() => void> {
    if (this.cancelled?.aborted && !unending) return this.count();
    const turn = new Promise<() => void>((go) => {
      this.queue.push({ rank, unending, go });
      this.queue.sort((a, b) => b.rank - a.rank);
    });
    this.serve();
    return turn;
  }

  /** Lets requests go at once whose outcome nobody waits for any more. */
  private release(keepUnending = true): void {
    const stays = ({ unending }: Waiting) => unending && keepUnending;
    const released = this.queue.filter((waiting) => !stays(waiting));
    this.queue = this.queue.filter(stays);
    for (const { go } of released) go(this.count());
    // A timer keeps its process alive.
    if (this.queue.length === 0) this.asleep?.abort();
  }

  /** Counts a request as sent. Returns a function that takes that back. */
  private count(): () => void {
    const before = this.sent;
    const add = (requests: number) => {
      this.onTheWay += requests;
      for (const window of this.windows.values()) window.remaining -= requests;
    };
    add(1);
    const sent = this.clock.now();
    this.sent = sent;
    return () => {
      add(-1);
      // Another request may have been sent meanwhile.
      if (this.sent === sent) this.sent = before;
      this.serve();
    };
  }

  /** Updates the windows after a request. */
  learn({ status, headers = {} }: Partial<HttpResponse> = {}): void {
    this.onTheWay--;
    const now = this.clock.now();
    const reported = windowsOf(headers);
    for (const { name, quota, remaining, ...seconds } of reported) {
      const length = seconds.length * 1000;
      // A window ends after its own length at the latest, even if the response says otherwise.
      const resets = now + Math.min(seconds.resets * 1000, length);
      const known = this.windows.get(name);
      // The response leaves out the requests that are still on their way. A known window has subtracted them already.
      const same = known !== undefined && Math.abs(known.resets - resets) < length / 2;
      // Where even fewer remain, somebody else has used them.
      const isShared = same && remaining < known.remaining;
      this.windows.set(name, {
        quota,
        length,
        remaining: same ? Math.min(known.remaining, remaining) : remaining - this.onTheWay,
        resets: same ? Math.min(known.resets, resets) : resets,
        sharedUntil: isShared ? now + 2 * length : (known?.sharedUntil ?? 0),
      });
    }
    const refusal = status === 429 && reported.length === 0 ? retryAfter(headers) * 1000 : 0;
    if (refusal <= longest) this.refusedUntil = Math.max(this.refusedUntil, now + refusal);
    this.serve();
  }

  /** Milliseconds until the next request may be sent. */
  pause(): number {
    const now = this.clock.now();
    const pauses = [...this.windows.values()].map((window) => {
      while (window.resets <= now) {
        window.resets += window.length;
        // Requests on their way may count in the new window.
        window.remaining = window.quota - this.onTheWay;
      }
      const time = window.resets - now;
      // Hours and days are too long to wait. The service refuses the request instead, and the error says why.
      if (window.length > longest) return 0;
      if (window.remaining <= 0) return time;
      const isScarce = window.sharedUntil > now && window.remaining < window.quota * reserve;
      return isScarce ? this.sent + time / window.remaining - now : 0;
    });
    return Math.max(0, this.refusedUntil - now, ...pauses);
  }

  /** True while requests under way may use up a quota that somebody else uses too. */
  private isCrowded(): boolean {
    const now = this.clock.now();
    return [...this.windows.values()].some(
      ({ sharedUntil, quota }) => sharedUntil > now && this.onTheWay >= quota * reserve,
    );
  }

  private serve(): void {
    while (this.queue.length > 0 && !this.isCrowded()) {
      const pause = this.pause();
      if (pause > 0) return void this.wake(pause);
      const giveBack = this.count();
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
