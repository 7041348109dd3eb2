import type { HttpResponse } from "./transport";

type Headers = HttpResponse["headers"];

/** A window of the account's rate limit, as a response reports it. Times are in seconds. */
export interface RateLimitWindow {
  /** `minute`, `hour`, `day`. */
  readonly name: string;
  readonly quota: number;
  readonly length: number;
  /** Requests that are left. */
  readonly left: number;
  /** Time until the next window begins. */
  readonly resets: number;
}

/** The entries of a header, by their names, each with its parameters, which have no order: `"minute";r=0;t=12, "hour";r=9;t=80`. */
function entriesIn(header: unknown): [name: string, parameters: Record<string, number>][] {
  const entries = String(header).matchAll(/"([^"]+)"((?:\s*;\s*\w+=[^;,]+)+)/g);
  return [...entries].map(([, name = "", rest = ""]) => {
    const parameters = [...rest.matchAll(/(\w+)=(\d+)/g)].map(([, key = "", value]) => [key, Number(value)]);
    return [name, Object.fromEntries(parameters)];
  });
}

/** What is left of each window. (API: General, rate limits) */
function remaining({ ratelimit }: Headers): Pick<RateLimitWindow, "name" | "left" | "resets">[] {
  // assumes: header * *: ratelimit
  return entriesIn(ratelimit).flatMap(([name, { r: left, t: resets }]) =>
    left === undefined || resets === undefined ? [] : [{ name, left, resets }],
  );
}

/**
 * The windows that a response describes completely: `RateLimit-Policy: "minute";q=60;w=60` has quotas and lengths. One without a
 * quota or a length is none: nothing could ever be sent in it, or it would never begin. (API: General, rate limits)
 */
export function windowsOf(headers: Headers): RateLimitWindow[] {
  // assumes: header * *: ratelimit-policy
  const policies = new Map(entriesIn(headers["ratelimit-policy"]));
  return remaining(headers).flatMap((window) => {
    const { q: quota = 0, w: length = 0 } = policies.get(window.name) ?? {};
    return quota > 0 && length > 0 ? [{ ...window, quota, length }] : [];
  });
}

/** Seconds after which a refusal allows another try; 0 when it does not say. (API: General, rate limits) */
export function retryAfter(headers: Headers): number {
  return pauseAsked(headers) || untilReset(headers);
}

/** The seconds of `Retry-After`, a number or a time, by the clock of the response itself; 0 where it does not say. */
export function pauseAsked({ date, "retry-after": asked }: Headers): number {
  const seconds = Number(asked);
  const until = Number.isNaN(seconds)
    ? (Date.parse(String(asked)) - Date.parse(String(date))) / 1000
    : seconds;
  return Math.max(0, until || 0);
}

/** Seconds until all used-up windows have ended; 0 when none is used up. */
function untilReset(headers: Headers): number {
  const usedUp = remaining(headers).filter(({ left }) => left === 0);
  return Math.max(0, ...usedUp.map(({ resets }) => resets));
}
