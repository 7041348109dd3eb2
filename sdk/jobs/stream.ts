import { systemClock } from "../../provider/client/clock";
import { isFinished } from "../../provider/client/job";
import type { Calls } from "./calls";
import { JobFailedError } from "./errors";
import type { CallOptions } from "./options";
import type { StreamChunk } from "./report";
import { readChunks } from "./report";
import { until } from "./until";

/** The chunks of a job until it ends. */
export async function* chunksOf(
  calls: Calls,
  jobId: string,
  { signal }: CallOptions,
): AsyncGenerator<StreamChunk, void, undefined> {
  const fetch = () => calls.queue.send({ operation: "stream", jobId, signal, read: readChunks });
  const look = async () => {
    const chunks = await fetch();
    if (chunks.length > 0) return { chunks };
    const job = await calls.job({ operation: "status", jobId, signal });
    // Chunks may have arrived between the two requests.
    return isFinished(job) ? { chunks: await fetch(), job } : undefined;
  };
  for (;;) {
    const { chunks, job } = await until(systemClock, signal, look);
    yield* chunks;
    if (job === undefined || chunks.length > 0) continue;
    if (job.status !== "COMPLETED") throw new JobFailedError(calls.endpointId, job);
    return;
  }
}
