export type JobStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";

export interface JobPolicy {
  /** Milliseconds the job may run; the endpoint's timeout unless given. */
  executionTimeout?: number;
  lowPriority?: boolean;
  /** Milliseconds after which the job is gone, whatever its state. */
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
  /** When it is gone at the latest. */
  expiresAt: number;
  /** Streamed and not fetched yet. */
  chunks: Chunk[];
  /** Ends the present attempt. */
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

/** What a test lets the workers do. A generator streams its chunks; the default echoes the input. */
export type JobHandler = (
  input: Record<string, unknown>,
  job: { id: string; endpointId: string; signal: AbortSignal },
) => unknown | Promise<unknown> | AsyncIterable<unknown>;

export const echo: JobHandler = (input) => ({ echo: input });

const MINUTE = 60_000;
/** Milliseconds a result is kept after the end of the job (specification, Limits). */
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
