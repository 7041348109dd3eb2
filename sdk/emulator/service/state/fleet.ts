import type { WorkerLimits } from "./endpoint";
import { newId } from "./ids";

/** A worker of an endpoint. */
export interface WorkerRecord {
  id: string;
  /** The version of the endpoint's settings with which it runs. */
  version: number;
  createdAt: number;
  /** When it can take its first job. */
  readyAt: number;
  /** When it last became free. */
  freeSince: number;
  job?: string;
  /** When the rollout of a newer release replaces it. */
  replaceAt?: number;
  endedAt?: number;
}

/**
 * The workers of an endpoint. Every read first calls `settle`, which brings them up to date, so scaling down and
 * rollouts need no timers. At least `min` workers always run, and up to `max` while there are jobs.
 * (differs, Endpoints: the service lowers `workers.max` of an endpoint that has had no job for days. Here it stays.)
 */
export class Fleet {
  workers: WorkerRecord[] = [];
  /** Workers that ended. Billing reports still need them. */
  readonly past: WorkerRecord[] = [];
  /** For tests: the workers wait for compute. Meanwhile they keep their volumes in use. */
  throttled = false;
  private version = 1;

  constructor(
    private limits: WorkerLimits,
    /** Milliseconds from placement to the first job. */
    private readonly startingMs: number,
  ) {}

  resize(limits: WorkerLimits, now: number): void {
    this.settle(now);
    this.limits = limits;
    this.settle(now);
  }

  /** Plans the rollout of a new version, which replaces the workers one after the other. */
  release(version: number, now: number): void {
    this.settle(now);
    this.version = version;
    for (const [index, worker] of this.workers.entries())
      worker.replaceAt = now + (index + 1) * Math.max(1, this.startingMs);
  }

  settle(now: number): void {
    for (const worker of this.workers.filter((worker) => !worker.job)) {
      // A rollout waits for the end of a job.
      const at = Math.max(worker.freeSince, worker.replaceAt ?? Number.POSITIVE_INFINITY);
      if (at > now) continue;
      this.end(worker, at);
      this.add(at);
    }
    const floor = Math.min(this.limits.max, Math.max(this.limits.min, this.throttled ? 1 : 0));
    for (const worker of this.workers.filter((worker) => !worker.job).reverse()) {
      const idleUntil = Math.max(worker.readyAt, worker.freeSince) + this.limits.idleTimeout * 1000;
      if (this.workers.length > this.limits.max) this.end(worker, now);
      else if (this.workers.length > floor && idleUntil <= now) this.end(worker, idleUntil);
    }
    while (this.workers.length < floor) this.add(now);
  }

  /** A worker for a job: a free one, else a new one if `max` allows. It may still be starting. */
  hire(job: string, now: number): WorkerRecord | undefined {
    if (this.throttled) return undefined;
    this.settle(now);
    const free = this.workers.filter((worker) => !worker.job).sort((a, b) => a.readyAt - b.readyAt);
    const worker = free[0] ?? (this.workers.length < this.limits.max ? this.add(now) : undefined);
    if (worker) worker.job = job;
    return worker;
  }

  /** Frees the worker of a job that has ended. */
  free(job: string, now: number): void {
    const worker = this.workers.find((worker) => worker.job === job);
    if (!worker) return;
    worker.job = undefined;
    worker.freeSince = now;
    this.settle(now);
  }

  endAll(now: number): void {
    this.limits = { min: 0, max: 0, idleTimeout: 0 };
    for (const worker of this.workers) this.end(worker, now);
  }

  private add(at: number): WorkerRecord {
    const readyAt = at + this.startingMs;
    const worker = { id: newId(14), version: this.version, createdAt: at, readyAt, freeSince: at };
    this.workers = [...this.workers, worker];
    return worker;
  }

  private end(worker: WorkerRecord, at: number): void {
    worker.endedAt = at;
    this.workers = this.workers.filter((other) => other !== worker);
    this.past.push(worker);
  }
}
