import type { Endpoint } from "../state/endpoint";
import type { Pod, PodStatus } from "../state/pod";
import { rateOf } from "../state/pod";
import type { Secret } from "../state/secrets";
import type { Service } from "../state/service";
import type { Template } from "../state/templates";
import type { Volume } from "../state/volumes";

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
    machine: { podHostId: pod.ssh.proxy?.username },
    desiredStatus: DESIRED[pod.status],
    gpuCount: gpu?.count ?? 0,
    vcpuCount: cpu?.vcpuCount ?? 8 * (gpu?.count ?? 0),
    memoryInGb: cpu?.memory ?? 32 * (gpu?.count ?? 0),
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
    readme: service.templates.readme(template.id),
  };
}

export const secretObject = (secret: Secret) => ({
  ...secret,
  updatedAt: secret.valueLastUpdatedAt ?? secret.createdAt,
});

export const volumeObject = ({ id, name, size, dataCenter }: Volume) => ({
  id,
  name,
  size,
  dataCenterId: dataCenter,
  storageType: "CEPH_FS",
});

export function endpointObject(endpoint: Endpoint) {
  const { gpu, workers, scaling } = endpoint;
  return {
    id: endpoint.id,
    name: endpoint.name,
    templateId: null,
    gpuIds: [...(gpu?.pools ?? []), ...(gpu?.excludedTypes ?? []).map((type) => `-${type}`)].join(","),
    gpuCount: gpu?.count ?? 0,
    workersMin: workers.min,
    workersMax: workers.max,
    idleTimeout: workers.idleTimeout,
    locations: endpoint.dataCenterIds.join(","),
    scalerType: scaling.type,
    scalerValue: Math.round(scaling.type === "QUEUE_DELAY" ? scaling.queueDelay : scaling.requestCount),
    executionTimeoutMs: endpoint.timeout,
    networkVolumeId: endpoint.networkVolumes[0],
    flashBootType: endpoint.flashboot,
    type: endpoint.type === "QUEUE" ? "QB" : "LB",
  };
}
