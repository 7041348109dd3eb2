import type { Clock } from "./clock";

/** Quotas of an interface. The defaults are too high for any test to reach. */
export interface RateLimitOptions {
  /** Requests per minute, hour and day. Defaults 10,000, 200,000 and 2,000,000. */
  minute?: number;
  hour?: number;
  day?: number;
  /** Length of the "minute" window in seconds. A shorter one saves time. Default 60. */
  minuteSeconds?: number;
  /** Requests beyond the quota are refused. Default false. */
  enforce?: boolean;
  /** Each answer tells the windows. Otherwise only a refusal says when to try again. Default true. */
  headers?: boolean;
}

export interface RateLimitState {
  headers: Record<string, string>;
  /** The window whose quota is exceeded, if the limit is enforced. */
  exceeded?: string;
}

const WINDOWS = ["minute", "hour", "day"] as const;
type WindowName = (typeof WINDOWS)[number];

interface Window {
  name: WindowName;
  quota: number;
  /** Negative when the quota is exceeded. */
  left: number;
  /** Seconds since 1970. */
  resetsAt: number;
}

/** Counts requests in fixed windows (API: General, RateLimit headers). */
export class RateLimiter {
  readonly enforce: boolean;
  private readonly quota: Record<WindowName, number>;
  private readonly seconds: Record<WindowName, number>;
  private readonly tells: boolean;
  private readonly used = new Map<WindowName, { window: number; count: number }>();

  constructor(
    private readonly clock: Clock,
    {
      minute = 10_000,
      hour = 200_000,
      day = 2_000_000,
      minuteSeconds = 60,
      enforce = false,
      headers = true,
    }: RateLimitOptions,
  ) {
    this.quota = { minute, hour, day };
    this.seconds = { minute: minuteSeconds, hour: 3600, day: 86_400 };
    this.enforce = enforce;
    this.tells = headers;
  }

  /** The present windows. Reading them does not count as a request. */
  get windows(): Window[] {
    return WINDOWS.map((name) => {
      const { window, count } = this.current(name);
      const quota = this.quota[name];
      return { name, quota, left: quota - count, resetsAt: (window + 1) * this.seconds[name] };
    });
  }

  /** Counts a request. */
  take(): RateLimitState {
    for (const name of WINDOWS) {
      const { window, count } = this.current(name);
      this.used.set(name, { window, count: count + 1 });
    }
    const { windows } = this;
    const reset = ({ resetsAt }: Window) => resetsAt - this.now();
    const exceeded = this.enforce ? windows.findLast(({ left }) => left < 0) : undefined;
    return {
      exceeded: exceeded?.name,
      headers: {
        // assumes: header * *: ratelimit, ratelimit-policy
        ...(this.tells && {
          RateLimit: windows
            .map((window) => `"${window.name}";r=${Math.max(0, window.left)};t=${reset(window)}`)
            .join(", "),
          "RateLimit-Policy": windows
            .map(({ name, quota }) => `"${name}";q=${quota};w=${this.seconds[name]}`)
            .join(", "),
        }),
        // assumes: header * *: retry-after
        ...(exceeded && { "Retry-After": String(reset(exceeded)) }),
      },
    };
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.used.clear();
  }

  private current(name: WindowName): { window: number; count: number } {
    const window = Math.floor(this.now() / this.seconds[name]);
    const used = this.used.get(name);
    return used?.window === window ? used : { window, count: 0 };
  }

  private now(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}
