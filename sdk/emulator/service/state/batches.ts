import { newId } from "./ids";
import type { JobRecord, SubmitJob } from "./job";
import { execute } from "./job-execution";
import { badRequest, notFound } from "./problem";
import type { Service } from "./service";

/** (API: Batch jobs, limits) */
const LIMITS = { activeBatches: 10, requestsOfBatch: 5_000, queuedRequests: 50_000 };

/**
 * Jobs of one batch that run at the same time, on workers beside those of the endpoint. (API: Batch jobs)
 * (differs, Batches: they begin at once, where the service waits for free capacity. To list and rename batches, and to remove
 * a request, are missing. How the service refuses, and how it names requests that wait, run or were cancelled, is not documented.)
 */
const WORKERS = 3;

interface BatchRecord {
  id: string;
  endpointId: string;
  status: "DRAFT" | "FINALIZED" | "CANCELLED";
  isCancelled: boolean;
  jobs: JobRecord[];
  createdAt: number;
}

/** The batches of all endpoints. (API: Batch jobs) */
export class Batches {
  private batches: BatchRecord[] = [];

  constructor(private readonly service: Service) {}

  create(endpointId: string, requests: SubmitJob[]) {
    this.service.jobs.endpoint(endpointId);
    if (this.of(endpointId).filter(isActive).length >= LIMITS.activeBatches)
      throw badRequest(`an endpoint has at most ${LIMITS.activeBatches} active batches`);
    const batch: BatchRecord = {
      id: `batch_${newId(10)}`,
      endpointId,
      status: "DRAFT",
      isCancelled: false,
      jobs: [],
      createdAt: this.service.clock.now(),
    };
    this.put(batch, requests);
    this.batches.push(batch);
    return receipt(batch);
  }

  add(endpointId: string, batchId: string, requests: SubmitJob[]) {
    const batch = this.draft(endpointId, batchId);
    this.put(batch, requests);
    return receipt(batch);
  }

  finalize(endpointId: string, batchId: string) {
    const batch = this.draft(endpointId, batchId);
    batch.status = "FINALIZED";
    this.dispatch(batch);
    return receipt(batch);
  }

  status(endpointId: string, batchId: string) {
    const { id, status, jobs, createdAt } = this.batch(endpointId, batchId);
    const count = (state: JobRecord["status"]) => jobs.filter((job) => job.status === state).length;
    return {
      id,
      endpointId,
      status,
      requestTotal: jobs.length,
      requestInProgress: count("IN_PROGRESS"),
      requestCompleted: count("COMPLETED"),
      requestFailed: count("FAILED"),
      createdAt,
    };
  }

  /** Waiting jobs are cancelled at once, running ones end first. A draft is not cancelled. (API: Batch jobs, lifecycle, cancellation) */
  cancel(endpointId: string, batchId: string) {
    const batch = this.batch(endpointId, batchId);
    if (batch.status !== "FINALIZED") throw badRequest(`the batch is ${batch.status}, not FINALIZED`);
    batch.isCancelled = true;
    for (const job of batch.jobs) if (job.status === "IN_QUEUE") job.status = "CANCELLED";
    this.dispatch(batch);
    return receipt(batch);
  }

  /** A page of its requests: failures first, then what runs, what waits and what is completed. (API: Batch jobs, console) */
  requests(endpointId: string, batchId: string, offset: number, limit: number) {
    const { jobs } = this.batch(endpointId, batchId);
    const order: JobRecord["status"][] = ["FAILED", "IN_PROGRESS", "IN_QUEUE", "COMPLETED", "CANCELLED"];
    const sorted = order.flatMap((status) => jobs.filter((job) => job.status === status));
    return {
      requests: sorted.slice(offset, offset + limit).map(requestView),
      total: jobs.length,
      offset,
      limit,
      hasMore: offset + limit < jobs.length,
    };
  }

  /** Removes the batches of a deleted endpoint. */
  drop(endpointId: string): void {
    for (const { jobs } of this.of(endpointId)) for (const { attempt } of jobs) attempt.abort();
    this.batches = this.batches.filter((batch) => batch.endpointId !== endpointId);
  }

  dropAll(): void {
    for (const { endpointId } of this.batches) this.drop(endpointId);
  }

  private put(batch: BatchRecord, requests: SubmitJob[]): void {
    const { requestsOfBatch, queuedRequests } = LIMITS;
    if (batch.jobs.length + requests.length > requestsOfBatch)
      throw badRequest(`a batch has at most ${requestsOfBatch} requests`);
    const queued = this.of(batch.endpointId).flatMap(({ jobs }) => jobs.filter(isQueued));
    if (queued.length + requests.length > queuedRequests)
      throw badRequest(`an endpoint has at most ${queuedRequests} queued requests`);
    batch.jobs.push(...requests.map((request) => this.newJob(batch, request)));
  }

  private newJob({ endpointId }: BatchRecord, { input, policy }: SubmitJob): JobRecord {
    const now = this.service.clock.now();
    return {
      id: `req_${newId(10)}`,
      endpointId,
      input: structuredClone(input),
      policy,
      sync: false,
      status: "IN_QUEUE",
      createdAt: now,
      queuedAt: now,
      retries: 0,
      expiresAt: Number.POSITIVE_INFINITY,
      chunks: [],
      attempt: new AbortController(),
    };
  }

  /** Starts what waits, as long as there are workers. */
  private dispatch(batch: BatchRecord): void {
    const running = batch.jobs.filter((job) => job.status === "IN_PROGRESS").length;
    if (batch.isCancelled && running === 0) batch.status = "CANCELLED";
    for (const job of batch.jobs.filter(isQueued).slice(0, WORKERS - running)) void this.run(batch, job);
  }

  private async run(batch: BatchRecord, job: JobRecord): Promise<void> {
    const { clock, jobs } = this.service;
    const end = (status: "COMPLETED" | "FAILED", result: { output?: unknown; error?: string }) =>
      Object.assign(job, { status, finishedAt: clock.now(), ...result });
    job.status = "IN_PROGRESS";
    job.startedAt = clock.now();
    try {
      const limit = jobs.limitOf(jobs.endpoint(job.endpointId), job);
      end("COMPLETED", { output: await execute(jobs.handlerOf(job.endpointId), job, limit, this.service) });
    } catch (error) {
      if (job.attempt.signal.aborted) return;
      end("FAILED", { error: error instanceof Error ? error.message : String(error) });
    }
    // Ends the timer of its time limit.
    job.attempt.abort();
    this.dispatch(batch);
  }

  private draft(endpointId: string, batchId: string): BatchRecord {
    const batch = this.batch(endpointId, batchId);
    if (batch.status !== "DRAFT") throw badRequest(`the batch is ${batch.status}, not DRAFT`);
    return batch;
  }

  private batch(endpointId: string, batchId: string): BatchRecord {
    this.service.jobs.endpoint(endpointId);
    const batch = this.of(endpointId).find(({ id }) => id === batchId);
    if (!batch) throw notFound("batch not found");
    return batch;
  }

  private of(endpointId: string): BatchRecord[] {
    return this.batches.filter((batch) => batch.endpointId === endpointId);
  }
}

const isQueued = ({ status }: JobRecord) => status === "IN_QUEUE";

/** The service does not say which batches count as active: here, those that may still run. */
const isActive = ({ status, jobs }: BatchRecord) =>
  status === "DRAFT" || jobs.some((job) => isQueued(job) || job.status === "IN_PROGRESS");

const receipt = ({ id, status }: BatchRecord) => ({ id, status });

function requestView({ id, status, output, error, startedAt, finishedAt }: JobRecord) {
  return {
    id,
    status,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(startedAt !== undefined && { startedAt: new Date(startedAt).toISOString() }),
    ...(finishedAt !== undefined && { completedAt: new Date(finishedAt).toISOString() }),
  };
}
