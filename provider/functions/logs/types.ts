import type { LogLine, LogQuery } from "../../client/logs";

/** Which lines of which pod. */
export interface PodLogsArgs extends LogQuery {
  podId: string;
}

/** Which lines of which worker. */
export interface WorkerLogsArgs extends LogQuery {
  endpointId: string;
  /** Id of the worker, as {@link getWorkers} has it. */
  workerId: string;
}

/** A log as it is now. */
export interface Log {
  /** Oldest first. A container may write secrets. */
  lines: LogLine[];
}
