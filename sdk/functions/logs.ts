import type { LogLine, LogQuery } from "../../provider/client/logs";
import { listOf } from "../mocked";
import { serviceOf } from "../service";
import type { Service } from "../toolkit";
import { attempted, reading, readingOutput } from "./function";
import type { FunctionOptions } from "./types";

export type { LogLine, LogQuery, LogSource } from "../../provider/client/logs";
export type { Log, PodLogsArgs, WorkerLogsArgs } from "../../provider/functions/logs/types";

/** Which lines of a log to read, and until when. */
export interface LogOptions extends LogQuery, FunctionOptions {
  /**
   * Wait for new lines until the pod or worker is gone, or `signal` ends it. A preview or an `up` whose program follows a log waits,
   * too. Default false: only the lines that exist now.
   */
  follow?: boolean;
  /** Ends the reading. */
  signal?: AbortSignal;
}

async function* lines(
  name: string,
  kind: "Pod" | "ServerlessEndpoint",
  id: string,
  whose: object,
  path: (service: Service) => string,
  { provider, follow, signal, ...asked }: LogOptions,
  part?: (service: Service) => string,
): AsyncGenerator<LogLine> {
  const { log, next } = await attempted(name, async () => {
    const service = await serviceOf({ provider });
    const address = path(service);
    const log = service.mocked
      ? each(listOf(service.mocked, name, { ...whose, ...asked }, "lines"))
      : service.api.rest.logs(address, asked, { follow, signal });
    return { log, next: () => service.aboutObject(kind, service.api, id, () => log.next(), part?.(service)) };
  });
  try {
    for (;;) {
      const line = await attempted(name, next);
      if (line.done) return;
      yield line.value;
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
 * const signal = AbortSignal.timeout(60_000);
 * for await (const { ts, line } of podlumi.podLogs(podId, { tail: 20, follow: true, signal })) console.log(ts, line);
 * ```
 */
export function podLogs(id: string, options: LogOptions = {}): AsyncGenerator<LogLine> {
  return lines("podLogs", "Pod", id, { id }, ({ path }) => path`/pods/${id}/logs`, options);
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
  const part = (service: Service) => service.workerInWords(workerId);
  return lines("workerLogs", "ServerlessEndpoint", endpointId, { endpointId, workerId }, path, options, part);
}

/**
 * The lines of a pod's log that there are now, oldest first. It takes two seconds, since the service never ends a log. `lines` holds
 * plain values here, which may be secret. (API: Logs)
 *
 * @example
 * ```ts
 * const { lines } = await podlumi.getPodLogs({ podId, source: "system", tail: 20 });
 * ```
 */
export const getPodLogs = reading("getPodLogs");

/**
 * Like {@link getPodLogs}, but takes and returns outputs. Its `lines` is a separate secret output.
 *
 * @example
 * ```ts
 * export const log = podlumi.getPodLogsOutput({ podId: pod.id }).lines;
 * ```
 */
export const getPodLogsOutput = readingOutput("getPodLogs");

/**
 * Like {@link getPodLogs}, but for a worker of a serverless endpoint. {@link getWorkers} has the ids of the workers. (API: Logs)
 *
 * @example
 * ```ts
 * const { lines } = await podlumi.getWorkerLogs({ endpointId, workerId });
 * ```
 */
export const getWorkerLogs = reading("getWorkerLogs");

/**
 * Like {@link getWorkerLogs}, but takes and returns outputs. Its `lines` is a separate secret output.
 *
 * @example
 * ```ts
 * export const log = podlumi.getWorkerLogsOutput({ endpointId: endpoint.id, workerId }).lines;
 * ```
 */
export const getWorkerLogsOutput = readingOutput("getWorkerLogs");
