/** A part of what a job streams. (specification, "Stream chunk") */
export interface StreamChunk {
  /** What the worker yielded, of whatever shape; at most 1 MB, larger parts come as several chunks. */
  readonly output: unknown;
  /** What the worker measured, such as `input_tokens` of a text generation; empty where it did not. */
  readonly metrics: Readonly<Record<string, unknown>>;
}

/** How an endpoint fares. (specification, "Queue health report") */
export interface QueueHealth {
  /** Numbers of jobs. */
  readonly jobs: {
    readonly completed: number;
    readonly failed: number;
    readonly inProgress: number;
    readonly inQueue: number;
    readonly retried: number;
  };
  /** Numbers of workers. The service tells the optional ones beyond its specification. */
  readonly workers: {
    readonly idle: number;
    readonly running: number;
    readonly initializing?: number;
    readonly ready?: number;
    readonly throttled?: number;
    readonly unhealthy?: number;
  };
}

/** Chunks in either form that the service has: a list, or a list beside the state of the job. (API: Stream) */
export function readChunks(body: unknown): StreamChunk[] | undefined {
  const chunks = Array.isArray(body) ? body : Object(body).stream;
  if (!Array.isArray(chunks)) return undefined;
  return chunks.map(Object).map(({ output, metrics = {} }) => ({ output, metrics }));
}

export function readHealth(body: unknown): QueueHealth | undefined {
  const { jobs, workers } = Object(body);
  return jobs && workers ? { jobs, workers } : undefined;
}

export function readRemoved(body: unknown): number | undefined {
  const { removed } = Object(body);
  return typeof removed === "number" ? removed : undefined;
}
