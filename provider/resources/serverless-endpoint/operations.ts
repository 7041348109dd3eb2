/** What a worker is doing. */
export type WorkerStatus = "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";

/** A worker of a serverless endpoint. */
export interface Worker {
  id: string;
  status: WorkerStatus;
  /** Whether it is of an older release than the endpoint. */
  isStale: boolean;
  /** Its release. */
  version: number | null;
  gpuCount: number;
  image: string | null;
  uptimeSeconds: number | null;
  gpuTypeId: string | null;
  dataCenterId: string | null;
  /** RFC 3339. */
  startedAt: string | null;
}

/** The workers of an endpoint that are active, and how many there are in each status. */
export interface EndpointWorkers {
  workers: Worker[];
  summary: Record<Lowercase<WorkerStatus> | "total", number>;
  /** The latest release. */
  endpointVersion: number | null;
}

/** A release of an endpoint: what changed for its workers. */
export interface Release {
  id: string;
  version: number | null;
  source: "GIT_BUILD" | "MANUAL";
  buildId: string | null;
  createdByUserId: string | null;
  /** Workers that run it. */
  workerCount: number;
  /** RFC 3339. */
  createdAt: string;
  /** What it changed, such as `template.imageName`. The values may be secret: `template.env` is among them. */
  diff: { field: string; old: unknown; new: unknown }[];
}

/** The releases of an endpoint, newest first, and how far the latest has got. */
export interface EndpointReleases {
  releases: Release[];
  rollout: { inProgress: boolean; workersOnLatest: number; workersTotal: number; percentOnLatest: number };
  /** The latest release. */
  endpointVersion: number | null;
}
