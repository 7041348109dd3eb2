import { type Container, type ContainerView, containerView } from "./container";
import { timestamp } from "./ids";
import { type CpuRequest, memoryOf } from "./placement";

export type EndpointType = "QUEUE" | "LOAD_BALANCER";
export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";
export type Scaling =
  | { type: "QUEUE_DELAY"; queueDelay: number }
  | { type: "REQUEST_COUNT"; requestCount: number };

export interface EndpointGpu {
  pools: string[];
  excludedTypes?: string[];
  count: number;
  allowedCudaVersions: string[];
  minCudaVersion: string | null;
}

export interface WorkerLimits {
  min: number;
  max: number;
  /** Seconds. */
  idleTimeout: number;
}

/** The settings of an endpoint, which a PATCH can change. */
export interface EndpointSettings {
  name: string;
  container: Container;
  gpu?: EndpointGpu;
  cpu?: CpuRequest[];
  workers: WorkerLimits;
  scaling: Scaling;
  dataCenterIds: string[];
  networkVolumes: string[];
  /** At most one, and none beside network volumes. */
  globalVolumes: string[];
  /** Milliseconds that a request may take. */
  timeout: number;
  flashboot: FlashBoot;
}

/** An endpoint, as answers show it. */
export interface Endpoint extends ContainerView {
  id: string;
  name: string;
  type: EndpointType;
  requestUrls: Record<string, string>;
  gpu?: EndpointGpu;
  cpu?: (CpuRequest & { memory: number })[];
  workers: { min: number; max: number; idleTimeout?: number };
  scaling: Scaling;
  dataCenterIds: string[];
  networkVolumes: string[];
  /** Left out when there is none: the published contract does not have it. */
  globalVolumes?: string[];
  timeout: number;
  flashboot: FlashBoot;
  createdAt: string;
}

/** The idle timeout has no effect on queues that scale on requests (API: Serverless, workers.idleTimeout). */
export const ignoresIdleTimeout = (type: EndpointType, scaling: Scaling) =>
  type === "QUEUE" && scaling.type === "REQUEST_COUNT";

/** An endpoint as the REST interface shows it. */
// assumes: field * /serverless*
export function endpointView(
  { id, type, createdAt }: { id: string; type: EndpointType; createdAt: number },
  settings: EndpointSettings,
  queueUrl: string,
): Endpoint {
  const { container, gpu, cpu, workers, globalVolumes, ...rest } = structuredClone(settings);
  const { min, max, idleTimeout } = workers;
  return {
    id,
    type,
    ...rest,
    ...containerView(container),
    requestUrls: requestUrls(id, type, container.env, queueUrl),
    ...(globalVolumes.length > 0 && { globalVolumes }),
    ...(gpu && { gpu }),
    ...(cpu && { cpu: cpu.map((one) => ({ ...one, memory: memoryOf(one) })) }),
    workers: ignoresIdleTimeout(type, rest.scaling) ? { min, max } : { min, max, idleTimeout },
    createdAt: timestamp(createdAt),
  };
}

function requestUrls(
  id: string,
  type: EndpointType,
  env: Record<string, string>,
  queueUrl: string,
): Record<string, string> {
  if (type === "LOAD_BALANCER") {
    const base = `${queueUrl}/load-balancer/${id}`;
    return { base, health: `${base}${env.HEALTH_CHECK_PATH ?? "/ping"}` };
  }
  const base = `${queueUrl}/v2/${id}`;
  return {
    run: `${base}/run`,
    runSync: `${base}/runsync`,
    status: `${base}/status/{job_id}`,
    stream: `${base}/stream/{job_id}`,
    cancel: `${base}/cancel/{job_id}`,
    retry: `${base}/retry/{job_id}`,
    purgeQueue: `${base}/purge-queue`,
    health: `${base}/health`,
  };
}
