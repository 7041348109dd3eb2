import type { Clock } from "../client/clock";

/** Milliseconds between two looks: they grow, so that a quick start is seen quickly and a slow one costs few requests. */
const interval = { first: 500, longest: 10_000, growth: 1.5 };

/** Looks until there is an answer or the time is up; undefined when it is. */
export async function poll<T>(
  clock: Clock,
  milliseconds: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = clock.now() + milliseconds;
  for (let pause = interval.first; ; pause = Math.min(interval.longest, pause * interval.growth)) {
    const answer = await look();
    if (answer !== undefined) return answer;
    const left = deadline - clock.now();
    if (left <= 0) return undefined;
    await clock.sleep(Math.min(pause, left));
  }
}
