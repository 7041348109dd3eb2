import { showRetry } from "../engine/log";
import type { Clock } from "./clock";
import { backoff } from "./clock";
import { extended, mayHaveActed, NoAnswerError } from "./errors";
import { patienceNow } from "./patience";
import type { RequestPolicy } from "./policy";
import { requests, situations } from "./policy";
import { proofNow } from "./proof";
import { pauseAsked, retryAfter } from "./rate-limit";
import { failure, nameOf } from "./trace";
import type { HttpResponse, Send } from "./transport";

/** Retries what the policy allows, with exponential backoff, until the time of the policy or the caller is over. */
export function retry(next: Send, clock: Clock): Send {
  return async (request) => {
    const policy = requests[request.effect];
    const began = clock.now();
    let after: string | undefined;
    let heldBack = 0;
    let proving = 0;
    /** The last outcome after which a change may have taken effect, and that in a sentence. */
    let open: Outcome | undefined;
    let unclear: string | undefined;
    let failed: unknown;
    /** Any other error than that of the request hides what an earlier one may have done. */
    const failWith = (error: unknown) => {
      failed = unclear === undefined ? error : extended(error, unclear);
      throw failed;
    };
    const given = request.effect === "read" ? undefined : proofNow();
    /** Its time is not that of the retries. */
    const proof = given && {
      isRecent: () => given.isRecent(),
      renew: async () => {
        const asked = clock.now();
        await given.renew().catch(failWith);
        proving += clock.now() - asked;
      },
    };
    const onHeld = (held: number) => {
      // Only the wait before the first attempt is free. Later ones count as time of the retries.
      if (after === undefined) heldBack = held;
    };
    for (let attempt = 0; ; attempt++) {
      await proof?.renew();
      const sent = next({ ...request, attempt: attempt + 1, after, onHeld, proof });
      const outcome = await sent.catch((error: Error) => error);
      if (outcome === failed) throw outcome;
      after = outcome instanceof Error ? failure(outcome) : String(outcome.status);
      if (request.effect !== "read" && isUnclear(outcome)) {
        open = outcome;
        unclear = `Before that, ${request.call} had no clear answer (${after}), and may still take effect`;
      }
      const { seconds } = reachedNobody(outcome) ? situations.unreachable : policy;
      const limit = Math.min(seconds * 1000 + heldBack + proving, patienceNow());
      const left = began + limit - clock.now();
      const pause = pauseAfter(outcome, policy, attempt, left, clock);
      if (pause === undefined || request.signal?.aborted || left <= 0 || pause > left) {
        // Where only the time is over, what an earlier one may have done matters more.
        const told = pause !== undefined && open !== undefined ? open : outcome;
        if (told instanceof Error) throw told;
        return told;
      }
      if (pause === 0) continue;
      const outcomeInWords = `${outcome instanceof Error ? "got" : "answered"} ${after}`;
      showRetry(`${nameOf(request)} ${outcomeInWords}`, limit, clock.now() - began, pause);
      await clock.sleep(pause, request.signal).catch(failWith);
    }
  };
}

/** A response, or why there is none. */
type Outcome = HttpResponse | Error;

/** Whether the service may have done the request all the same. */
function isUnclear(outcome: Outcome): boolean {
  return outcome instanceof Error ? mayHaveActed(outcome) : situations.unfinished.statuses(outcome.status);
}

function reachedNobody(outcome: Outcome): boolean {
  return outcome instanceof NoAnswerError && !outcome.mayHaveActed;
}

/**
 * How long to wait before the request is sent again; undefined when it is not. A pause that the service asks for may be
 * longer than the time that is left. Backoff is not: the last attempt comes at the end of that time.
 */
function pauseAfter(
  outcome: Outcome,
  policy: RequestPolicy,
  attempt: number,
  left: number,
  clock: Clock,
): number | undefined {
  const atLeast = (asked: number) => asked + Math.min(backoff(attempt, clock), Math.max(0, left - asked));
  if (outcome instanceof NoAnswerError)
    return policy.ambiguous || reachedNobody(outcome) ? atLeast(0) : undefined;
  if (outcome instanceof Error) return undefined;
  const { status, headers, paced } = outcome;
  if (!policy.statuses(status)) return undefined;
  // The rate limit knows when the next attempt makes sense, and in which order.
  if (paced) return 0;
  return atLeast((status === 429 ? retryAfter(headers) : pauseAsked(headers)) * 1000);
}
