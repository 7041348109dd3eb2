/** What a worker is doing. */
export type WorkerStatus = "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";

/** A worker of a serverless endpoint. */
export interface Worker {
  id: string;
  status: WorkerStatus;
  /** Whether it runs an older release than the endpoint's latest. */
  isStale: boolean;
  /** Version of the release that it runs. */
  version: number | null;
  gpuCount: number;
  image: string | null;
  uptimeSeconds: number | null;
  gpuTypeId: string | null;
  dataCenterId: string | null;
  /** Time of the start (RFC 3339). */
  startedAt: string | null;
}

/** The active workers of an endpoint, and their number in each status. */
export interface EndpointWorkers {
  workers: Worker[];
  summary: Record<Lowercase<WorkerStatus> | "total", number>;
  /** Version of the latest release. */
  endpointVersion: number | null;
}

/** A release of an endpoint: what changed for its workers. */
export interface Release {
  id: string;
  version: number | null;
  source: "GIT_BUILD" | "MANUAL";
  buildId: string | null;
  createdByUserId: string | null;
  /** Number of workers that run it. */
  workerCount: number;
  /** Time of creation (RFC 3339). */
  createdAt: string;
  /** The changed fields, such as `template.imageName`. Values may be secret, such as those of `template.env`. */
  diff: { field: string; old: unknown; new: unknown }[];
}

/** The releases of an endpoint, newest first, and the progress of the latest. */
export interface EndpointReleases {
  releases: Release[];
  rollout: { inProgress: boolean; workersOnLatest: number; workersTotal: number; percentOnLatest: number };
  /** Version of the latest release. */
  endpointVersion: number | null;
}
