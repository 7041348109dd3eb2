import { setMaxListeners } from "node:events";
import type { Clock } from "./clock";
import type { Send } from "./transport";

/** Milliseconds that requests under way have after a cancellation. */
const grace = 5_000;

/** All pauses reject with the signal's reason once the signal aborts. */
export function cancellable(clock: Clock, cancelled: AbortSignal | undefined): Clock {
  if (cancelled === undefined) return clock;
  // Hundreds of waits may listen at once. Node.js takes more than ten for a leak, and prints a warning.
  setMaxListeners(0, cancelled);
  return {
    ...clock,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, either(cancelled, signal)),
  };
}

/** Soon after the signal aborts, requests end as if the connection had been cut. Those of an unending errand go on. */
export function ending(send: Send, cancelled: AbortSignal | undefined): Send {
  if (cancelled === undefined) return send;
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  whenAborted(cancelled, () => {
    // Without a request under way, there is nothing to wait for.
    setTimeout(() => over.abort(cancelled.reason), grace).unref();
  });
  return (request) =>
    send(request.errand?.unending ? request : { ...request, signal: either(over.signal, request.signal) });
}

/** With `AbortSignal.any`, Node.js 20 forgets a time limit (`AbortSignal.timeout`) when it collects garbage. */
function either(first: AbortSignal, second: AbortSignal | undefined): AbortSignal {
  if (second === undefined) return first;
  const ended = new AbortController();
  for (const signal of [first, second]) whenAborted(signal, () => ended.abort(signal.reason), ended);
  return ended.signal;
}

/** Acts as soon as a signal aborts, or at once where it has aborted. `until` ends the wait. */
export function whenAborted(signal: AbortSignal, act: () => void, until?: AbortController): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { signal: until?.signal });
}
