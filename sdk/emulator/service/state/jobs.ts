import { randomUUID } from "node:crypto";
import type { EndpointRecord } from "./endpoints";
import { newId } from "./ids";
import {
  type Chunk,
  DEFAULT_TTL,
  echo,
  isExpired,
  isFinished,
  type JobHandler,
  type JobRecord,
  type JobStatus,
  type JobView,
  jobView,
  type SubmitJob,
} from "./job";
import { execute, JobTimeout } from "./job-execution";
import { badRequest, notFound } from "./problem";
import { type FinishedCounts, type QueueHealth, queueHealth } from "./queue-health";
import type { Service } from "./service";

/** The queues of all endpoints of type QUEUE. */
export class Jobs {
  private jobs: JobRecord[] = [];
  private readonly counts = new Map<string, FinishedCounts>();
  private readonly handlers = new Map<string, JobHandler>();

  constructor(private readonly service: Service) {}

  /** Sets what the workers of an endpoint do. "*" is for all endpoints without a handler of their own. */
  setHandler(endpointId: string, handler: JobHandler): void {
    this.handlers.set(endpointId, handler);
  }

  handlerOf(endpointId: string): JobHandler {
    return this.handlers.get(endpointId) ?? this.handlers.get("*") ?? echo;
  }

  /** Milliseconds that a job may run. */
  limitOf({ settings }: EndpointRecord, { policy }: SubmitJob): number {
    return policy?.executionTimeout ?? (settings.timeout || DEFAULT_TTL);
  }

  /** The jobs that have not expired, oldest first. */
  list(): readonly JobRecord[] {
    this.forgetExpired();
    return this.jobs;
  }

  submit(endpointId: string, { input, policy }: SubmitJob, sync = false): JobView {
    this.endpoint(endpointId);
    const now = this.service.clock.now();
    const job: JobRecord = {
      id: sync ? `sync-${randomUUID()}` : `${randomUUID()}-${newId(2)}`,
      endpointId,
      input: structuredClone(input),
      policy,
      sync,
      status: "IN_QUEUE",
      createdAt: now,
      queuedAt: now,
      retries: 0,
      expiresAt: now + (policy?.ttl ?? DEFAULT_TTL),
      chunks: [],
      attempt: new AbortController(),
    };
    this.jobs.push(job);
    const accepted = jobView(job, now);
    this.dispatch(endpointId);
    return accepted;
  }

  status(endpointId: string, jobId: string, ttl?: number): JobView {
    const job = this.job(endpointId, jobId);
    const now = this.service.clock.now();
    if (ttl !== undefined) job.expiresAt = now + ttl;
    return jobView(job, now);
  }

  /** Waits until the job's attempt has ended, at most `ms` milliseconds. Returns the job. */
  async wait(endpointId: string, jobId: string, ms: number, signal: AbortSignal): Promise<JobView> {
    const job = this.job(endpointId, jobId);
    const over = AbortSignal.any([job.attempt.signal, signal]);
    if (!over.aborted) await this.service.clock.sleep(ms, over).catch(() => undefined);
    return this.status(endpointId, jobId);
  }

  /** The chunks that came since the last call. */
  stream(endpointId: string, jobId: string): Chunk[] {
    return this.job(endpointId, jobId).chunks.splice(0);
  }

  cancel(endpointId: string, jobId: string): JobView {
    const job = this.job(endpointId, jobId);
    if (!isFinished(job)) this.finish(job, "CANCELLED");
    return { id: job.id, status: job.status };
  }

  /** Retries a job that failed or timed out, as long as its result is kept. (API: Serverless, queue) */
  retry(endpointId: string, jobId: string): JobView {
    const job = this.job(endpointId, jobId);
    if (job.status !== "FAILED" && job.status !== "TIMED_OUT")
      throw badRequest(`only FAILED and TIMED_OUT jobs can be retried, this one is ${job.status}`);
    Object.assign(job, {
      status: "IN_QUEUE",
      queuedAt: this.service.clock.now(),
      startedAt: undefined,
      finishedAt: undefined,
      output: undefined,
      error: undefined,
      chunks: [],
      retries: job.retries + 1,
      workerId: undefined,
      attempt: new AbortController(),
    });
    this.count(endpointId).retried += 1;
    this.dispatch(endpointId);
    return { id: job.id, status: "IN_QUEUE" };
  }

  /** Removes the waiting jobs. Jobs in progress keep running. (API: Serverless, queue) */
  purge(endpointId: string): number {
    this.endpoint(endpointId);
    const waiting = this.of(endpointId).filter((job) => job.status === "IN_QUEUE");
    this.remove(waiting);
    return waiting.length;
  }

  health(endpointId: string): QueueHealth {
    const { fleet } = this.endpoint(endpointId);
    return queueHealth(this.of(endpointId), this.count(endpointId), fleet, this.service.clock.now());
  }

  /** Removes the jobs of a deleted endpoint. */
  drop(endpointId: string): void {
    this.remove(this.jobs.filter((job) => job.endpointId === endpointId));
  }

  dropAll(): void {
    this.remove(this.jobs);
  }

  /** Gives waiting jobs to workers, as long as there are workers for them. */
  dispatch(endpointId: string): void {
    const endpoint = this.service.endpoints.find(endpointId);
    if (!endpoint) return;
    const waiting = this.of(endpointId).filter((job) => job.status === "IN_QUEUE" && !job.workerId);
    const rank = (job: JobRecord) => (job.policy?.lowPriority ? 1 : 0);
    for (const job of waiting.sort((a, b) => rank(a) - rank(b))) {
      const worker = endpoint.fleet.hire(job.id, this.service.clock.now());
      if (!worker) return;
      job.workerId = worker.id;
      void this.run(endpoint, job, worker.readyAt);
    }
  }

  private async run(endpoint: EndpointRecord, job: JobRecord, readyAt: number): Promise<void> {
    const { clock } = this.service;
    const { attempt } = job;
    const { fleet } = endpoint;
    try {
      if (readyAt > clock.now()) await clock.sleep(readyAt - clock.now(), attempt.signal);
      job.status = "IN_PROGRESS";
      job.startedAt = clock.now();
      const limit = this.limitOf(endpoint, job);
      const output = await execute(this.handlerOf(job.endpointId), job, limit, this.service);
      this.finish(job, "COMPLETED", { output });
    } catch (error) {
      if (attempt.signal.aborted) return;
      if (error instanceof JobTimeout) this.finish(job, "TIMED_OUT", { error: error.message });
      else this.finish(job, "FAILED", { error: error instanceof Error ? error.message : String(error) });
    } finally {
      fleet.free(job.id, clock.now());
      this.dispatch(job.endpointId);
    }
  }

  private finish(job: JobRecord, status: JobStatus, result: { output?: unknown; error?: string } = {}): void {
    Object.assign(job, { status, finishedAt: this.service.clock.now(), ...result });
    if (status === "COMPLETED") this.count(job.endpointId).completed += 1;
    if (status === "FAILED" || status === "TIMED_OUT") this.count(job.endpointId).failed += 1;
    job.attempt.abort();
  }

  private remove(gone: JobRecord[]): void {
    this.jobs = this.jobs.filter((job) => !gone.includes(job));
    for (const job of gone) job.attempt.abort();
  }

  /** The endpoint of a queue. */
  endpoint(id: string): EndpointRecord {
    const endpoint = this.service.endpoints.find(id);
    const ready = (endpoint?.createdAt ?? 0) + this.service.timings.queueReady;
    if (endpoint?.type !== "QUEUE" || this.service.clock.now() < ready) throw notFound("endpoint not found");
    return endpoint;
  }

  private job(endpointId: string, jobId: string): JobRecord {
    this.endpoint(endpointId);
    const job = this.of(endpointId).find((job) => job.id === jobId);
    if (!job) throw notFound("job not found");
    return job;
  }

  /** The endpoint's jobs that have not expired. */
  private of(endpointId: string): JobRecord[] {
    this.forgetExpired();
    return this.jobs.filter((job) => job.endpointId === endpointId);
  }

  private forgetExpired(): void {
    this.remove(this.jobs.filter((job) => isExpired(job, this.service.clock.now())));
  }

  private count(endpointId: string): FinishedCounts {
    const counts = this.counts.get(endpointId) ?? { completed: 0, failed: 0, retried: 0 };
    this.counts.set(endpointId, counts);
    return counts;
  }
}
