import type { Api } from "../client/api";
import type { Clock } from "../client/clock";
import { longestLag } from "../client/policy";
import { showWaiting } from "../engine/log";
import type { Observed } from "./kind/definition";
import type { Existing } from "./resource";
import type { Run } from "./run";
import type { Properties } from "./value";

/** Seconds to wait for readiness when the program does not say. */
export const defaultWaitTimeout = 900;

/** Seconds to wait for readiness of a resource. */
export function waitTimeoutOf({ waitTimeout = defaultWaitTimeout }: Properties): number {
  return Number(waitTimeout);
}

/** For the error of a wait that took too long. */
export const continueWaiting =
  "Run `pulumi up` again to continue waiting, or give it more time with waitTimeout.";

/** Milliseconds between two looks. They grow: a quick start shows soon, and a slow start costs few requests. */
const interval = { first: 500, longest: 10_000, growth: 1.5, shown: 1_000 };

/**
 * Looks until a look finds something; undefined when the time is up. `what` says what is waited for. `age` says how many
 * milliseconds old may be what a look finds, so that several waits can share one look.
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

/** Waits for an answer that comes by itself, and shows what is waited for meanwhile. */
export async function showingWait<T>(clock: Clock, what: string, answer: Promise<T>): Promise<T> {
  const began = clock.now();
  for (;;) {
    const over = new AbortController();
    const pause = clock.sleep(interval.shown, over.signal).then(() => undefined);
    const found = await Promise.race([answer.then((value) => ({ value })), pause]).finally(() =>
      over.abort(),
    );
    if (found !== undefined) return found.value;
    showWaiting(what, clock.now() - began);
  }
}

/**
 * Looks for an object until the service has to show it. `since` is when it was created, in milliseconds since the epoch.
 * Undefined at once when that is unknown or long ago.
 */
export async function untilListed<T>(
  api: Api,
  since: number | undefined,
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const left = (since ?? 0) + longestLag - api.now();
  return left > 0 ? poll(api.clock, Math.min(left, longestLag), () => what, look) : undefined;
}

/** Whether what has this state was created so short a time ago that the service may not show it yet. */
export function mayNotShow(run: Run, { __made }: Properties): boolean {
  return run.now() - Date.parse(String(__made)) < longestLag;
}

/** Looks until the service has to show what an earlier run created a moment ago; undefined at once for what is older. */
export function untilShown<T>(
  run: Run,
  { __made }: Properties,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const made = typeof __made === "string" ? Date.parse(__made) : undefined;
  return untilListed(run.api(), made, "what was created a moment ago to appear", look);
}

/** An object that an earlier run created a moment ago may not show yet. Looks again until it has to show. */
export function onceShown({ kind, run, id, state }: Existing): Promise<Observed | undefined> {
  return untilShown(run, state, () => kind.read(run.api(), id, state));
}
