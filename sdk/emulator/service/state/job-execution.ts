import type { Chunk, JobHandler, JobRecord } from "./job";
import type { Service } from "./service";

export class JobTimeout extends Error {
  constructor() {
    super("job exceeded its execution timeout");
  }
}

/** Runs the handler, at most for `limit` milliseconds and until the job expires. */
export async function execute(
  handler: JobHandler,
  job: JobRecord,
  limit: number,
  { clock, timings }: Service,
): Promise<unknown> {
  const { signal } = job.attempt;
  const timeOut = clock
    .sleep(Math.min(limit, job.expiresAt - clock.now()), signal)
    .then(() => Promise.reject(new JobTimeout()));
  const work = async () => {
    const output = await outputOf(handler, job);
    if (timings.jobTime > 0) await clock.sleep(timings.jobTime, signal);
    return output;
  };
  return Promise.race([work(), timeOut]);
}

/** The result of the handler, or the list of outputs that it streams. */
async function outputOf(handler: JobHandler, job: JobRecord): Promise<unknown> {
  const { signal } = job.attempt;
  const result = handler(structuredClone(job.input), { id: job.id, endpointId: job.endpointId, signal });
  if (!isAsyncIterable(result)) return await result;
  const outputs: unknown[] = [];
  for await (const part of result) {
    if (signal.aborted) break;
    const chunk = chunkOf(part);
    job.chunks.push(chunk);
    outputs.push(chunk.output);
  }
  return outputs;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A handler yields plain outputs, or objects with `output` and `metrics`. */
function chunkOf(part: unknown): Chunk {
  const full = typeof part === "object" && part !== null && "output" in part;
  return full
    ? { metrics: {}, ...(part as Partial<Chunk> & { output: unknown }) }
    : { output: part, metrics: {} };
}
