import type { Clock } from "../../provider/client/clock";
import type { Send } from "../../provider/client/transport";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * The time that podlumi and an emulator share. It passes only while somebody sleeps and no request is under way, and
 * then so many times faster. So a request takes no time, however busy the machine is.
 */
export class SharedClock implements Clock {
  readonly random = Math.random;
  private time = Date.now();
  private underWay = 0;
  private sleepers: Sleeper[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly speed = 100) {}

  readonly now = (): number => this.time;

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((done, failed) => {
      if (signal?.aborted) return failed(signal.reason);
      const abort = () => {
        this.sleepers = this.sleepers.filter((other) => other !== sleeper);
        failed(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", abort);
        done();
      };
      const sleeper = { at: this.time + Math.max(0, milliseconds), wake };
      signal?.addEventListener("abort", abort, { once: true });
      this.sleepers.push(sleeper);
      this.goOn();
    });
  }

  /** Lets no time pass while a request is under way. */
  stopped(send: Send): Send {
    return async (request) => {
      this.underWay++;
      clearTimeout(this.timer);
      try {
        return await send(request);
      } finally {
        this.underWay--;
        this.goOn();
      }
    };
  }

  private goOn(): void {
    clearTimeout(this.timer);
    const [next] = this.sleepers.sort((a, b) => a.at - b.at);
    if (next === undefined || this.underWay > 0) return;
    this.timer = setTimeout(
      () => {
        this.time = Math.max(this.time, next.at);
        this.sleepers = this.sleepers.filter((other) => other !== next);
        next.wake();
        this.goOn();
      },
      (next.at - this.time) / this.speed,
    );
  }
}
