import type { CompletedJob, Job, JobReceipt } from "../../provider/client/job";
import { Batches } from "./batch";
import { Calls } from "./calls";
import type { CallOptions, EndpointOptions } from "./options";
import type { QueueHealth, StreamChunk } from "./report";
import { readHealth, readRemoved } from "./report";
import type { JobRequest } from "./request";
import { bodyOf, checkTimes, defaultWait, payload, secretsOf } from "./request";
import { chunksOf } from "./stream";
import { waitFor } from "./wait";

/**
 * The client of a Serverless endpoint of type QUEUE. It works without Pulumi.
 *
 * All calls are sent again after 429 (for up to 2 minutes) and after refused connections (for up to 15 s). Most calls
 * are also sent again after 408, 425, 5xx and lost connections, for up to 2 minutes. The exceptions are `run`,
 * `runSync`, `retry`, `stream` and `purgeQueue`, and what fills or finalizes a batch: sent twice, one of them could create two jobs
 * or lose chunks. They throw an `UnknownOutcomeError` when it is not clear whether the service acted.
 *
 * Every call throws a `ServiceError` when the service refuses it, and a `NoAnswerError` when no response comes. `wait`,
 * and `runAndWait` once it has the job's id, throw a {@link JobNotFinishedError} with that id instead. A new
 * endpoint answers 404 at first. So a 404 for the endpoint itself is retried for 15 s, until its queue has answered
 * once.
 *
 * @typeParam Input - What the worker takes: the input type of the `input` schema.
 * @typeParam Output - What the worker returns: the output type of the `output` schema.
 *
 * @example
 * ```ts
 * import { Endpoint } from "podlumi/jobs";
 * import { z } from "zod";
 *
 * // The key comes from RUNPOD_API_KEY.
 * const llm = new Endpoint("4m7x2k9q", {
 *   input: z.object({ prompt: z.string() }),
 *   output: z.object({ text: z.string() }),
 * });
 * const { output } = await llm.runAndWait({ input: { prompt: "Hello" } });
 * console.log(output.text);
 * ```
 */
export class Endpoint<Input extends object = object, Output = unknown> {
  // Private at run time too, so that printing an endpoint does not show the key.
  readonly #calls: Calls<Output>;

  /**
   * @param id - The endpoint's id, `id` of a `ServerlessEndpoint`.
   * @throws `ConfigurationError` when the key is missing, the address is invalid, or the id is an address.
   */
  constructor(
    readonly id: string,
    options: EndpointOptions<Input, Output> = {},
  ) {
    this.#calls = new Calls(id, options);
  }

  /**
   * Submits a job and returns at once. A request has at most 10 MB. The result is kept for 30 minutes after the end of
   * the job.
   *
   * @returns The job's id, and the status `IN_QUEUE`.
   * @throws `InvalidRequestError` when the input does not fit the schema, a time is out of its range, the webhook is no address, or
   * the request is too large. Nothing is sent then.
   * @throws `UnknownOutcomeError` when the service may have accepted the job, but its id is not known.
   *
   * @example
   * ```ts
   * const { id } = await endpoint.run({ input: { prompt: "Hello" }, policy: { ttl: 3_600_000 } });
   * ```
   */
  async run(request: JobRequest<Input>, { signal }: CallOptions = {}): Promise<JobReceipt> {
    const body = await bodyOf(this.id, request, this.#calls.input, payload.run);
    return this.#calls.receipt({ operation: "run", body, secrets: secretsOf(request), signal });
  }

  /**
   * Submits a job and waits for its end, all in one request. The request has at most 20 MB. The result is kept for
   * 1 minute only.
   *
   * @param options - `wait`: the longest wait in milliseconds, 1000 to 300000. Default 90000.
   * @returns The job when it has ended, with success or not. If the wait ends first, the job as it is then: use
   * {@link wait} to wait longer.
   * @throws the same errors as {@link run}.
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
    const body = await bodyOf(this.id, request, this.#calls.input, payload.runSync);
    const sent = { body, secrets: secretsOf(request), hold: wait ?? defaultWait };
    return this.#calls.typed(
      await this.#calls.job({ operation: "runsync", query: { wait }, ...sent, signal }),
    );
  }

  /**
   * Submits a job and waits until it is done, without a time limit. It gets the job's id first, so a lost connection
   * does not lose the result.
   *
   * To have the id while the job runs, call {@link run} and then {@link wait}.
   *
   * @throws the same errors as {@link run} and {@link wait}.
   *
   * @example
   * ```ts
   * const { output } = await endpoint.runAndWait({ input }, { signal: AbortSignal.timeout(600_000) });
   * ```
   */
  async runAndWait(request: JobRequest<Input>, options: CallOptions = {}): Promise<CompletedJob<Output>> {
    const { id } = await this.run(request, options);
    return waitFor(this.#calls, id, options, secretsOf(request));
  }

  /**
   * Waits until a job is done. It asks for the status at growing intervals, of at most 5 s.
   *
   * It does not know the secret of the request's bucket: a worker that repeats it in its error shows it here, but not in
   * {@link runAndWait}.
   *
   * @throws `JobFailedError` when the job failed, timed out or was cancelled.
   * @throws `JobNotFinishedError` when the signal aborts the wait, or when the service cannot be asked any more. The job continues.
   * @throws `ServiceError` with status 404 when the job does not exist, or no longer.
   *
   * @example
   * ```ts
   * const { output } = await endpoint.wait(id, { signal: AbortSignal.timeout(60_000) });
   * ```
   */
  wait(jobId: string, options: CallOptions = {}): Promise<CompletedJob<Output>> {
    return waitFor(this.#calls, jobId, options);
  }

  /**
   * The present state of a job.
   *
   * @param options - `ttl`: milliseconds from now after which the service removes the job, whatever its state.
   * @throws `ServiceError` with status 404 when the job does not exist, or no longer.
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
    return this.#calls.typed(await this.#calls.job({ operation: "status", jobId, query: { ttl }, signal }));
  }

  /**
   * The chunks that a job yields while it runs. The worker must support streaming. The service gives out each chunk
   * only once, so a second or later reader gets only the chunks that the first one left. A loop that ends early loses
   * those that came in the same response. The whole output is in {@link status}.
   *
   * @throws `JobFailedError` after the last chunk, when the job failed, timed out or was cancelled.
   * @throws `UnknownOutcomeError` when chunks may be lost.
   *
   * @example
   * ```ts
   * const { id } = await endpoint.run({ input: { prompt: "Hello" } });
   * for await (const { output } of endpoint.stream(id)) console.log(output);
   * ```
   */
  stream(jobId: string, options: CallOptions = {}): AsyncGenerator<StreamChunk, void, undefined> {
    return chunksOf(this.#calls, jobId, options);
  }

  /**
   * Cancels a job that waits or runs.
   *
   * @returns The job's id, and `CANCELLED`. A job that had already ended keeps its state.
   */
  cancel(jobId: string, { signal }: CallOptions = {}): Promise<JobReceipt> {
    return this.#calls.receipt({ operation: "cancel", jobId, signal });
  }

  /**
   * Runs a FAILED or TIMED_OUT job again, with the same id and the same input. Its earlier result is gone.
   *
   * @returns The job's id, and `IN_QUEUE`.
   * @throws `ServiceError` with status 400 when the job is in another state, or 404 when its result is no longer kept.
   *
   * @example
   * ```ts
   * await endpoint.retry(id);
   * const { output } = await endpoint.wait(id);
   * ```
   */
  retry(jobId: string, { signal }: CallOptions = {}): Promise<JobReceipt> {
    return this.#calls.receipt({ operation: "retry", jobId, signal });
  }

  /** The batches of the endpoint (beta): many requests as one object, which runs beside the queue. */
  get batches(): Batches<Input, Output> {
    return new Batches(this.#calls);
  }

  /**
   * Removes all waiting jobs. Jobs in progress keep running.
   *
   * @returns The number of removed jobs.
   */
  purgeQueue({ signal }: CallOptions = {}): Promise<number> {
    return this.#calls.queue.send({ operation: "purge-queue", signal, read: readRemoved });
  }

  /**
   * The numbers of jobs and workers by their state.
   *
   * @example
   * ```ts
   * const { jobs, workers } = await endpoint.health();
   * console.log(`${jobs.inQueue} jobs wait, ${workers.running} workers run`);
   * ```
   */
  health({ signal }: CallOptions = {}): Promise<QueueHealth> {
    return this.#calls.queue.send({ operation: "health", signal, read: readHealth });
  }
}
