import type { Fleet } from "./fleet";
import type { JobRecord, JobStatus } from "./job";
import { statusOf, type WorkerStatus } from "./workers";

/** Counted over the whole life of an endpoint, because jobs expire. */
export type FinishedCounts = Record<"completed" | "failed" | "retried", number>;

/** The documented fields, and further ones that the live service has. */
export interface QueueHealth {
  jobs: FinishedCounts & Record<"inProgress" | "inQueue", number>;
  workers: Record<"idle" | "initializing" | "ready" | "running" | "throttled" | "unhealthy", number>;
}

export function queueHealth(
  jobs: JobRecord[],
  counts: FinishedCounts,
  fleet: Fleet,
  now: number,
): QueueHealth {
  fleet.settle(now);
  const jobsIn = (status: JobStatus) => jobs.filter((job) => job.status === status).length;
  const statuses = fleet.workers.map((worker) => statusOf(worker, fleet, now));
  const workersIn = (status: WorkerStatus) => statuses.filter((other) => other === status).length;
  return {
    jobs: { ...counts, inProgress: jobsIn("IN_PROGRESS"), inQueue: jobsIn("IN_QUEUE") },
    workers: {
      idle: workersIn("IDLE"),
      initializing: workersIn("INITIALIZING"),
      ready: workersIn("IDLE") + workersIn("RUNNING"),
      running: workersIn("RUNNING"),
      throttled: workersIn("THROTTLED"),
      unhealthy: workersIn("UNHEALTHY"),
    },
  };
}
