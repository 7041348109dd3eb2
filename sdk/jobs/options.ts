import type { Schema } from "./schema";

/** The account, the address and the schemas of an {@link Endpoint}. */
export interface EndpointOptions<Input, Output> {
  /** Default: the environment variable `RUNPOD_API_KEY`. */
  readonly apiKey?: string;
  /** Default: the environment variable `RUNPOD_QUEUE_URL`, then `https://api.runpod.ai`. */
  readonly queueUrl?: string;
  /** Checks every input before it is sent. The result of the schema is what is sent. */
  readonly input?: Schema<Input>;
  /** Checks every output of a completed job. The result of the schema is what you get. */
  readonly output?: Schema<unknown, Output>;
}

/** How to abort a call. */
export interface CallOptions {
  /**
   * Aborts the request, or the pause between two requests. The call then rejects with the signal's reason. `wait`, and
   * `runAndWait` once it has the job's id, reject with a {@link JobNotFinishedError}, whose `cause` is that reason.
   */
  readonly signal?: AbortSignal;
}
