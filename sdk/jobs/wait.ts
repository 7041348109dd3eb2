import { systemClock } from "../../provider/client/clock";
import { NoAnswerError, ServiceError } from "../../provider/client/errors";
import type { CompletedJob, JobState } from "../../provider/client/job";
import { isFinished } from "../../provider/client/job";
import type { Calls } from "./calls";
import { JobFailedError, JobNotFinishedError } from "./errors";
import type { CallOptions } from "./options";
import { until } from "./until";

/** Waits until a job is done. Throws when it ends otherwise, or cannot be looked at any more. */
export async function waitFor<Output>(
  calls: Calls<Output>,
  jobId: string,
  { signal }: CallOptions,
  secrets: readonly string[] = [],
): Promise<CompletedJob<Output>> {
  let state: JobState | undefined;
  const look = async () => {
    const job = await calls.job({ operation: "status", jobId, secrets, signal });
    state = job.status;
    return isFinished(job) ? job : undefined;
  };
  const job = await until(systemClock, signal, look).catch((error) => {
    const notFinished = (cause: unknown) =>
      new JobNotFinishedError(calls.endpointId, jobId, state, { cause });
    if (signal?.aborted) throw notFinished(signal.reason);
    // Who catches any other error could take it for one of the run, and send the job a second time.
    throw mayContinue(error) ? notFinished(error) : error;
  });
  if (job.status !== "COMPLETED") throw new JobFailedError(calls.endpointId, job);
  return calls.completed(job);
}

/** True after a failure to look at a job that says nothing of the job itself. */
function mayContinue(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ServiceError && error.status !== 404);
}
