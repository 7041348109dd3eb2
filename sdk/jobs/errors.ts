import { ExpectedError } from "../../provider/client/errors";
import type { CancelledJob, FailedJob, JobState, JobTimes, TimedOutJob } from "../../provider/client/job";
import { inShort } from "../../provider/client/job";
import { remedies } from "../../provider/client/remedies";

/**
 * A request was invalid and was not sent.
 *
 * @example
 * ```ts
 * await endpoint.runSync({ input }, { wait: 10 }).catch(({ faults }) => console.error(faults));
 * // [ "wait: must be whole milliseconds from 1000 to 300000, not 10" ]
 * ```
 */
export class InvalidRequestError extends ExpectedError {
  constructor(
    /** Id of the endpoint. */
    readonly endpointId: string,
    /** One line per fault, beginning with the property: `wait: must be …`. */
    readonly faults: readonly string[],
  ) {
    super(`the request to endpoint ${endpointId} was not sent: ${faults.join("; ")}`, "PODLUMI-JOB-INVALID");
    this.name = "InvalidRequestError";
  }
}

/**
 * A job was completed, but its output does not fit the schema of the endpoint.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidOutputError) {
 *   const job = await new Endpoint(error.endpointId).status(error.id); // its output as it is
 * }
 * ```
 */
export class InvalidOutputError extends ExpectedError {
  constructor(
    /** Id of the endpoint. */
    readonly endpointId: string,
    /** Id of the job. */
    readonly id: string,
    /** One line per fault: `output.text: …`. */
    readonly faults: readonly string[],
  ) {
    super(
      `job ${id} of endpoint ${endpointId} was completed, but its output does not fit the schema: ${faults.join("; ")}`,
      "PODLUMI-JOB-OUTPUT",
    );
    this.name = "InvalidOutputError";
  }
}

/**
 * A job ended without a result.
 *
 * @example
 * ```ts
 * try {
 *   await endpoint.runAndWait({ input });
 * } catch (error) {
 *   if (error instanceof JobFailedError && error.state === "TIMED_OUT") await endpoint.retry(error.id);
 *   else throw error;
 * }
 * ```
 */
export class JobFailedError extends ExpectedError implements JobTimes {
  /** Id of the job. */
  readonly id: string;
  /** How it ended. */
  readonly state: "FAILED" | "TIMED_OUT" | "CANCELLED";
  /** The whole error text of the worker or of the service. The message has a Python exception without its traceback. */
  readonly error?: string;
  /** Milliseconds that it waited for a worker. */
  readonly delayTime?: number;
  /** Milliseconds that a worker worked on it. */
  readonly executionTime?: number;

  constructor(
    /** Id of the endpoint. */
    readonly endpointId: string,
    job: FailedJob | TimedOutJob | CancelledJob,
  ) {
    const error = job.status === "CANCELLED" ? undefined : job.error;
    super(
      `job ${job.id} of endpoint ${endpointId} is ${job.status}${error ? `: ${inShort(error)}` : ""}.${next(job.status)}`,
      "PODLUMI-JOB-FAILED",
    );
    this.name = "JobFailedError";
    this.id = job.id;
    this.state = job.status;
    this.error = error;
    this.delayTime = job.delayTime;
    this.executionTime = job.executionTime;
  }
}

function next(status: JobFailedError["state"]): string {
  switch (status) {
    case "FAILED":
      return ` ${remedies().failedJob}`;
    case "TIMED_OUT":
      return ` ${remedies().slowJob}`;
    case "CANCELLED":
      return "";
  }
}

/**
 * A batch did not get all of its requests, because the `cause` ended `create` or `add` between two parts. The batch is a
 * draft, and does not run.
 *
 * @example
 * ```ts
 * await endpoint.batches.create(requests).catch(async (error) => {
 *   if (!(error instanceof BatchIncompleteError)) throw error;
 *   await endpoint.batches.open(error.id).add(requests.slice(error.added));
 * });
 * ```
 */
export class BatchIncompleteError extends ExpectedError {
  constructor(
    /** Id of the endpoint. */
    readonly endpointId: string,
    /** Id of the batch. */
    readonly id: string,
    /** How many of the requests are in the batch. After an `UnknownOutcomeError`, it may have the next ones too: see `status`. */
    readonly added: number,
    options: ErrorOptions,
  ) {
    const why = options.cause instanceof ExpectedError ? `: ${options.cause.message}` : ".";
    super(
      `batch ${id} of endpoint ${endpointId} got the first ${added} of these requests only${why}`,
      "PODLUMI-BATCH-INCOMPLETE",
      options,
    );
    this.name = "BatchIncompleteError";
  }
}

/**
 * A wait for a job ended before the job did: the caller's signal ended it, or the service could not be asked any more. The job continues, so
 * do not send it again. The `cause` is the reason of the signal, or why the service could not be asked.
 *
 * @example
 * ```ts
 * await endpoint.runAndWait({ input }, { signal: AbortSignal.timeout(60_000) }).catch(async (error) => {
 *   if (error instanceof JobNotFinishedError) await endpoint.cancel(error.id);
 *   throw error;
 * });
 * ```
 */
export class JobNotFinishedError extends ExpectedError {
  constructor(
    /** Id of the endpoint. */
    readonly endpointId: string,
    /** Id of the job. */
    readonly id: string,
    /** The last state that was seen; undefined when none was seen. */
    readonly state: JobState | undefined,
    options: ErrorOptions,
  ) {
    const seen = state === undefined ? "was not seen yet" : `is ${state}`;
    const why = options.cause instanceof ExpectedError ? `: ${options.cause.message}` : ".";
    super(
      `gave up waiting for job ${id} of endpoint ${endpointId}, which ${seen}${why} ${remedies().openJob}`,
      "PODLUMI-JOB-NOT-FINISHED",
      options,
    );
    this.name = "JobNotFinishedError";
  }
}
