import { backoff } from "../../client/clock";
import { isRefusal } from "../../client/errors";
import { situations } from "../../client/policy";
import type { Resource } from "../call";
import type { Run } from "../call/run";
import { HalfDoneError } from "../errors";

/** Retries while an update of this run has yet to give workers up. The engine may still have to tell of it, so once in any case. */
export async function retryUntilGivenUp<T>({ run, urn, api }: Resource, act: () => Promise<T>): Promise<T> {
  if ((run.moreWorkers.get(urn) ?? 0) <= 0) return act();
  const { clock } = api();
  const began = clock.now();
  for (let attempt = 0; ; attempt++) {
    // Asked before the request: what is given up while it is under way helps only the next one.
    const isAwaited = attempt === 0 || givesWorkersUp(run);
    try {
      return await act();
    } catch (error) {
      const elapsed = clock.now() - began;
      if (!isAwaited || !isRefused(error) || elapsed > situations.workersTaken.seconds * 1000) throw error;
      api().waiting("another endpoint to give workers up", elapsed);
      await clock.sleep(backoff(attempt, clock));
    }
  }
}

/** An update of this run is still to give workers up. A replaced endpoint does so only at the end of the run. */
function givesWorkersUp(run: Run): boolean {
  return [...run.moreWorkers].some(([urn, more]) => {
    const { isUpdated, compared } = run.record(urn);
    return more < 0 && !isUpdated && !compared?.isReplaced;
  });
}

function isRefused(error: unknown): boolean {
  if (error instanceof HalfDoneError) return false;
  return isRefusal(error) || (error instanceof Error && isRefusal(error.cause));
}
