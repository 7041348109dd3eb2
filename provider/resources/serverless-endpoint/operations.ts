/** Status of a worker. `IDLE`: ready for jobs; `THROTTLED`: waits for room; `UNHEALTHY`: fails its health checks. */
export type WorkerStatus = "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";

/** A worker of a serverless endpoint. */
export interface Worker {
  /** Id of the worker. */
  id: string;
  status: WorkerStatus;
  /** It runs an older release than the endpoint's latest. */
  isStale: boolean;
  /** Version of the release that it runs. */
  version: number | null;
  /** Number of its GPUs. */
  gpuCount: number;
  /** Container image that it runs. */
  image: string | null;
  /** Seconds for which it has run; null until it runs. */
  uptimeSeconds: number | null;
  /** GPU type; null until it is placed. */
  gpuTypeId: string | null;
  /** Data center; null until it is placed. */
  dataCenterId: string | null;
  /** Time of the latest start (RFC 3339); null before the first one. */
  startedAt: string | null;
}

/** The active workers of an endpoint, and their number in each status. */
export interface EndpointWorkers {
  /** Those that are not gone. */
  workers: Worker[];
  /** Numbers of workers. */
  summary: Record<Lowercase<WorkerStatus> | "total", number>;
  /** Version of the latest release. */
  endpointVersion: number | null;
}

/** A release of an endpoint: what changed for its workers. */
export interface Release {
  /** Id of the release. */
  id: string;
  /** Version of the endpoint that it created. */
  version: number | null;
  /** Its origin: a build on GitHub, or a change of settings. */
  source: "GIT_BUILD" | "MANUAL";
  /** Id of the build; null for a `MANUAL` release. */
  buildId: string | null;
  /** Id of the user who created it. */
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
  /** Newest first. */
  releases: Release[];
  /** How many workers run the latest release. `percentOnLatest` is from 0 to 100, and 0 without workers. */
  rollout: { inProgress: boolean; workersOnLatest: number; workersTotal: number; percentOnLatest: number };
  /** Version of the latest release. */
  endpointVersion: number | null;
}

/** Status of a build. The last four are its ends. */
export type BuildStatus =
  | "PENDING"
  | "BUILDING"
  | "UPLOADING"
  | "TESTING"
  | "COMPLETED"
  | "FAILED"
  | "CANCELLED"
  | "TEST_FAILED";

/** A build of an endpoint's image from its repository on GitHub. */
export interface Build {
  /** Id of the build. */
  id: string;
  status: BuildStatus;
  /** Short hash of the commit. */
  commitHash: string | null;
  /** Message of the commit. */
  commitMessage: string | null;
  /** Branch of the commit. */
  branch: string | null;
  /** When the commit was written (RFC 3339). */
  commitDate: string | null;
  /** Image that it makes, with its tag. */
  imageName: string | null;
  /** When it began (RFC 3339); null before that. */
  startedAt: string | null;
  /** When it ended (RFC 3339); null before that. */
  completedAt: string | null;
  /** Why it failed; null for any other. */
  error: string | null;
}
