export type JobStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";

export interface JobPolicy {
  /** Milliseconds that the job may run. Default: the endpoint's timeout. */
  executionTimeout?: number;
  lowPriority?: boolean;
  /** Milliseconds until the job is removed, whatever its status. */
  ttl?: number;
}

export interface SubmitJob {
  input: Record<string, unknown>;
  policy?: JobPolicy;
}

export interface Chunk {
  output: unknown;
  metrics: Record<string, unknown>;
}

export interface JobRecord extends SubmitJob {
  id: string;
  endpointId: string;
  sync: boolean;
  status: JobStatus;
  createdAt: number;
  queuedAt: number;
  startedAt?: number;
  finishedAt?: number;
  workerId?: string;
  output?: unknown;
  error?: string;
  retries: number;
  /** When the job is removed at the latest. */
  expiresAt: number;
  /** Streamed chunks that no client has fetched yet. */
  chunks: Chunk[];
  /** Aborts when the present attempt ends. */
  attempt: AbortController;
}

export interface JobView {
  id: string;
  status: JobStatus;
  delayTime?: number;
  executionTime?: number;
  output?: unknown;
  error?: string;
  workerId?: string;
  retries?: number;
}

/** The work of a worker on a job. A generator streams its chunks. The default returns the input. */
export type JobHandler = (
  input: Record<string, unknown>,
  job: { id: string; endpointId: string; signal: AbortSignal },
) => unknown | Promise<unknown> | AsyncIterable<unknown>;

/**
 * (differs, Jobs: no worker runs: a handler in your own code does the job; without one, the output is `{ echo: input
 * }`. Nobody calls a webhook, no bucket of a request is used, and a streamed chunk stays whole, however large. Queues have no limit of
 * requests, and `/requests` and `/openai` are missing.)
 */
export const echo: JobHandler = (input) => ({ echo: input });

const MINUTE = 60_000;
/** Milliseconds for which the result of an ended job is kept. (API: Send requests) */
const RETENTION = { sync: MINUTE, async: 30 * MINUTE };
export const DEFAULT_TTL = 24 * 60 * MINUTE;

export const isFinished = ({ status }: JobRecord) => status !== "IN_QUEUE" && status !== "IN_PROGRESS";

export function isExpired(job: JobRecord, now: number): boolean {
  const kept = job.sync ? RETENTION.sync : RETENTION.async;
  return now >= job.expiresAt || (job.finishedAt !== undefined && now >= job.finishedAt + kept);
}

export function jobView(job: JobRecord, now: number): JobView {
  const { id, status, startedAt, finishedAt, workerId, output, error, retries } = job;
  if (startedAt === undefined) return { id, status };
  return {
    id,
    status,
    delayTime: startedAt - job.queuedAt,
    executionTime: (finishedAt ?? now) - startedAt,
    workerId,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(retries > 0 && { retries }),
  };
}
