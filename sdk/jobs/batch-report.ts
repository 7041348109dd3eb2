import type { FinishedJob } from "../../provider/client/job";
import { isFinished, readJob } from "../../provider/client/job";

/** A batch as it is now. (API: Batch jobs) */
export interface BatchStatus {
  /** Id of the batch. */
  readonly id: string;
  /** A finalized batch stays FINALIZED while it runs and when it is done. FAILED is the batch itself, not some of its jobs. */
  readonly status: "DRAFT" | "FINALIZED" | "FAILED" | "CANCELLED";
  /** Numbers of its jobs. */
  readonly counts: {
    readonly total: number;
    readonly inProgress: number;
    readonly completed: number;
    readonly failed: number;
  };
  /** No job of it will run any more: all jobs of a FINALIZED batch have ended, or the batch is FAILED or CANCELLED. */
  readonly isDone: boolean;
  /** Undefined when the service does not say. */
  readonly createdAt?: Date;
}

const states: readonly string[] = ["DRAFT", "FINALIZED", "FAILED", "CANCELLED"];

/** The service has no state for a batch that is done: its counts tell. (API: Batch jobs, lifecycle) */
export function readBatch(body: unknown): BatchStatus | undefined {
  const { id, status, createdAt, ...rest } = Object(body);
  const counts = {
    total: rest.requestTotal,
    inProgress: rest.requestInProgress,
    completed: rest.requestCompleted,
    failed: rest.requestFailed,
  };
  if (typeof id !== "string" || !states.includes(status)) return undefined;
  if (!Object.values(counts).every(Number.isInteger)) return undefined;
  const isDone =
    status === "FINALIZED" ? counts.completed + counts.failed === counts.total : status !== "DRAFT";
  return {
    id,
    status,
    counts,
    isDone,
    createdAt: typeof createdAt === "number" ? new Date(createdAt) : undefined,
  };
}

export function readBatchId(body: unknown): string | undefined {
  const { id } = Object(body);
  return typeof id === "string" ? id : undefined;
}

/** A page of the list of a batch's jobs. */
export interface ResultsPage {
  /** Those that have ended. The service does not document how it names the states of the others. */
  readonly jobs: FinishedJob[];
  /** The number of all jobs on it. */
  readonly length: number;
  readonly hasMore: boolean;
}

export function readResults(body: unknown): ResultsPage | undefined {
  const { requests, hasMore } = Object(body);
  if (!Array.isArray(requests) || typeof hasMore !== "boolean") return undefined;
  const jobs = requests.map(readJob).filter((job) => job !== undefined && isFinished(job));
  return { jobs: jobs as FinishedJob[], length: requests.length, hasMore };
}
