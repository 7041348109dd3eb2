import type { Api } from "../client/api";
import type { Properties } from "../value";

/** Milliseconds between two looks. They grow: a quick start shows soon, and a slow start costs few requests. */
const interval = { first: 500, longest: 10_000, growth: 1.5 };

/** Looks until something is found; undefined when the time is up. `age`: the milliseconds that an answer may be old, so that waits share looks. */
export async function poll<T>(
  api: Api,
  milliseconds: number,
  what: () => string,
  look: (age: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { clock } = api;
  const began = clock.now();
  const deadline = began + milliseconds;
  for (let pause = interval.first; ; pause = Math.min(interval.longest, pause * interval.growth)) {
    const answer = await look(Math.min(pause, clock.now() - began));
    if (answer !== undefined) return answer;
    const left = deadline - clock.now();
    if (left <= 0) return undefined;
    api.waiting(what(), clock.now() - began);
    await clock.sleep(Math.min(pause, left));
  }
}

/** Seconds to wait for readiness. */
export function waitTimeoutOf({ waitTimeout = 900 }: Properties): number {
  return Number(waitTimeout);
}
