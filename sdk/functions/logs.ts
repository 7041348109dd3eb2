import type { LogLine, LogQuery } from "../../provider/client/logs";
import { listOf } from "../mocked";
import type { Service } from "../service";
import { serviceOf } from "../service";
import { attempted } from "./function";
import type { FunctionOptions } from "./types";

export type { LogLine, LogQuery, LogSource } from "../../provider/client/logs";

/** Which lines of a log to read, and until when. */
export interface LogOptions extends LogQuery, FunctionOptions {
  /** Whether to wait for new lines until the pod or worker is gone. Default false: only the lines that exist now. */
  follow?: boolean;
  /** Ends the reading. */
  signal?: AbortSignal;
}

async function* lines(
  name: string,
  whose: object,
  path: (service: Service) => string,
  { provider, follow, signal, ...asked }: LogOptions,
): AsyncGenerator<LogLine> {
  const log = await attempted(name, async () => {
    const service = await serviceOf({ provider });
    const address = path(service);
    if (service.mocked) return each(listOf(service.mocked, name, { ...whose, ...asked }, "lines"));
    return service.api.rest.logs(address, asked, { follow, signal });
  });
  try {
    for (;;) {
      const next = await attempted(name, () => log.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await log.return(undefined);
  }
}

async function* each(lines: Promise<unknown[]>): AsyncGenerator<LogLine> {
  yield* (await lines) as LogLine[];
}

/**
 * The lines of a pod's log, oldest first. Lines are read only as fast as the program takes them. A dropped connection
 * resumes after the last line. When a container is gone, so are its lines.
 *
 * @example
 * ```ts
 * for await (const { ts, line } of podlumi.podLogs(podId, { tail: 20, follow: true })) console.log(ts, line);
 * ```
 */
export function podLogs(id: string, options: LogOptions = {}): AsyncGenerator<LogLine> {
  return lines("podLogs", { id }, ({ path }) => path`/pods/${id}/logs`, options);
}

/**
 * Like {@link podLogs}, but for a worker of a serverless endpoint. {@link getWorkers} has the ids of the workers.
 *
 * @example
 * ```ts
 * const [worker] = (await podlumi.getWorkers({ endpointId })).workers;
 * for await (const { line } of podlumi.workerLogs(endpointId, worker.id, { source: "container" })) console.log(line);
 * ```
 */
export function workerLogs(
  endpointId: string,
  workerId: string,
  options: LogOptions = {},
): AsyncGenerator<LogLine> {
  const path = (service: Service) => service.path`/serverless/${endpointId}/workers/${workerId}/logs`;
  return lines("workerLogs", { endpointId, workerId }, path, options);
}
