import type { Clock } from "../../provider/client/clock";
import { pace, Quota } from "../../provider/client/pace";
import { retry } from "../../provider/client/retry";
import type { Effect, HttpResponse, Request, Send } from "../../provider/client/transport";

/** A clock that moves only when everybody waits. Then it jumps to the time of whoever wakes first. */
class SimulatedClock implements Clock {
  private sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  constructor(private time: number) {}

  now = () => this.time;
  random = () => 0.5;

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.time + Math.max(0, milliseconds), wake });
    });
  }

  /** Lets time pass until this is done. */
  async until<T>(done: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    done.then(end, end);
    for (;;) {
      await new Promise((settled) => setImmediate(settled));
      if (isDone) return done;
      const [next] = this.sleepers.sort((a, b) => a.at - b.at).splice(0, 1);
      if (next === undefined) throw new Error("nobody waits for the time any more");
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
  }
}

export interface Limits {
  /** Requests in a window. */
  quota: number;
  /** Seconds of a window. */
  window: number;
  /** Seconds from the first request to the end of the window in which it comes. */
  firstWindow: number;
  /** Whether each answer tells the windows. Otherwise a refusal tells when to try again. Default true. */
  headers?: boolean;
}

/** Milliseconds that a request or an answer is on its way. */
const way = 25;

/** A service with a quota in fixed windows, as the emulator counts it. */
class SimulatedService {
  refused = 0;
  private readonly used = new Map<number, number>();
  private readonly began: number;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly limits: Limits,
  ) {
    this.began = clock.now() + way;
  }

  readonly send: Send = async (): Promise<HttpResponse> => {
    await this.clock.sleep(way);
    const { quota, window, headers = true } = this.limits;
    const { number, ends } = this.windowAt(this.clock.now());
    const count = (this.used.get(number) ?? 0) + 1;
    this.used.set(number, count);
    const isRefused = count > quota;
    if (isRefused) this.refused++;
    // In whole seconds.
    const resets = Math.ceil(ends / 1000 - Math.floor(this.clock.now() / 1000));
    await this.clock.sleep(way);
    return {
      status: isRefused ? 429 : 200,
      headers: {
        ...(headers && {
          ratelimit: `"minute";r=${Math.max(0, quota - count)};t=${resets}`,
          "ratelimit-policy": `"minute";q=${quota};w=${window}`,
        }),
        ...(isRefused && { "retry-after": String(resets) }),
      },
      body: "",
    };
  };

  /** The best that anybody could do: sends as soon as the service accepts, and knows all windows. */
  best(): Send {
    const planned = new Map<number, number>();
    let turn = Promise.resolve();
    const take = async () => {
      for (;;) {
        const { number, ends } = this.windowAt(this.clock.now() + way);
        const count = planned.get(number) ?? 0;
        planned.set(number, count + 1);
        if (count < this.limits.quota) return;
        await this.clock.sleep(ends - way - this.clock.now());
      }
    };
    return async (request) => {
      turn = turn.then(take);
      await turn;
      return this.send(request);
    };
  }

  /** The window of a time, and when it ends, in milliseconds. */
  private windowAt(time: number): { number: number; ends: number } {
    const { window, firstWindow } = this.limits;
    const first = this.began + Math.round(firstWindow * 1000);
    const number = Math.floor((time - first) / (window * 1000)) + 1;
    return { number, ends: first + number * window * 1000 };
  }
}

/** A client of podlumi, which keeps to what answers tell of the quota. */
function paced(service: SimulatedService, clock: Clock): Send {
  return retry(pace(service.send, new Quota(clock), clock), clock);
}

const request = (effect: Effect) =>
  ({
    call: effect,
    effect,
    method: "GET",
    headers: {},
    url: new URL("http://localhost"),
  }) as const satisfies Request;

/** The requests of an up: a look at each of six kinds, one after the other, then as many creates at once as there are lanes. */
async function up(send: Send, size: number, lanes = 8): Promise<number[]> {
  const statuses: number[] = [];
  const ask = async (effect: Effect) => {
    statuses.push((await send(request(effect))).status);
  };
  for (let kind = 0; kind < 6; kind++) await ask("read");
  let left = size;
  const lane = async () => {
    while (left-- > 0) await ask("create");
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return statuses;
}

/** When in a window the first request comes: anywhere, and close to its end, where few requests still fit. In seconds. */
export function beginnings(window: number): number[] {
  return [
    ...Array.from({ length: 12 }, (_, index) => window * (1 - index / 12)),
    ...Array.from({ length: 12 }, (_, index) => 0.9 - index * 0.07),
  ];
}

/** Ups at the same time in one account, in seconds, against the best that anybody could do. */
export async function againstTheBest(limits: Limits, stacks: number, size: number) {
  const simulated = async (isBest: boolean) => {
    const clock = new SimulatedClock(1_000_000_337);
    const service = new SimulatedService(clock, limits);
    const best = service.best();
    const ups = Array.from({ length: stacks }, () =>
      up(isBest ? best : paced(service, clock), size / stacks),
    );
    const began = clock.now();
    const statuses = (await clock.until(Promise.all(ups))).flat();
    return { seconds: (clock.now() - began) / 1000, refused: service.refused, statuses };
  };
  const least = await simulated(true);
  const own = await simulated(false);
  return { ...own, least: least.seconds, ratio: own.seconds / least.seconds };
}
