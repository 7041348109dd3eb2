import { waitingFor } from "../progress";
import { backoff, type Clock } from "./clock";
import { NoAnswerError } from "./errors";
import type { Answer, Effect, Send } from "./transport";

/** When a failed request is sent again. */
interface Policy {
  /** Statuses that pass by themselves. */
  readonly statuses: (status: number) => boolean;
  /** Whether a request that may have reached the service is sent again when no answer came. */
  readonly ambiguous: boolean;
}

const transient = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500;

/**
 * The one table of what is tried again. Changes set absolute values and deletes end in absence, so both can be
 * repeated; a create that may have been done cannot.
 */
export const policies: Record<Effect, Policy> = {
  read: { statuses: transient, ambiguous: true },
  change: { statuses: transient, ambiguous: true },
  delete: { statuses: transient, ambiguous: true },
  create: { statuses: (status) => status === 429, ambiguous: false },
};

/** Milliseconds for which a request is tried again, and one that nothing listens to. */
export const deadlines = { request: 120_000, unreachable: 15_000 };

/** Sends again what may be sent again, with exponential backoff and full jitter, for as long as `patience` allows. */
export function retry(next: Send, clock: Clock, patience = deadlines.request): Send {
  return async (request) => {
    const policy = policies[request.effect];
    const began = clock.now();
    for (let attempt = 0; ; attempt++) {
      const outcome = await next(request).catch((error: unknown) => error);
      const pause = pauseAfter(outcome, policy, attempt, clock);
      const unreachable = outcome instanceof NoAnswerError && !outcome.mayHaveActed;
      const limit = unreachable ? Math.min(patience, deadlines.unreachable) : patience;
      if (pause === undefined || clock.now() + pause > began + limit) {
        if (outcome instanceof Error) throw outcome;
        return outcome as Answer;
      }
      waitingFor("the service to answer", clock.now() - began);
      await clock.sleep(pause);
    }
  };
}

/** How long to wait before the request is sent again; undefined when it is not. */
function pauseAfter(outcome: unknown, policy: Policy, attempt: number, clock: Clock): number | undefined {
  const pause = backoff(attempt, clock);
  if (outcome instanceof NoAnswerError) return policy.ambiguous || !outcome.mayHaveActed ? pause : undefined;
  if (outcome instanceof Error) return undefined;
  const { status, headers } = outcome as Answer;
  if (!policy.statuses(status)) return undefined;
  const seconds = Number(headers["retry-after"]);
  return seconds > 0 ? seconds * 1000 + pause : pause;
}
