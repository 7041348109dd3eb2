import { Api } from "../../provider/client/api";
import { systemClock } from "../../provider/client/clock";
import type { CompletedJob, Job, JobReceipt, JobState } from "../../provider/client/job";
import { isFinished, readJob } from "../../provider/client/job";
import type { Question, Queue } from "../../provider/client/queue";
import { transport } from "../../provider/client/transport";
import { programSettings } from "../../provider/config";
import { InvalidOutputError, JobFailedError, JobNotFinishedError } from "./errors";
import type { QueueHealth, StreamChunk } from "./report";
import { readChunks, readHealth, readRemoved } from "./report";
import type { JobRequest } from "./request";
import { bodyOf, checkTimes, defaultWait, payload } from "./request";
import type { Schema } from "./schema";
import { applied } from "./schema";
import { until } from "./until";

/** Account, address and shapes of an {@link Endpoint}. */
export interface EndpointOptions<Input, Output> {
  /** Default: the environment variable `RUNPOD_API_KEY`. */
  readonly apiKey?: string;
  /** Default: the environment variable `RUNPOD_QUEUE_URL`, then `https://api.runpod.ai`. */
  readonly queueUrl?: string;
  /** Checks every input before it is sent; what it makes of an input is sent. */
  readonly input?: Schema<Input>;
  /** Checks every output of a completed job; what it makes of an output is what you get. */
  readonly output?: Schema<unknown, Output>;
}

/** How to give up. */
export interface CallOptions {
  /** Ends the request, and the pauses between requests; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** One pool of connections, whatever the number of endpoints. */
const wire = transport();

/**
 * The client of a Serverless endpoint of type QUEUE. It needs no Pulumi.
 *
 * What is not repeated, because it could make two jobs or lose chunks, throws an `UnknownOutcomeError` when its end is
 * not clear: `run`, `runSync`, `retry`, `stream` and `purgeQueue`. All other calls are sent again for up to 2 minutes
 * after 408, 425, 429, 5xx and lost connections, and all calls after 429 and refused connections.
 *
 * Every call throws a `ServiceError` when the service says no, and a `NoAnswerError` when nobody answered. An endpoint
 * that was just made answers 404 at first: until its queue has answered once, 404 is tried again for 15 s.
 *
 * @typeParam Input - What the worker takes; that of the `input` schema.
 * @typeParam Output - What the worker returns; that of the `output` schema.
 *
 * @example
 * ```ts
 * import { Endpoint } from "podlumi/jobs";
 * import { z } from "zod";
 *
 * const llm = new Endpoint("4m7x2k9q", {
 *   input: z.object({ prompt: z.string() }),
 *   output: z.object({ text: z.string() }),
 * });
 * const { output } = await llm.runAndWait({ input: { prompt: "Hello" } });
 * console.log(output.text);
 * ```
 */
export class Endpoint<Input extends object = object, Output = unknown> {
  // Private to the runtime too, so that no print of an endpoint shows the key.
  readonly #queue: Queue;
  readonly #input?: Schema<Input>;
  readonly #output?: Schema<unknown, Output>;

  /**
   * @param id - The endpoint's id, `id` of a `ServerlessEndpoint`.
   * @throws `ConfigurationError` without a key, or with an address that is none.
   *
   * @example
   * ```ts
   * const endpoint = new Endpoint("4m7x2k9q"); // the key comes from RUNPOD_API_KEY
   * ```
   */
  constructor(
    readonly id: string,
    { apiKey, queueUrl, input, output }: EndpointOptions<Input, Output> = {},
  ) {
    this.#queue = new Api(programSettings({ apiKey, queueUrl }), systemClock, wire).queue(id);
    this.#input = input;
    this.#output = output;
  }

  /**
   * Submits a job and returns at once. At most 10 MB. Its result is kept for 30 minutes after its end.
   *
   * @returns The job's id, and `IN_QUEUE`.
   * @throws `InvalidRequestError` before anything is sent, when the input does not fit or is too large.
   * @throws `UnknownOutcomeError` when the job may have been accepted, and its id is unknown.
   *
   * @example
   * ```ts
   * const { id } = await endpoint.run({ input: { prompt: "Hello" }, policy: { ttl: 3_600_000 } });
   * ```
   */
  async run(request: JobRequest<Input>, { signal }: CallOptions = {}): Promise<JobReceipt> {
    const body = await bodyOf(this.id, request, this.#input, payload.run);
    return this.#receipt({ operation: "run", body, signal });
  }

  /**
   * Submits a job and waits for its end, on one request. At most 20 MB. Its result is kept for 1 minute only.
   *
   * @param options - `wait`: milliseconds, 1000 to 300000. Default 90000.
   * @returns The job when it is over, well or not; or as it was when the wait was over: go on with {@link wait}.
   * @throws As {@link run}.
   *
   * @example
   * ```ts
   * const job = await endpoint.runSync({ input: { prompt: "Hello" } }, { wait: 30_000 });
   * if (job.status === "COMPLETED") console.log(job.output);
   * ```
   */
  async runSync(
    request: JobRequest<Input>,
    { wait, signal }: CallOptions & { readonly wait?: number } = {},
  ): Promise<Job<Output>> {
    checkTimes(this.id, { wait });
    const body = await bodyOf(this.id, request, this.#input, payload.runSync);
    const hold = wait ?? defaultWait;
    return this.#typed(await this.#job({ operation: "runsync", query: { wait }, body, hold, signal }));
  }

  /**
   * Submits a job and waits until it is done, however long that takes. The job is known by its id from its first
   * moment, so no lost connection loses its result.
   *
   * To know the id while it waits, call {@link run} and {@link wait}.
   *
   * @throws As {@link run} and {@link wait}.
   *
   * @example
   * ```ts
   * const { output } = await endpoint.runAndWait(
   *   { input: { prompt: "Hello" } },
   *   { signal: AbortSignal.timeout(600_000) },
   * );
   * ```
   */
  async runAndWait(request: JobRequest<Input>, options: CallOptions = {}): Promise<CompletedJob<Output>> {
    const { id } = await this.run(request, options);
    return this.wait(id, options);
  }

  /**
   * Waits until a job is done: looks at it at growing intervals, of 5 s in the end.
   *
   * @throws {@link JobFailedError} when it failed, timed out or was cancelled.
   * @throws {@link JobNotFinishedError} when the signal aborted. The job goes on.
   * @throws `ServiceError` with status 404 when it is not there, or not any more.
   *
   * @example
   * ```ts
   * const { output } = await endpoint.wait(id, { signal: AbortSignal.timeout(60_000) });
   * ```
   */
  async wait(jobId: string, { signal }: CallOptions = {}): Promise<CompletedJob<Output>> {
    let state: JobState | undefined;
    const look = async () => {
      const job = await this.#job({ operation: "status", jobId, signal });
      state = job.status;
      return isFinished(job) ? job : undefined;
    };
    const job = await until(systemClock, signal, look).catch((error) => {
      if (!signal?.aborted) throw error;
      throw new JobNotFinishedError(this.id, jobId, state, { cause: signal.reason });
    });
    if (job.status !== "COMPLETED") throw new JobFailedError(this.id, job);
    return this.#completed(job);
  }

  /**
   * A job as it is.
   *
   * @param options - `ttl`: milliseconds from now after which the job is to be gone, whatever its state.
   * @throws `ServiceError` with status 404 when it is not there, or not any more.
   *
   * @example
   * ```ts
   * const { status } = await endpoint.status(id, { ttl: 600_000 });
   * ```
   */
  async status(
    jobId: string,
    { ttl, signal }: CallOptions & { readonly ttl?: number } = {},
  ): Promise<Job<Output>> {
    checkTimes(this.id, { ttl });
    return this.#typed(await this.#job({ operation: "status", jobId, query: { ttl }, signal }));
  }

  /**
   * What a job yields, while it runs. The worker must stream. The service gives each chunk out once, so that a second
   * reader, or one who comes later, gets what the first one left; the whole output is in {@link status}.
   *
   * @throws {@link JobFailedError}, after the last chunk, when it failed, timed out or was cancelled.
   * @throws `UnknownOutcomeError` when chunks may be lost.
   *
   * @example
   * ```ts
   * const { id } = await endpoint.run({ input: { prompt: "Hello" } });
   * for await (const { output } of endpoint.stream(id)) console.log(output);
   * ```
   */
  async *stream(jobId: string, { signal }: CallOptions = {}): AsyncGenerator<StreamChunk, void, undefined> {
    const fetch = () => this.#queue.ask({ operation: "stream", jobId, signal, read: readChunks });
    const look = async () => {
      const chunks = await fetch();
      if (chunks.length > 0) return { chunks };
      const job = await this.#job({ operation: "status", jobId, signal });
      // Chunks may have come between the two looks.
      return isFinished(job) ? { chunks: await fetch(), job } : undefined;
    };
    for (;;) {
      const { chunks, job } = await until(systemClock, signal, look);
      yield* chunks;
      if (job === undefined || chunks.length > 0) continue;
      if (job.status !== "COMPLETED") throw new JobFailedError(this.id, job);
      return;
    }
  }

  /**
   * Cancels a job, before it runs or while it does.
   *
   * @returns The job's id, and `CANCELLED`; a job that was over before keeps its state.
   *
   * @example
   * ```ts
   * await endpoint.cancel(id);
   * ```
   */
  cancel(jobId: string, { signal }: CallOptions = {}): Promise<JobReceipt> {
    return this.#receipt({ operation: "cancel", jobId, signal });
  }

  /**
   * Runs a job again that is FAILED or TIMED_OUT: same id, same input. Its earlier result is gone.
   *
   * @returns The job's id, and `IN_QUEUE`.
   * @throws `ServiceError` with status 400 in any other state, 404 when its result is not kept any more.
   *
   * @example
   * ```ts
   * await endpoint.retry(id);
   * const { output } = await endpoint.wait(id);
   * ```
   */
  retry(jobId: string, { signal }: CallOptions = {}): Promise<JobReceipt> {
    return this.#receipt({ operation: "retry", jobId, signal });
  }

  /**
   * Removes all jobs that wait; those in progress keep running.
   *
   * @returns How many were removed.
   *
   * @example
   * ```ts
   * const removed = await endpoint.purgeQueue();
   * ```
   */
  purgeQueue({ signal }: CallOptions = {}): Promise<number> {
    return this.#queue.ask({ operation: "purge-queue", signal, read: readRemoved });
  }

  /**
   * Numbers of jobs and workers.
   *
   * @example
   * ```ts
   * const { jobs, workers } = await endpoint.health();
   * console.log(`${jobs.inQueue} jobs wait, ${workers.running} workers run`);
   * ```
   */
  health({ signal }: CallOptions = {}): Promise<QueueHealth> {
    return this.#queue.ask({ operation: "health", signal, read: readHealth });
  }

  /** A job as the service tells it. */
  async #job(question: Omit<Question<Job>, "read">): Promise<Job> {
    const job = await this.#queue.ask({ ...question, read: readJob });
    return "error" in job && job.error !== undefined
      ? { ...job, error: this.#queue.discreet(job.error) }
      : job;
  }

  /** What the service tells when a job begins, begins again or is ended: not what came of it. */
  async #receipt(question: Omit<Question<Job>, "read">): Promise<JobReceipt> {
    const { id, status } = await this.#job(question);
    return { id, status };
  }

  async #typed(job: Job): Promise<Job<Output>> {
    return job.status === "COMPLETED" ? this.#completed(job) : job;
  }

  /** A job whose output is what the schema makes of it. */
  async #completed(job: CompletedJob): Promise<CompletedJob<Output>> {
    const { made, faults } = await applied(this.#output, job.output, "output");
    if (faults.length > 0) throw new InvalidOutputError(this.id, job.id, faults);
    return { ...job, output: made };
  }
}
