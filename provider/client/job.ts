/** Fields of every job. */
interface AnyJob {
  /** Id of the job. */
  readonly id: string;
  /** Id of the worker that took it; undefined when the service does not say. */
  readonly workerId?: string;
  /** How many times it was retried; undefined when the service does not say. */
  readonly retries?: number;
}

/** How long a job took, as far as the service says. */
export interface JobTimes {
  /** Milliseconds that it waited for a worker. */
  readonly delayTime?: number;
  /** Milliseconds that it ran. */
  readonly executionTime?: number;
}

/** A job that waits for a worker. */
export interface QueuedJob extends AnyJob {
  /** It waits for a worker. */
  readonly status: "IN_QUEUE";
}

/** A job that runs. */
export interface RunningJob extends AnyJob, JobTimes {
  /** A worker has it. */
  readonly status: "IN_PROGRESS";
  /** The progress that the worker reported, in any shape. */
  readonly output?: unknown;
}

/** A job that is done. */
export interface CompletedJob<Output = unknown> extends AnyJob, JobTimes {
  /** It is done. */
  readonly status: "COMPLETED";
  /** The result of the worker, or a list of everything that it streamed. */
  readonly output: Output;
}

/** A job whose worker failed. */
export interface FailedJob extends AnyJob, JobTimes {
  /** Its worker failed. */
  readonly status: "FAILED";
  /** The worker's error message; JSON when the worker sent no string, or a Python exception with its traceback. */
  readonly error: string;
  /** The result of the worker besides its error; undefined when it returned nothing. */
  readonly output?: unknown;
}

/** A job that took longer than its `policy.executionTimeout`, or than the endpoint's `timeout`. */
export interface TimedOutJob extends AnyJob, JobTimes {
  /** It took too long. */
  readonly status: "TIMED_OUT";
  /** The service's message; undefined when it sends none. */
  readonly error?: string;
}

/** A job that was cancelled while it waited or ran. */
export interface CancelledJob extends AnyJob, JobTimes {
  /** Somebody cancelled it. */
  readonly status: "CANCELLED";
}

/**
 * A job. Its `status` decides which fields it has. (API: Job states)
 *
 * @example
 * ```ts
 * const job = await endpoint.status(id);
 * switch (job.status) {
 *   case "COMPLETED":
 *     return job.output;
 *   case "FAILED":
 *     throw new Error(job.error);
 * }
 * ```
 */
export type Job<Output = unknown> =
  | QueuedJob
  | RunningJob
  | CompletedJob<Output>
  | FailedJob
  | TimedOutJob
  | CancelledJob;

/** The states of a job. */
export type JobState = Job["status"];

/** The response to submitting, cancelling or retrying a job. */
export interface JobReceipt {
  /** Id of the job. */
  readonly id: string;
  /** Its state after the call. */
  readonly status: JobState;
}

/** A job that is over, with or without success. */
export type FinishedJob<Output = unknown> = Exclude<Job<Output>, QueuedJob | RunningJob>;

/**
 * True when a job is over, with or without success.
 *
 * @example
 * ```ts
 * const job = await endpoint.runSync({ input });
 * if (!isFinished(job)) await endpoint.wait(job.id);
 * ```
 */
export function isFinished<Output>(job: Job<Output>): job is FinishedJob<Output> {
  return job.status !== "IN_QUEUE" && job.status !== "IN_PROGRESS";
}

/** The service may leave these fields out. */
type Known = JobTimes & Pick<AnyJob, "workerId" | "retries"> & { readonly error?: unknown };

/** Reads a job from a response; undefined when it has no id or an unknown state. */
export function readJob(body: unknown): Job | undefined {
  const { id, status, output } = Object(body);
  if (typeof id !== "string") return undefined;
  // A field that the service does not know may be null. An output may be null by itself.
  const known = Object.entries(Object(body)).filter(([, value]) => value !== null);
  const { delayTime, executionTime, error, workerId, retries }: Known = Object.fromEntries(known);
  const any = { id, workerId, retries };
  const times = { delayTime, executionTime };
  switch (status as JobState) {
    case "IN_QUEUE":
      return { ...any, status };
    case "IN_PROGRESS":
    case "COMPLETED":
      return { ...any, status, ...times, output };
    case "FAILED":
      return { ...any, status, ...times, error: text(error ?? "the worker gave no reason"), output };
    case "TIMED_OUT":
      return { ...any, status, ...times, error: error === undefined ? undefined : text(error) };
    case "CANCELLED":
      return { ...any, status, ...times };
    default:
      return undefined;
  }
}

/** An exception of a worker in Python comes as JSON, with a traceback that nobody needs at first. */
export function inShort(error: string): string {
  let fields: { readonly error_type?: unknown; readonly error_message?: unknown };
  try {
    fields = Object(JSON.parse(error));
  } catch {
    return error;
  }
  if (typeof fields.error_message !== "string" || typeof fields.error_type !== "string") return error;
  const [, type = fields.error_type] = /'(.+)'/.exec(fields.error_type) ?? [];
  return fields.error_message === "" ? type : `${type}: ${fields.error_message}`;
}

function text(error: unknown): string {
  return typeof error === "string" ? error : JSON.stringify(error);
}
