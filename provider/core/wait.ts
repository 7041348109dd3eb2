import type { Clock } from "../client/clock";
import { showWaiting } from "../engine/log";
import type { Properties } from "./value";

/** Seconds that something may take to get ready when the program does not say. */
export const defaultWaitTimeout = 900;

/** Seconds that something of a program may take to get ready. */
export function waitTimeoutOf({ waitTimeout = defaultWaitTimeout }: Properties): number {
  return Number(waitTimeout);
}

/** Milliseconds between two looks: they grow, so that a quick start is seen quickly and a slow one costs few requests. */
const interval = { first: 500, longest: 10_000, growth: 1.5 };

/**
 * Looks until there is an answer or the time is up; undefined when it is. `what` tells what is waited for. A look is told
 * how old, in milliseconds, what it sees may be: looks of several waits can be one.
 */
export async function poll<T>(
  clock: Clock,
  milliseconds: number,
  what: () => string,
  look: (age: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const began = clock.now();
  const deadline = began + milliseconds;
  for (let pause = interval.first; ; pause = Math.min(interval.longest, pause * interval.growth)) {
    const answer = await look(Math.min(pause, clock.now() - began));
    if (answer !== undefined) return answer;
    const left = deadline - clock.now();
    if (left <= 0) return undefined;
    showWaiting(what(), clock.now() - began);
    await clock.sleep(Math.min(pause, left));
  }
}
