import type { Clock } from "../../provider/client/clock";

/** Milliseconds between two requests. They grow: short jobs are seen to end quickly, long jobs cost few requests. */
const pauses = { first: 250, longest: 5_000, growth: 1.5 };

/** Calls `look` until it finds something, with pauses between the calls. */
export async function until<T>(
  clock: Clock,
  signal: AbortSignal | undefined,
  look: () => Promise<T | undefined>,
): Promise<T> {
  for (let pause = pauses.first; ; pause = Math.min(pauses.longest, pause * pauses.growth)) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await clock.sleep(pause, signal);
  }
}
