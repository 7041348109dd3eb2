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

/** Seconds after which a refusal allows another try; 0 when it does not say. (API: General, rate limits) */
export function retryAfter(headers: Headers): number {
  return pauseAsked(headers) || untilReset(headers);
}

/** The seconds of `Retry-After`, which is a number, or a time by the clock of the response; 0 without it. */
export function pauseAsked({ date, "retry-after": asked }: Headers): number {
  const seconds = Number(asked);
  const until = Number.isNaN(seconds)
    ? (Date.parse(String(asked)) - Date.parse(String(date))) / 1000
    : seconds;
  return Math.max(0, until || 0);
}

/** Seconds until all used-up windows have ended; 0 when none is used up. */
function untilReset(headers: Headers): number {
  const usedUp = usageOf(headers).filter(({ remaining }) => remaining === 0);
  return Math.max(0, ...usedUp.map(({ resets }) => resets));
}
