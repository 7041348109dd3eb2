import { showWaiting } from "../engine/log";
import type { Clock } from "./clock";
import { patienceNow } from "./patience";
import { requests } from "./policy";
import { windowsOf } from "./rate-limit";
import type { Answer, Request, Send } from "./transport";

/** One window of the rate limit: `quota` requests in `length`. */
interface Window {
  readonly quota: number;
  /** Milliseconds. */
  readonly length: number;
  left: number;
  /** When the next window begins, in milliseconds since the epoch. */
  resets: number;
}

/** When less than this share of a quota is left, requests are spread over the rest of the window. */
const reserve = 1 / 4;

/**
 * The account's rate limit, as the service's answers report it. The window that needs the longest pause decides.
 * Requests go at full speed while much of the quota is left, and with pauses when little is left. Changes go before
 * reads. (API: General, rate limits)
 */
export class Quota {
  private readonly windows = new Map<string, Window>();
  private readonly queue: { readonly urgent: boolean; readonly go: () => void }[] = [];
  private onTheWay = 0;
  private sent = 0;
  private asleep = false;

  constructor(private readonly clock: Clock) {}

  /** Resolves when a request may be sent. Urgent requests overtake the others. */
  async turn(urgent: boolean): Promise<void> {
    const turn = new Promise<void>((go) => {
      const last = this.queue.findLastIndex((other) => other.urgent || !urgent);
      this.queue.splice(last + 1, 0, { urgent, go });
    });
    this.serve();
    await turn;
  }

  /** Counts a request that is sent now. */
  count(): void {
    this.onTheWay++;
    this.sent = this.clock.now();
    for (const window of this.windows.values()) window.left--;
  }

  /** Updates the windows after a request. Without an answer there are no headers. */
  learn(headers: Answer["headers"] = {}): void {
    this.onTheWay--;
    const now = this.clock.now();
    for (const { name, quota, left, ...seconds } of windowsOf(headers)) {
      const length = seconds.length * 1000;
      // A window ends after its own length at the latest, even if the answer says otherwise.
      const resets = now + Math.min(seconds.resets * 1000, length);
      const known = this.windows.get(name);
      // The answer does not count the requests that are still on their way. A known window has counted them here
      // already; from a new one they are subtracted.
      const same = known !== undefined && Math.abs(known.resets - resets) < length / 2;
      this.windows.set(name, {
        quota,
        length,
        left: same ? Math.min(known.left, left) : left - this.onTheWay,
        resets: same ? Math.min(known.resets, resets) : resets,
      });
    }
    this.serve();
  }

  /** Milliseconds until the next request may be sent. */
  pause(): number {
    const now = this.clock.now();
    const pauses = [...this.windows.values()].map((window) => {
      while (window.resets <= now) {
        window.resets += window.length;
        window.left = window.quota;
      }
      const time = window.resets - now;
      // Hours and days are too long to wait. The service refuses the request instead, and the error says why.
      if (window.length > requests.create.seconds * 1000) return 0;
      if (window.left <= 0) return time;
      return window.left < window.quota * reserve ? this.sent + time / window.left - now : 0;
    });
    return Math.max(0, ...pauses);
  }

  private serve(): void {
    while (this.queue.length > 0) {
      const pause = this.pause();
      if (pause > 0) {
        this.wake(pause);
        return;
      }
      this.count();
      this.queue.shift()?.go();
    }
  }

  private wake(pause: number): void {
    if (this.asleep) return;
    this.asleep = true;
    const awake = () => {
      this.asleep = false;
      this.serve();
    };
    // After a cancellation nobody waits any more: each request goes, and ends as it ends.
    const cancelled = () => {
      for (const { go } of this.queue.splice(0)) go();
    };
    this.clock.sleep(pause).then(awake, cancelled);
  }
}

/** Holds each request until the rate limit has room for it. Sends it at once when the caller would not wait so long. */
export function pace(next: Send, quota: Quota, clock: Clock): Send {
  return async (request: Request) => {
    const began = clock.now();
    const pause = quota.pause();
    if (pause <= patienceNow()) await quota.turn(request.effect !== "read");
    else quota.count();
    const held = pause > 0 ? clock.now() - began : 0;
    showWaiting("the account's rate limit", held);
    try {
      const answer = await next({ ...request, held });
      quota.learn(answer.headers);
      return answer;
    } catch (error) {
      quota.learn();
      throw error;
    }
  };
}
