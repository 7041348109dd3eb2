import type { Clock } from "../../provider/client/clock";

/** Milliseconds between two looks: they grow, so that a short job ends quickly and a long one costs few requests. */
const pauses = { first: 250, longest: 5_000, growth: 1.5 };

/** Looks until there is something to see. */
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
