import { retiredNames } from "../../provider/schema/retired-names";
import type { PlacementArgs, PodArgs } from "../pod";
import type { Parts } from "./mapping";
import { lost, part } from "./mapping";
import type { Draft } from "./note";
import { dataCenters, flag, number, object, oneOf, text, texts } from "./value";

/** Keys that choose the hardware and the place of a pod. (API: Pods, create) */
export const placementRows = {
  computeType: part(oneOf("GPU", "CPU")),
  gpuTypeIds: part(texts),
  gpuTypePriority: part(oneOf("availability", "custom")),
  gpuCount: part(number),
  allowedCudaVersions: part(texts),
  minRAMPerGPU: part(number),
  minVCPUPerGPU: part(number),
  gpu: part(object),
  cpuFlavorIds: part(texts),
  cpuFlavorPriority: part(oneOf("availability", "custom")),
  cpuFlavorId: part(text),
  vcpuCount: part(number),
  cloudType: part(oneOf("SECURE", "COMMUNITY")),
  dataCenterIds: part(dataCenters),
  dataCenterPriority: part(oneOf("availability", "custom")),
  machine: part(object),
  supportPublicIp: part(flag),
  countryCodes: lost(retiredNames.countryCodes),
  minDiskBandwidthMBps: lost(retiredNames.minDiskBandwidthMBps),
  minDownloadMbps: lost(retiredNames.minDownloadMbps),
  minUploadMbps: lost(retiredNames.minUploadMbps),
  interruptible: lost(retiredNames.interruptible),
  bidPerGpu: lost(retiredNames.bidPerGpu),
  /** Terraform's name for it. */
  type: part(oneOf("ON_DEMAND", "SPOT")),
};

type V1 = Parts<typeof placementRows>;

export function isCpuPod(v1: V1): boolean {
  if (v1.computeType !== undefined) return v1.computeType === "CPU";
  const cpu = v1.cpuFlavorIds ?? v1.cpuFlavorId;
  return cpu !== undefined && v1.gpuTypeIds === undefined && v1.gpu === undefined;
}

/** Several GPU types or CPU flavors become `placements`, one for each. */
export function place(v1: V1, draft: Draft<PodArgs>, onCpu: boolean): void {
  draft.omit(v1, ["computeType"], "follows from gpu or cpu");
  if (v1.type === "SPOT") draft.note("lost", "type", retiredNames.interruptible);
  else draft.omit(v1, ["type"], "all pods are on demand");
  const machines = onCpu ? cpus(v1, draft) : gpus(v1, draft);
  const cloud = cloudOf(v1);
  noteCloud(v1, draft);
  const where: PlacementArgs = {
    ...(cloud && { cloud }),
    ...(v1.dataCenterIds && { dataCenterIds: v1.dataCenterIds }),
  };
  if (machines.length > 1) {
    draft.put(
      "placements",
      machines.map((machine) => ({ ...machine, ...where })),
    );
  } else {
    Object.assign(draft.args, ...machines, where);
  }
  if (v1.dataCenterPriority === "custom" && (v1.dataCenterIds?.length ?? 0) > 1) {
    draft.note("changed", "dataCenterPriority", retiredNames.dataCenterPriority);
  } else {
    draft.omit(v1, ["dataCenterPriority"], "data centers are chosen by availability");
  }
}

function gpus(v1: V1, draft: Draft<PodArgs>): PlacementArgs[] {
  draft.omit(v1, ["cpuFlavorIds", "cpuFlavorPriority", "cpuFlavorId"], "REST v1 ignores it for a GPU pod");
  draft.omit(v1, ["vcpuCount"], "follows from the GPU");
  const answered = stringIn(v1.gpu, "id") ?? stringIn(v1.machine, "gpuTypeId");
  const ids = [...new Set(v1.gpuTypeIds ?? (answered === undefined ? [] : [answered]))];
  if (v1.gpuTypeIds !== undefined) draft.omit(v1, ["gpu"], "gpuTypeIds says it");
  if (ids.length === 0) {
    draft.note("decide", "gpuTypeIds", "is missing: choose a GPU type for gpu.id");
    const others = ["gpu", "gpuCount", "allowedCudaVersions", "minRAMPerGPU", "minVCPUPerGPU"] as const;
    draft.omit(v1, others, "gpu is not complete: give it there");
  }
  ordered("gpuTypeIds", "gpuTypePriority", ids, v1, draft);
  const count = v1.gpuCount ?? (typeof v1.gpu?.count === "number" ? v1.gpu.count : 1);
  const { allowedCudaVersions, minRAMPerGPU, minVCPUPerGPU } = v1;
  const host = {
    ...(allowedCudaVersions && { allowedCudaVersions }),
    ...(minRAMPerGPU && { minRamPerGpu: minRAMPerGPU }),
    ...(minVCPUPerGPU && { minVcpuCountPerGpu: minVCPUPerGPU }),
  };
  return ids.map((id) => ({ gpu: { id, count, ...host } }));
}

function cpus(v1: V1, draft: Draft<PodArgs>): PlacementArgs[] {
  const ofGpu = ["gpuTypeIds", "gpuTypePriority", "gpuCount", "gpu"] as const;
  const ofHost = ["allowedCudaVersions", "minRAMPerGPU", "minVCPUPerGPU"] as const;
  draft.omit(v1, [...ofGpu, ...ofHost], "REST v1 ignores it for a CPU pod");
  const ids = [...new Set(v1.cpuFlavorIds ?? (v1.cpuFlavorId === undefined ? [] : [v1.cpuFlavorId]))];
  if (v1.cpuFlavorIds !== undefined) draft.omit(v1, ["cpuFlavorId"], "cpuFlavorIds says it");
  if (ids.length === 0) {
    draft.note("decide", "cpuFlavorIds", "is missing: choose a CPU flavor for cpu.id, such as cpu3c");
    draft.omit(v1, ["cpuFlavorPriority", "vcpuCount"], "cpu is not complete: give it there");
    return [];
  }
  ordered("cpuFlavorIds", "cpuFlavorPriority", ids, v1, draft);
  const vcpuCount = vcpus(v1.vcpuCount, draft);
  return ids.map((id) => ({ cpu: { id, vcpuCount } }));
}

/** The number of vCPUs of a pod or an endpoint. (API: Pods, create; Serverless, create) */
export function vcpus(said: number | undefined, draft: Draft<object>): number {
  if (said === undefined) draft.note("added", "vcpuCount", "the default of REST v1: 2");
  else if (!isVcpuCount(said)) draft.note("decide", "vcpuCount", vcpuRule);
  return said ?? 2;
}

export const vcpuRule = "must be a power of two, at least 2: choose one";

export function isVcpuCount(count: number): boolean {
  return count >= 2 && Number.isInteger(Math.log2(count));
}

/** podlumi tries placements in their order. REST v1 could also go by availability. */
function ordered(
  list: "gpuTypeIds" | "cpuFlavorIds",
  priority: "gpuTypePriority" | "cpuFlavorPriority",
  ids: readonly string[],
  v1: V1,
  draft: Draft<PodArgs>,
): void {
  if (ids.length > 1 && v1[priority] !== "custom") {
    const key = v1[priority] === undefined ? list : priority;
    draft.note(
      "changed",
      key,
      "placements are tried in their order, not by availability: put the best first",
    );
  } else {
    draft.omit(
      v1,
      [priority],
      ids.length > 1 ? "placements are tried in their order" : "there is one choice",
    );
  }
}

/** The cloud that the body asks for, or else the cloud in which the response says that the pod ran. */
export function cloudOf({ cloudType, machine }: V1): "SECURE" | "COMMUNITY" | undefined {
  const secure = machine?.secureCloud;
  return cloudType ?? (typeof secure === "boolean" ? (secure ? "SECURE" : "COMMUNITY") : undefined);
}

function noteCloud(v1: V1, draft: Draft<PodArgs>): void {
  const cloud = cloudOf(v1);
  draft.omit(v1, ["machine"], "the scheduler chooses it; what the pod needs of it is in the arguments");
  if (cloud === undefined && draft.isResponse) {
    draft.note("decide", "cloudType", 'the response does not say it: give cloud, if it is not "SECURE"');
  }
  if (v1.supportPublicIp === true && cloud === "COMMUNITY") {
    draft.note("lost", "supportPublicIp", retiredNames.supportPublicIp);
  } else {
    draft.omit(v1, ["supportPublicIp"], "the Secure cloud has public addresses");
  }
}

/** A text in an object of a response; undefined when it is empty or missing. */
export function stringIn(
  value: Readonly<Record<string, unknown>> | undefined,
  key: string,
): string | undefined {
  const found = value?.[key];
  return typeof found === "string" && found !== "" ? found : undefined;
}
