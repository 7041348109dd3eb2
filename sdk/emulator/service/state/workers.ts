import { dataCenters, findCpu, findGpu, offers, typesOfPools } from "../catalog";
import { cpuPrice, gpuPrice } from "../prices";
import type { EndpointSettings } from "./endpoint";
import type { Fleet, WorkerRecord } from "./fleet";
import { timestamp } from "./ids";
import type { ReleaseRecord } from "./releases";
import type { Service } from "./service";

export type WorkerStatus = "RUNNING" | "IDLE" | "INITIALIZING" | "THROTTLED" | "UNHEALTHY";

export interface Worker {
  id: string;
  status: WorkerStatus;
  isStale: boolean;
  version: number;
  gpuCount: number;
  image: string;
  uptimeSeconds: number | null;
  gpuTypeId: string | null;
  dataCenterId: string | null;
  startedAt: string | null;
}

export interface WorkerList {
  workers: Worker[];
  summary: Record<"running" | "idle" | "initializing" | "throttled" | "unhealthy" | "total", number>;
  endpointVersion: number;
}

export interface ReleaseList {
  endpointVersion: number;
  rollout: { inProgress: boolean; workersOnLatest: number; workersTotal: number; percentOnLatest: number };
  releases: {
    id: string;
    version: number;
    source: "MANUAL";
    buildId: null;
    createdByUserId: string;
    workerCount: number;
    createdAt: string;
    diff: ReleaseRecord["diff"];
  }[];
}

/** An endpoint's workers and the settings with which they run. */
export interface WorkerSource {
  fleet: Fleet;
  settings: EndpointSettings;
  releases: ReleaseRecord[];
  /** The image of each version. */
  images: Map<number, string>;
}

export function statusOf(worker: WorkerRecord, fleet: Fleet, now: number): WorkerStatus {
  if (fleet.throttled) return "THROTTLED";
  if (now < worker.readyAt) return "INITIALIZING";
  return worker.job ? "RUNNING" : "IDLE";
}

export function workerList(
  { fleet, settings, releases, images }: WorkerSource,
  service: Service,
): WorkerList {
  const now = service.clock.now();
  fleet.settle(now);
  const endpointVersion = releases.length;
  const workers = fleet.workers.map((worker): Worker => {
    const status = statusOf(worker, fleet, now);
    const placed = status !== "THROTTLED";
    const started = placed && now >= worker.readyAt;
    return {
      id: worker.id,
      status,
      isStale: worker.version !== endpointVersion,
      version: worker.version,
      gpuCount: settings.gpu?.count ?? 0,
      image: images.get(worker.version) ?? settings.container.image,
      uptimeSeconds: started ? Math.floor((now - worker.readyAt) / 1000) : null,
      gpuTypeId: placed ? gpuOf(settings) : null,
      dataCenterId: placed ? placeOf(settings, service) : null,
      startedAt: started ? timestamp(worker.readyAt) : null,
    };
  });
  const count = (status: WorkerStatus) => workers.filter((worker) => worker.status === status).length;
  const summary = {
    running: count("RUNNING"),
    idle: count("IDLE"),
    initializing: count("INITIALIZING"),
    throttled: count("THROTTLED"),
    unhealthy: count("UNHEALTHY"),
    total: workers.length,
  };
  return { workers, summary, endpointVersion };
}

/** The releases, newest first, and the progress of the newest one's rollout. */
export function releaseList(source: WorkerSource, service: Service): ReleaseList {
  const { workers, endpointVersion } = workerList(source, service);
  const running = (version: number) => workers.filter((worker) => worker.version === version).length;
  const workersOnLatest = running(endpointVersion);
  const workersTotal = workers.length;
  return {
    endpointVersion,
    rollout: {
      inProgress: workersOnLatest < workersTotal,
      workersOnLatest,
      workersTotal,
      percentOnLatest: workersTotal === 0 ? 0 : Math.floor((100 * workersOnLatest) / workersTotal),
    },
    releases: source.releases.toReversed().map(({ id, version, createdAt, diff }) => ({
      id,
      version,
      source: "MANUAL",
      buildId: null,
      createdByUserId: service.userId,
      workerCount: running(version),
      createdAt: timestamp(createdAt),
      diff: structuredClone(diff),
    })),
  };
}

/** The GPU type of the workers: the first type of the selection. */
function gpuOf({ gpu }: EndpointSettings): string | null {
  if (!gpu) return null;
  return typesOfPools(gpu.pools).find(({ id }) => !gpu.excludedTypes?.includes(id))?.id ?? null;
}

/** USD an hour of one worker that runs. */
export function workerRate(settings: EndpointSettings): number {
  const gpu = findGpu(gpuOf(settings) ?? "");
  if (gpu) return gpuPrice(gpu, "SERVERLESS") * (settings.gpu?.count ?? 1);
  const [cpu] = settings.cpu ?? [];
  const flavor = cpu && findCpu(cpu.id);
  return cpu && flavor ? cpuPrice(flavor, "SERVERLESS") * cpu.vcpuCount : 0;
}

/** The data center of the workers: one of those asked for, with their GPU type and one of their network volumes. */
function placeOf(settings: EndpointSettings, { volumes }: Service): string | null {
  const type = findGpu(gpuOf(settings) ?? "");
  const ofVolumes = volumes
    .list()
    .flatMap(({ id, dataCenter }) => (settings.networkVolumes.includes(id) ? [dataCenter] : []));
  const place = dataCenters.find(
    (dataCenter) =>
      isAmong(dataCenter.id, settings.dataCenterIds) &&
      isAmong(dataCenter.id, ofVolumes) &&
      (!type || offers(dataCenter, type)),
  );
  return place?.id ?? null;
}

/** An empty list is no restriction. */
const isAmong = (id: string, ids: string[]) => ids.length === 0 || ids.includes(id);
