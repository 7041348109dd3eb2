import type { LogLine, LogQuery } from "../../client/logs";

/** Lines of a pod. */
export interface PodLogsArgs extends LogQuery {
  /** Id of the pod. */
  podId: string;
}

/** Lines of a worker. */
export interface WorkerLogsArgs extends LogQuery {
  /** Id of the endpoint. */
  endpointId: string;
  /** Id of the worker, as {@link getWorkers} has it. */
  workerId: string;
}

/** A log as it is now. */
export interface Log {
  /** Oldest first. A container may write secrets. */
  lines: LogLine[];
}
