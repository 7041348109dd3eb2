import { showWaiting } from "../engine/log";
import type { Clock } from "./clock";
import { patienceNow } from "./patience";
import { requests } from "./policy";
import { windowsOf } from "./rate-limit";
import type { Answer, Request, Send } from "./transport";

/** One of the service's windows: so many requests in so much time. */
interface Window {
  readonly quota: number;
  /** Milliseconds. */
  readonly length: number;
  left: number;
  /** When it begins anew. */
  resets: number;
}

/** Below this part of a quota, what is left is spread over the time until the window begins anew. */
const reserve = 1 / 4;

/**
 * The account's rate limit, as the service's answers tell it: the window that is closest to its end of quota rules.
 * Requests go at full speed while there is plenty, and one by one when there is little, changes before reads.
 * (API: General, rate limits)
 */
export class Quota {
  private readonly windows = new Map<string, Window>();
  private readonly queue: { readonly urgent: boolean; readonly go: () => void }[] = [];
  private onTheWay = 0;
  private sent = 0;
  private asleep = false;

  constructor(private readonly clock: Clock) {}

  /** Resolves when a request may go. */
  async turn(urgent: boolean): Promise<void> {
    const turn = new Promise<void>((go) => {
      const last = this.queue.findLastIndex((other) => other.urgent || !urgent);
      this.queue.splice(last + 1, 0, { urgent, go });
    });
    this.serve();
    await turn;
  }

  /** A request goes. */
  count(): void {
    this.onTheWay++;
    this.sent = this.clock.now();
    for (const window of this.windows.values()) window.left--;
  }

  /** Reads what an answer, or no answer, says of the windows. */
  learn(headers: Answer["headers"] = {}): void {
    this.onTheWay--;
    const now = this.clock.now();
    for (const { name, quota, left, ...seconds } of windowsOf(headers)) {
      const length = seconds.length * 1000;
      // A window is over after its own length at the latest, whatever the answer says.
      const resets = now + Math.min(seconds.resets * 1000, length);
      const known = this.windows.get(name);
      // The service does not count yet what is on its way; what was sent in this window is counted here already.
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

  /** Milliseconds until the next request may go. */
  pause(): number {
    const now = this.clock.now();
    const pauses = [...this.windows.values()].map((window) => {
      while (window.resets <= now) {
        window.resets += window.length;
        window.left = window.quota;
      }
      const time = window.resets - now;
      // Hours and days are no time to wait for: the service's refusal ends in an error that says so.
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
    this.clock.sleep(pause).then(() => {
      this.asleep = false;
      this.serve();
    });
  }
}

/** Sends each request when the account's rate limit has room for it, or at once where that is beyond patience. */
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
