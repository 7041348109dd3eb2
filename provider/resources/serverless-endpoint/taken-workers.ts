import type { Api } from "../../client/api";
import { backoff } from "../../client/clock";
import { isRefusal } from "../../client/errors";
import { situations } from "../../client/policy";
import { HalfDoneError } from "../../core/errors";
import type { RunView } from "../../core/kind";

/** Retries while an update of this run has yet to give workers up. The engine may still have to tell of it, so once in any case. */
export async function retryUntilGivenUp<T>(run: RunView, api: Api, act: () => Promise<T>): Promise<T> {
  const { clock, errand } = api;
  if ((run.moreWorkers.get(errand.urn) ?? 0) <= 0) return act();
  const began = clock.now();
  for (let attempt = 0; ; attempt++) {
    // Asked before the request: what is given up while it is under way helps only the next one.
    const isAwaited = attempt === 0 || givesWorkersUp(run);
    try {
      return await act();
    } catch (error) {
      const elapsed = clock.now() - began;
      if (!isAwaited || !isRefused(error) || elapsed > situations.workersTaken.seconds * 1000) throw error;
      api.waiting("another endpoint to give workers up", elapsed);
      await clock.sleep(backoff(attempt, clock));
    }
  }
}

/** An update of this run is still to give workers up. A replaced endpoint does so only at the end of the run. */
function givesWorkersUp(run: RunView): boolean {
  return [...run.moreWorkers].some(([urn, more]) => {
    const { isUpdated, compared } = run.record(urn);
    return more < 0 && !isUpdated && !compared?.isReplaced;
  });
}

function isRefused(error: unknown): boolean {
  if (error instanceof HalfDoneError) return false;
  return isRefusal(error) || (error instanceof Error && isRefusal(error.cause));
}
