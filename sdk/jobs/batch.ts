import type { FinishedJob } from "../../provider/client/job";
import { addParts, partsOf } from "./batch-parts";
import type { BatchStatus } from "./batch-report";
import { readBatch, readBatchId, readResults } from "./batch-report";
import type { Calls } from "./calls";
import type { CallOptions } from "./options";
import type { JobRequest } from "./request";

/**
 * The batches of an endpoint (beta): many requests as one object. It may wait for hours, and runs on workers of its own,
 * so that it does not delay the jobs of `run`. (API: Batch jobs)
 *
 * @example
 * ```ts
 * const batch = await endpoint.batches.create(texts.map((text, index) => ({ input: { text, index } })));
 * await batch.finalize(); // until then, it does not run
 * console.log(batch.id); // for another process: endpoint.batches.open(id)
 * ```
 */
export class Batches<Input extends object = object, Output = unknown> {
  readonly #calls: Calls<Output>;

  /** @internal */
  constructor(calls: Calls<Output>) {
    this.#calls = calls;
  }

  /**
   * Creates a draft, with requests or without. What is larger than 10 MB is sent in parts.
   *
   * @throws `InvalidRequestError` as `run` does, with the faults of all requests. Nothing is sent then.
   * @throws `BatchIncompleteError` when the batch exists, and a later part fails.
   * @throws `UnknownOutcomeError` when an empty or incomplete draft may exist, whose id is not known. It does not run.
   */
  async create(
    requests: readonly JobRequest<Input>[] = [],
    options: CallOptions = {},
  ): Promise<Batch<Input, Output>> {
    const [first = { bodies: [], secrets: [] }, ...rest] = await partsOf(this.#calls, requests);
    const id = await this.#calls.queue.send({
      operation: "createBatch",
      body: `[${first.bodies}]`,
      secrets: first.secrets,
      signal: options.signal,
      read: readBatchId,
    });
    await addParts(this.#calls, id, rest, first.bodies.length, options);
    return this.open(id);
  }

  /**
   * A batch that exists, by its id. Sends no request.
   *
   * @example
   * ```ts
   * const { isDone, counts } = await endpoint.batches.open("batch_01j9abc123").status();
   * ```
   */
  open(id: string): Batch<Input, Output> {
    return new Batch(this.#calls, id);
  }
}

/**
 * One batch. A draft takes requests; once finalized, it runs.
 *
 * @example
 * ```ts
 * const batch = endpoint.batches.open(id);
 * while (!(await batch.status()).isDone) await setTimeout(60_000); // of node:timers/promises
 * for await (const job of batch.results()) {
 *   if (job.status === "COMPLETED") console.log(job.output);
 * }
 * ```
 */
export class Batch<Input extends object = object, Output = unknown> {
  /** Id of the batch. */
  readonly id: string;
  readonly #calls: Calls<Output>;

  /** @internal */
  constructor(calls: Calls<Output>, id: string) {
    this.id = id;
    this.#calls = calls;
  }

  /**
   * Adds requests to a draft. What is larger than 10 MB is sent in parts.
   *
   * @throws `InvalidRequestError` as `run` does, with the faults of all requests. Nothing is sent then.
   * @throws `BatchIncompleteError` when a part fails: `added` says how many requests are in, and `cause` says why.
   */
  async add(requests: readonly JobRequest<Input>[], options: CallOptions = {}): Promise<void> {
    await addParts(this.#calls, this.id, await partsOf(this.#calls, requests), 0, options);
  }

  /**
   * Locks the batch and lets it run. The service promises no time at which it starts.
   *
   * @throws `UnknownOutcomeError` when it is not clear whether it is finalized: see {@link status}.
   */
  finalize({ signal }: CallOptions = {}): Promise<void> {
    return this.#change("finalizeBatch", signal);
  }

  /** Its state and its counts. */
  status({ signal }: CallOptions = {}): Promise<BatchStatus> {
    return this.#calls.queue.send({ operation: "batchStatus", batchId: this.id, signal, read: readBatch });
  }

  /** Cancels the requests that wait. Those in progress end first, and are billed; then the batch is CANCELLED. */
  cancel({ signal }: CallOptions = {}): Promise<void> {
    return this.#change("cancelBatch", signal);
  }

  /**
   * The jobs of the batch that have ended, in no order that is promised: let the worker return what tells whose output it
   * is. Complete only once {@link status} is done, since the list changes while the batch runs.
   *
   * @throws `InvalidOutputError` at the first output that does not fit the schema of the endpoint.
   *
   * @example
   * ```ts
   * for await (const job of batch.results()) {
   *   if (job.status === "FAILED") console.error(job.id, job.error);
   * }
   * ```
   */
  async *results({ signal }: CallOptions = {}): AsyncGenerator<FinishedJob<Output>, void, undefined> {
    const { queue } = this.#calls;
    for (let offset = 0, hasMore = true; hasMore; ) {
      const page = await queue.send({
        operation: "batchResults",
        batchId: this.id,
        query: { offset },
        signal,
        read: readResults,
      });
      for (const job of page.jobs.map((each) => this.#calls.discreet(each)))
        yield job.status === "COMPLETED" ? await this.#calls.completed(job) : job;
      offset += page.length;
      hasMore = page.hasMore && page.length > 0;
    }
  }

  async #change(operation: "finalizeBatch" | "cancelBatch", signal: AbortSignal | undefined): Promise<void> {
    // The page of batches does not say what these answer.
    await this.#calls.queue.send({ operation, batchId: this.id, signal, read: () => true });
  }
}
