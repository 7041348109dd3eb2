/** A chunk of a job's stream. (API: Stream) */
export interface StreamChunk {
  /** A part of the output, in any shape. At most 1 MB: larger parts come as several chunks. */
  readonly output: unknown;
  /** Measurements of the worker, such as `input_tokens` of a text generation. Empty without any. */
  readonly metrics: Readonly<Record<string, unknown>>;
}

/** The jobs and workers of an endpoint. (API: Serverless, queue) */
export interface QueueHealth {
  /** Numbers of jobs. */
  readonly jobs: {
    readonly completed: number;
    readonly failed: number;
    readonly inProgress: number;
    readonly inQueue: number;
    readonly retried: number;
  };
  /** Numbers of workers. The optional ones are not documented, but the service returns them. */
  readonly workers: {
    readonly idle: number;
    readonly running: number;
    readonly initializing?: number;
    readonly ready?: number;
    readonly throttled?: number;
    readonly unhealthy?: number;
  };
}

/**
 * Reads chunks in both forms that the service returns: a list, or a list in `stream` of the job. Beside the job's status, no list is an
 * empty one, as the vendor's own client takes it. (API: Stream)
 */
export function readChunks(body: unknown): StreamChunk[] | undefined {
  const { status, stream } = Object(body);
  const chunks = Array.isArray(body) ? body : (stream ?? (typeof status === "string" ? [] : undefined));
  if (!Array.isArray(chunks)) return undefined;
  return chunks.map(Object).map(({ output, metrics }) => ({ output, metrics: metrics ?? {} }));
}

export function readHealth(body: unknown): QueueHealth | undefined {
  const { jobs, workers } = Object(body);
  return jobs && workers ? { jobs, workers } : undefined;
}

export function readRemoved(body: unknown): number | undefined {
  const { removed } = Object(body);
  return typeof removed === "number" ? removed : undefined;
}
