import { showWaiting } from "../engine/log";
import type { Clock } from "./clock";
import { patienceNow } from "./patience";
import { requests } from "./policy";
import { retryAfter, windowsOf } from "./rate-limit";
import type { HttpResponse, Request, Send } from "./transport";

/** One window of the rate limit: `quota` requests in `length`. */
interface Window {
  readonly quota: number;
  /** Milliseconds. */
  readonly length: number;
  left: number;
  /** When the next window begins, in milliseconds since the epoch. */
  resets: number;
  /** Until when podlumi assumes that somebody else uses the same quota, in milliseconds since the epoch. */
  readonly sharedUntil: number;
}

/**
 * If less than this share is left of a quota that somebody else uses too, requests are spread over the rest of the
 * window. Two clients at full speed would use it up together.
 */
const reserve = 1 / 4;

/** Milliseconds of the longest window whose end is waited for. */
const longest = requests.create.seconds * 1000;

/**
 * A rate limit of the account, as the service's responses report it. The window that needs the longest pause decides.
 * Requests go at full speed while the window has room, and with pauses when somebody else takes the rest of it. Changes
 * go before reads. (API: General, rate limits)
 */
export class Quota {
  private readonly windows = new Map<string, Window>();
  private readonly queue: { readonly rank: number; readonly go: (giveBack: () => void) => void }[] = [];
  private onTheWay = 0;
  private sent = 0;
  /** When a refusal that told no window allows the next request, in milliseconds since the epoch. */
  private refusedUntil = 0;
  private asleep = false;

  constructor(private readonly clock: Clock) {}

  /**
   * Resolves when a request may be sent, with what gives the turn back. Requests of a higher rank overtake the others.
   */
  async turn(rank: number): Promise<() => void> {
    const turn = new Promise<() => void>((go) => {
      const last = this.queue.findLastIndex((other) => other.rank >= rank);
      this.queue.splice(last + 1, 0, { rank, go });
    });
    this.serve();
    return turn;
  }

  /** Counts a request that is sent now. Returns what takes that back. */
  private count(): () => void {
    const before = this.sent;
    const add = (requests: number) => {
      this.onTheWay += requests;
      for (const window of this.windows.values()) window.left -= requests;
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

  /** Updates the windows after a request. Without an answer there are no headers. */
  learn({ status, headers = {} }: Partial<HttpResponse> = {}): void {
    this.onTheWay--;
    const now = this.clock.now();
    const told = windowsOf(headers);
    for (const { name, quota, left, ...seconds } of told) {
      const length = seconds.length * 1000;
      // A window ends after its own length at the latest, even if the response says otherwise.
      const resets = now + Math.min(seconds.resets * 1000, length);
      const known = this.windows.get(name);
      // The response leaves out the requests that are still on their way. A known window has subtracted them already.
      const same = known !== undefined && Math.abs(known.resets - resets) < length / 2;
      // If the response has even fewer left, somebody else has used them.
      const isShared = same && left < known.left;
      this.windows.set(name, {
        quota,
        length,
        left: same ? Math.min(known.left, left) : left - this.onTheWay,
        resets: same ? Math.min(known.resets, resets) : resets,
        sharedUntil: isShared ? now + 2 * length : (known?.sharedUntil ?? 0),
      });
    }
    const refusal = status === 429 && told.length === 0 ? retryAfter(headers) * 1000 : 0;
    if (refusal <= longest) this.refusedUntil = Math.max(this.refusedUntil, now + refusal);
    this.serve();
  }

  /** Begins the next window where the time of one is over. */
  private rollOver(): void {
    for (const window of this.windows.values()) {
      while (window.resets <= this.clock.now()) {
        window.resets += window.length;
        // What is still on its way may count in the new window.
        window.left = window.quota - this.onTheWay;
      }
    }
  }

  /** Milliseconds until the next request may be sent. */
  pause(): number {
    this.rollOver();
    const now = this.clock.now();
    const pauses = [...this.windows.values()].map((window) => {
      const time = window.resets - now;
      // Hours and days are too long to wait. The service refuses the request instead, and the error says why.
      if (window.length > longest) return 0;
      if (window.left <= 0) return time;
      const isScarce = window.sharedUntil > now && window.left < window.quota * reserve;
      return isScarce ? this.sent + time / window.left - now : 0;
    });
    return Math.max(0, this.refusedUntil - now, ...pauses);
  }

  /** Whether to wait for requests under way: somebody else uses the same quota, and no more may go at once. */
  private isCrowded(): boolean {
    const now = this.clock.now();
    return [...this.windows.values()].some(
      ({ sharedUntil, quota }) => sharedUntil > now && this.onTheWay >= quota * reserve,
    );
  }

  private serve(): void {
    while (this.queue.length > 0 && !this.isCrowded()) {
      const pause = this.pause();
      if (pause > 0) {
        this.wake(pause);
        return;
      }
      const giveBack = this.count();
      this.queue.shift()?.go(giveBack);
    }
  }

  private wake(pause: number): void {
    if (this.asleep) return;
    this.asleep = true;
    const awake = () => {
      this.asleep = false;
      this.serve();
    };
    // After a cancellation nobody waits any more, so each request goes at once, however it ends.
    const cancelled = () => {
      this.asleep = false;
      for (const { go } of this.queue.splice(0)) {
        go(this.count());
      }
    };
    this.clock.sleep(pause).then(awake, cancelled);
  }
}

/** Changes go before reads. A request that was refused goes before both, or it might be refused until its time is over. */
function rankOf({ effect, after }: Request): number {
  if (after === "429") return 2;
  return effect === "read" ? 0 : 1;
}

/** What the service would answer now. */
function earlyResponse(milliseconds: number): HttpResponse {
  return { status: 429, headers: { "retry-after": String(Math.ceil(milliseconds / 1000)) }, body: "" };
}

/** Holds each request until the rate limit has room for it. Sends none whose caller would not wait so long. */
export function pace(next: Send, quota: Quota, clock: Clock): Send {
  return async (request: Request) => {
    const began = clock.now();
    const pause = quota.pause();
    // The service would only refuse it, and count it.
    if (pause > patienceNow()) return earlyResponse(pause);
    // What has been proven before a wait may not hold any more. A quota with hardly any room would never let the request go.
    for (;;) {
      const giveBack = await quota.turn(rankOf(request));
      const { proof } = request;
      if (proof === undefined || proof.isRecent() || clock.now() - began > longest) break;
      giveBack();
      await proof.renew();
    }
    const held = pause > 0 ? clock.now() - began : 0;
    showWaiting("the account's rate limit", held);
    request.onHeld?.(held);
    try {
      const response = await next({ ...request, held });
      quota.learn(response);
      const wait = response.status === 429 ? quota.pause() : 0;
      return wait > 0 && wait <= patienceNow() ? { ...response, paced: true } : response;
    } catch (error) {
      quota.learn();
      throw error;
    }
  };
}
