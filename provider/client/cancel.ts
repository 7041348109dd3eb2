import { setMaxListeners } from "node:events";
import type { Clock } from "./clock";

/** Milliseconds that requests under way have after a cancellation. */
const grace = 5_000;

/** How a run ends that may be cancelled. */
export interface Ending {
  /** All pauses reject with the reason of the cancellation. */
  readonly clock: Clock;
  /** Aborts soon afterwards. Requests then end as if the connection had been cut. */
  readonly signal?: AbortSignal;
}

export function endingBy(cancelled: AbortSignal | undefined, clock: Clock): Ending {
  if (cancelled === undefined) return { clock };
  const over = new AbortController();
  // Hundreds of waits may listen at once. Node.js takes more than ten for a leak, and prints a warning.
  setMaxListeners(0, cancelled, over.signal);
  whenAborted(cancelled, () => {
    // Without a request under way, there is nothing to wait for.
    setTimeout(() => over.abort(cancelled.reason), grace).unref();
  });
  const sleep: Clock["sleep"] = (milliseconds, signal) =>
    clock.sleep(milliseconds, either(cancelled, signal));
  return { clock: { ...clock, sleep }, signal: over.signal };
}

/** With `AbortSignal.any`, Node.js 20 forgets a time limit (`AbortSignal.timeout`) when it collects garbage. */
export function either(first?: AbortSignal, second?: AbortSignal): AbortSignal | undefined {
  if (first === undefined || second === undefined) return second ?? first;
  const ended = new AbortController();
  for (const signal of [first, second]) whenAborted(signal, () => ended.abort(signal.reason), ended);
  return ended.signal;
}

/** Acts as soon as a signal aborts, or at once where it has aborted. `until` ends the wait. */
export function whenAborted(signal: AbortSignal, act: () => void, until?: AbortController): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { signal: until?.signal });
}
