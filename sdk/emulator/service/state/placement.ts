import { type Cloud, type DataCenter, dataCenters, findCpu, findGpu, MAX_GPUS, offers } from "../catalog";
import { inCloud } from "./availability";
import { acceptedVersions, checkCuda } from "./cuda";
import { badRequest, noCapacity } from "./problem";
import type { Service } from "./service";

export interface GpuRequest {
  id: string;
  count?: number;
  allowedCudaVersions?: string[];
  minCudaVersion?: string;
  /** GB. */
  minRamPerGpu?: number;
  minVcpuCountPerGpu?: number;
}

/** (differs, Hosts: every GPU comes with 8 vCPUs and 32 GB of memory.) */
// assumes: value * /pods*: *gpu.vcpuCount, *gpu.memory
export const PER_GPU = { vcpuCount: 8, memory: 32 };

export interface CpuRequest {
  id: string;
  vcpuCount: number;
}

export interface PlacementRequest {
  gpu?: GpuRequest;
  cpu?: CpuRequest;
  cloud: Cloud;
  dataCenterIds: string[];
  volumeId?: string;
  globalNetworking: boolean;
  /** How many equal pods, all in one data center. Default 1. */
  pods?: number;
}

/** Where a pod runs. It never changes. */
export interface Place {
  dataCenterId: string;
  cudaVersion: string | null;
}

/** vCPUs come in powers of two within the flavor's range (API: Pods, cpu.vcpuCount). */
export function checkCpu({ id, vcpuCount }: CpuRequest): void {
  const flavor = findCpu(id);
  if (!flavor) throw noCapacity();
  if (!Number.isInteger(Math.log2(vcpuCount))) throw badRequest("cpu.vcpuCount must be a power of two");
  if (vcpuCount < flavor.minVcpu || vcpuCount > flavor.maxVcpu)
    throw badRequest(`cpu.vcpuCount of ${id} must be ${flavor.minVcpu} to ${flavor.maxVcpu}`);
}

/**
 * The instance of an id such as `cpu3m-2-16`: flavor, vCPUs, GB of memory. Only GraphQL names memory, and what the flavor
 * does not have per vCPU is no instance.
 */
export function instanceOf(instanceId: string): CpuRequest {
  const [, id = "", vcpus, memory] = /^(\w+)-(\d+)-(\d+)$/.exec(instanceId) ?? [];
  const instance = { id, vcpuCount: Number(vcpus) };
  checkCpu(instance);
  if (memoryOf(instance) !== Number(memory)) throw noCapacity();
  return instance;
}

export const memoryOf = ({ id, vcpuCount }: CpuRequest) => (findCpu(id)?.ramGbPerVcpu ?? 0) * vcpuCount;

/** Finds a data center for the pods. Throws when none has room. */
export function place(service: Service, request: PlacementRequest): Place {
  const { gpu, cpu, cloud, dataCenterIds, globalNetworking, pods = 1 } = request;
  const volume = request.volumeId === undefined ? undefined : volumeOf(service, request.volumeId);
  if (volume && cloud === "COMMUNITY") throw badRequest("network volumes require the SECURE cloud");
  if (volume && dataCenterIds.length > 0 && !dataCenterIds.includes(volume.dataCenter))
    throw badRequest(
      `network volume '${volume.id}' is in ${volume.dataCenter}, not in the data centers asked for`,
    );
  if (gpu) checkCuda(gpu);
  if (cpu) checkCpu(cpu);
  if (globalNetworking) checkGlobalNetworking(gpu?.id);

  const unit = gpu ? { gpu: gpu.id } : { cpu: cpu?.id ?? "" };
  // A GPU request without a count matches no machine, whatever the schema's default says (seen on the live service).
  const count = gpu ? (gpu.count ?? Number.POSITIVE_INFINITY) : (cpu?.vcpuCount ?? 0);
  const cudaVersion = gpu ? cudaOfHost(gpu, cloud) : null;
  if (cpu && cloud === "COMMUNITY") throw noCapacity();
  const { minRamPerGpu = 0, minVcpuCountPerGpu = 0 } = gpu ?? {};
  if (minRamPerGpu > PER_GPU.memory || minVcpuCountPerGpu > PER_GPU.vcpuCount) throw noCapacity();
  const type = gpu && findGpu(gpu.id);
  const fits = (dataCenter: DataCenter) =>
    (dataCenterIds.length === 0 || dataCenterIds.includes(dataCenter.id)) &&
    (!volume || dataCenter.id === volume.dataCenter) &&
    (!globalNetworking || dataCenter.globalNetwork) &&
    (!type || offers(dataCenter, type)) &&
    count <= (gpu ? MAX_GPUS[cloud] : count) &&
    service.capacity.free(unit, dataCenter.id) >= count * pods;
  const dataCenter = dataCenters.find(fits);
  if (!dataCenter) throw noCapacity();
  return { dataCenterId: dataCenter.id, cudaVersion };
}

/** Checks the GPU. Placement checks the data center (API: Pods, globalNetworking). */
export function checkGlobalNetworking(gpuId: string | undefined): void {
  if (gpuId === undefined || findGpu(gpuId)?.manufacturer === "AMD")
    throw badRequest("global networking requires an NVIDIA GPU");
}

function volumeOf(service: Service, id: string) {
  if (!service.volumes.has(id)) throw badRequest(`network volume '${id}' was not found`);
  return service.volumes.get(id);
}

/** The newest CUDA version that a host of this type has and the request accepts. */
function cudaOfHost(gpu: GpuRequest, cloud: Cloud): string | null {
  const type = findGpu(gpu.id);
  if (!type || !inCloud(type, cloud)) throw noCapacity();
  const { allowedCudaVersions = [], minCudaVersion } = gpu;
  const accepted = acceptedVersions(type.cudaVersions, gpu);
  const constrained = allowedCudaVersions.length > 0 || minCudaVersion;
  if (accepted.length === 0 && constrained) throw noCapacity();
  return accepted.at(-1) ?? null;
}
