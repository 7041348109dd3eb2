import type { Clock } from "./clock";
import { requests } from "./policy";
import type { HttpResponse } from "./transport";

type Headers = HttpResponse["headers"];

/** A window of the account's rate limit, as a response reports it. Times are in seconds. */
interface RateLimitWindow {
  /** `minute`, `hour`, `day`. */
  readonly name: string;
  readonly quota: number;
  readonly length: number;
  /** Requests that may still be sent. */
  readonly remaining: number;
  /** Time until the next window begins. */
  readonly resets: number;
}

/** The entries of a header, with their parameters in any order: `"minute";r=0;t=12, "hour";r=9;t=80`. */
function entriesIn(header: unknown): [name: string, parameters: Record<string, number>][] {
  const entries = String(header).matchAll(/"([^"]+)"((?:\s*;\s*\w+=[^;,]+)+)/g);
  return [...entries].map(([, name = "", rest = ""]) => {
    const parameters = [...rest.matchAll(/(\w+)=(\d+)/g)].map(([, key = "", value]) => [key, Number(value)]);
    return [name, Object.fromEntries(parameters)];
  });
}

/** (API: General, rate limits) */
function usageOf({ ratelimit }: Headers): Pick<RateLimitWindow, "name" | "remaining" | "resets">[] {
  // assumes: header * *: ratelimit
  return entriesIn(ratelimit).flatMap(([name, { r: remaining, t: resets }]) =>
    remaining === undefined || resets === undefined ? [] : [{ name, remaining, resets }],
  );
}

/**
 * The windows that a response describes with a quota and a length: `RateLimit-Policy: "minute";q=60;w=60`. With a zero for either, no
 * request could ever be sent. (API: General, rate limits)
 */
export function windowsOf(headers: Headers): RateLimitWindow[] {
  // assumes: header * *: ratelimit-policy
  const policies = new Map(entriesIn(headers["ratelimit-policy"]));
  return usageOf(headers).flatMap((window) => {
    const { q: quota = 0, w: length = 0 } = policies.get(window.name) ?? {};
    return quota > 0 && length > 0 ? [{ ...window, quota, length }] : [];
  });
}

/** Seconds after which a response allows another try: `Retry-After`, which is a number or a time by its clock, or the end of what is used up. */
export function retryAfter(headers: Headers): number {
  const { date, "retry-after": asked } = headers;
  const seconds = Number(asked);
  const until = Number.isNaN(seconds)
    ? (Date.parse(String(asked)) - Date.parse(String(date))) / 1000
    : seconds;
  return until > 0 ? until : untilReset(headers);
}

/** Seconds until all used-up windows have ended; 0 when none is used up. */
function untilReset(headers: Headers): number {
  const usedUp = usageOf(headers).filter(({ remaining }) => remaining === 0);
  return Math.max(0, ...usedUp.map(({ resets }) => resets));
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
export const longest = requests.create.seconds * 1000;

/** The windows of a rate limit, as responses report them. The one that needs the longest pause decides. (API: General, rate limits) */
export class Windows {
  private readonly windows = new Map<string, Window>();
  private onTheWay = 0;
  private sent = 0;
  /** When a refusal without windows allows the next request, in milliseconds since the epoch. */
  private refusedUntil = 0;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Counts a request as sent. Returns a function that takes that back. */
  take(): () => void {
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
  areCrowded(): boolean {
    const now = this.clock.now();
    return [...this.windows.values()].some(
      ({ sharedUntil, quota }) => sharedUntil > now && this.onTheWay >= quota * reserve,
    );
  }
}
