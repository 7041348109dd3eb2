import { findDataCenter, findGpu } from "../catalog";
import type { Endpoint } from "../state/endpoint";
import type { Pod, PodStatus } from "../state/pod";
import { rateOf } from "../state/pod";
import type { Secret } from "../state/secrets";
import type { Service } from "../state/service";
import type { Template } from "../state/templates";
import type { Volume } from "../state/volumes";
import { dataCenterObject } from "./catalog";

/** `desiredStatus` by actual status. It is RUNNING from the start; `runtime` stays null until the pod is up. */
const DESIRED: Record<PodStatus, string> = {
  PROVISIONING: "RUNNING",
  STARTING: "RUNNING",
  RUNNING: "RUNNING",
  EXITED: "EXITED",
  ERROR: "DEAD",
  TERMINATED: "TERMINATED",
};

export function podObject(pod: Pod) {
  const { runtime, gpu, cpu, mounts } = pod;
  return {
    id: pod.id,
    name: pod.name,
    imageName: pod.image,
    containerArgs: pod.args,
    dockerArgs: pod.args,
    env: Object.entries(pod.env).map(([key, value]) => `${key}=${value}`),
    ports: pod.ports.join(","),
    machineId: `machine-${pod.id}`,
    machine: {
      podHostId: pod.ssh.proxy?.username,
      gpuDisplayName: gpu ? (findGpu(gpu.id)?.name ?? null) : null,
    },
    podType: "RESERVED",
    lastStatusChange: pod.startedAt ?? pod.createdAt,
    uptimeSeconds: runtime?.uptime ?? 0,
    desiredStatus: DESIRED[pod.status],
    gpuCount: gpu?.count ?? 0,
    vcpuCount: cpu?.vcpuCount ?? gpu?.vcpuCount ?? 0,
    memoryInGb: cpu?.memory ?? gpu?.memory ?? 0,
    containerDiskInGb: pod.disk,
    volumeInGb: mounts.persistent?.size ?? 0,
    volumeMountPath: mounts.persistent?.path ?? mounts.network?.[0]?.path,
    costPerHr: rateOf(pod),
    templateId: pod.template,
    networkVolumeId: mounts.network?.[0]?.volumeId,
    containerRegistryAuthId: pod.registry,
    runtime: runtime && {
      uptimeInSeconds: runtime.uptime,
      ports: runtime.ports.map((port) => ({
        ip: port.ip,
        isIpPublic: port.ip !== null,
        privatePort: port.private,
        publicPort: port.public,
        type: port.type,
      })),
      gpus: runtime.gpus.map(({ util, memoryUtil }, index) => ({
        id: `gpu-${index}`,
        gpuUtilPercent: util,
        memoryUtilPercent: memoryUtil,
      })),
      container: { cpuPercent: runtime.cpu.util, memoryPercent: runtime.memory.util },
    },
  };
}

export function templateObject(service: Service, template: Template) {
  return {
    ...template,
    imageName: template.image,
    containerArgs: template.args,
    dockerArgs: template.args,
    env: Object.entries(template.env).map(([key, value]) => ({ key, value })),
    ports: template.ports.join(","),
    volumeInGb: template.mounts.persistent?.size ?? 0,
    volumeMountPath: template.mounts.persistent?.path,
    containerDiskInGb: template.disk,
    containerRegistryAuthId: template.registry,
    isServerless: template.serverless,
    isPublic: template.public,
    ...service.templates.extras(template.id),
  };
}

export const secretObject = (secret: Secret) => ({
  ...secret,
  updatedAt: secret.valueLastUpdatedAt ?? secret.createdAt,
});

export const volumeObject = (service: Service, { id, name, size, dataCenter }: Volume) => ({
  id,
  name,
  size,
  dataCenterId: dataCenter,
  dataCenter: () => dataCenterObject(service, findDataCenter(dataCenter)),
  storageType: "CEPH_FS",
});

export function endpointObject(service: Service, endpoint: Endpoint) {
  const { gpu, cpu, workers, scaling } = endpoint;
  // Undefined when the endpoint has been deleted since the moment that a lagging read shows.
  const record = service.endpoints.find(endpoint.id);
  const volumes = endpoint.networkVolumes.filter((id) => service.volumes.has(id));
  return {
    id: endpoint.id,
    name: endpoint.name,
    userId: service.userId,
    createdAt: endpoint.createdAt,
    version: record?.releases.at(-1)?.version,
    templateId: record?.template,
    template: () => record?.template && templateObject(service, service.templates.get(record.template)),
    env: Object.entries(endpoint.env).map(([key, value]) => ({ key, value })),
    gpuIds: gpu && gpuIdsOf(gpu),
    gpuCount: gpu?.count ?? 0,
    instanceIds: (cpu ?? []).map(({ id, vcpuCount, memory }) => `${id}-${vcpuCount}-${memory}`),
    allowedCudaVersions: gpu?.allowedCudaVersions.join(","),
    minCudaVersion: gpu?.minCudaVersion,
    workersMin: workers.min,
    workersMax: workers.max,
    workersPFBTarget: 0,
    idleTimeout: record?.settings.workers.idleTimeout ?? workers.idleTimeout,
    locations: endpoint.dataCenterIds.join(","),
    scalerType: scaling.type,
    scalerValue: Math.round(scaling.type === "QUEUE_DELAY" ? scaling.queueDelay : scaling.requestCount),
    executionTimeoutMs: endpoint.timeout,
    networkVolumeId: volumes[0],
    networkVolume: () => volumes[0] && volumeObject(service, service.volumes.get(volumes[0])),
    networkVolumeIds: volumes.map((networkVolumeId) => ({
      networkVolumeId,
      dataCenterId: service.volumes.get(networkVolumeId).dataCenter,
    })),
    flashBootType: endpoint.flashboot,
    modelReferences: [],
    type: endpoint.type === "QUEUE" ? "QB" : "LB",
  };
}

/** Pools, then the types that the endpoint excludes from them, with a minus sign: `ADA_24,-NVIDIA L4`. */
const gpuIdsOf = ({ pools, excludedTypes = [] }: { pools: string[]; excludedTypes?: string[] }) =>
  [...pools, ...excludedTypes.map((type) => `-${type}`)].join(",");
