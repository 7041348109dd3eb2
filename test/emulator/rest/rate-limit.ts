import type { Clock } from "../clock";

/** Quotas of the REST interface. The defaults are too high for anybody to meet. */
export interface RateLimitOptions {
  /** Requests a minute, hour and day. */
  minute?: number;
  hour?: number;
  day?: number;
  /** Seconds that a minute lasts: less saves time. Default 60. */
  minuteSeconds?: number;
  /** Whether requests beyond the quota are refused; the headers are there in any case. */
  enforce?: boolean;
}

export interface RateLimitState {
  headers: Record<string, string>;
  /** The window whose quota is used up, when that matters. */
  exceeded?: string;
}

const WINDOWS = ["minute", "hour", "day"] as const;
type WindowName = (typeof WINDOWS)[number];

/** Counts in fixed windows (API: General, RateLimit headers). */
export class RateLimiter {
  private readonly quota: Record<WindowName, number>;
  private readonly seconds: Record<WindowName, number>;
  private readonly enforce: boolean;
  private readonly used = new Map<WindowName, { window: number; count: number }>();

  constructor(
    private readonly clock: Clock,
    {
      minute = 10_000,
      hour = 200_000,
      day = 2_000_000,
      minuteSeconds = 60,
      enforce = false,
    }: RateLimitOptions,
  ) {
    this.quota = { minute, hour, day };
    this.seconds = { minute: minuteSeconds, hour: 3600, day: 86_400 };
    this.enforce = enforce;
  }

  take(): RateLimitState {
    const now = Math.floor(this.clock.now() / 1000);
    const windows = WINDOWS.map((name) => {
      const window = Math.floor(now / this.seconds[name]);
      const before = this.used.get(name);
      const count = (before?.window === window ? before.count : 0) + 1;
      this.used.set(name, { window, count });
      return {
        name,
        quota: this.quota[name],
        left: this.quota[name] - count,
        reset: (window + 1) * this.seconds[name] - now,
      };
    });
    const exceeded = this.enforce ? windows.findLast(({ left }) => left < 0) : undefined;
    return {
      exceeded: exceeded?.name,
      headers: {
        RateLimit: windows
          .map(({ name, left, reset }) => `"${name}";r=${Math.max(0, left)};t=${reset}`)
          .join(", "),
        "RateLimit-Policy": windows
          .map(({ name, quota }) => `"${name}";q=${quota};w=${this.seconds[name]}`)
          .join(", "),
        ...(exceeded && { "Retry-After": String(exceeded.reset) }),
      },
    };
  }
}
