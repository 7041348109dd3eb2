import { systemClock } from "../../provider/client/clock";

/** Pauses of the provider are this many times shorter: half a minute takes half a second. */
export const speed = 60;

const { sleep } = systemClock;

/**
 * Runs fast in pauses, and as time does beside them. It never runs past the end of a pause, however late a busy machine continues after
 * it.
 */
class FastClock {
  private time = Date.now();
  private readAt = performance.now();
  /** The pauses that last, by when they end. */
  private readonly pauses = new Set<{ readonly end: number }>();

  now(): number {
    const passed = performance.now() - this.readAt;
    this.readAt += passed;
    const next = Math.min(...[...this.pauses].map(({ end }) => end));
    const fast = Math.max(this.time, Math.min(this.time + passed * speed, next));
    this.time = this.pauses.size > 0 ? fast : this.time + passed;
    return Math.floor(this.time);
  }

  /** A pause of so many milliseconds, which takes as long as `wait`. */
  async pause(milliseconds: number, wait: () => Promise<unknown>): Promise<void> {
    const pause = { end: this.now() + milliseconds };
    this.pauses.add(pause);
    try {
      await wait();
      this.time = Math.max(this.now(), pause.end);
    } finally {
      this.pauses.delete(pause);
    }
  }
}

let clock: FastClock;

/** Lets the provider's clock run fast until `jest.restoreAllMocks()`. */
export function useFastClock(): void {
  clock = new FastClock();
  jest.spyOn(systemClock, "now").mockImplementation(() => clock.now());
  jest.spyOn(systemClock, "sleep").mockImplementation(pauseFast);
}

const pauseFast: typeof sleep = (pause, signal) => clock.pause(pause, () => sleep(pause / speed, signal));

/** Real milliseconds from one look at the fast clock to the next. */
const look = 5;

/** Waits until so many milliseconds of the fast clock have passed. */
export async function passed(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const of = clock;
  for (const end = of.now() + milliseconds; of.now() < end; ) await sleep(look, signal);
}

/** Lets a second of the fast clock pass, where the provider does not pause. */
export function letPass(): Promise<void> {
  return clock.pause(1_000, () => sleep(look));
}

/** Stops the fast clock in a pause of at least so many milliseconds until something is done. */
export function stopInPause(least: number, done: Promise<unknown>): void {
  jest.mocked(systemClock.sleep).mockImplementation(async (pause, signal) => {
    if (pause >= least) await clock.pause(0, () => done);
    await pauseFast(pause, signal);
  });
}
