import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import type { Clock } from "./clock";
import type { Send } from "./transport";

/** Milliseconds after a cancellation for which requests under way may still be answered. */
const grace = 5_000;

const unending = new AsyncLocalStorage<true>();

/** Does something that a cancellation does not end. */
export function evenIfCancelled<T>(act: () => Promise<T>): Promise<T> {
  return unending.run(true, act);
}

/** A clock whose waits all reject, with the signal's reason, once the signal aborts. */
export function cancellable(clock: Clock, cancelled: AbortSignal): Clock {
  // Hundreds of waits may listen at once. Node.js takes more than ten for a leak, and prints so.
  setMaxListeners(0, cancelled);
  return {
    ...clock,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, unlessUnending(cancelled, signal)),
  };
}

/** Sends requests that end without an answer soon after the signal aborts, as if the connection had been cut. */
export function ending(send: Send, cancelled: AbortSignal): Send {
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  whenAborted(cancelled, () => {
    // Without a request under way, there is nothing to wait for.
    setTimeout(() => over.abort(cancelled.reason), grace).unref();
  });
  return (request) => send({ ...request, signal: unlessUnending(over.signal, request.signal) });
}

function unlessUnending(cancelled: AbortSignal, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (unending.getStore()) return signal;
  return signal === undefined ? cancelled : either(cancelled, signal);
}

/** Aborts when one of two does. With `AbortSignal.any`, Node.js 20 forgets a time limit (`AbortSignal.timeout`) when it collects garbage. */
function either(...signals: readonly [AbortSignal, AbortSignal]): AbortSignal {
  const ended = new AbortController();
  for (const signal of signals) whenAborted(signal, () => ended.abort(signal.reason), ended);
  return ended.signal;
}

/** Acts as soon as a signal aborts, or at once where it has. `until` ends the wait. */
function whenAborted(signal: AbortSignal, act: () => void, until?: AbortController): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { signal: until?.signal });
}
