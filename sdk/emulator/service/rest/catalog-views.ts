import { type Cpu, cpus, type DataCenter, dataCenters, type Gpu, gpus, MAX_GPUS, offers } from "../catalog";
import { cpuPrice, gpuPrice } from "../prices";
import { best, inCloud, offeringGpu, placesOf } from "../state/availability";
import { acceptedVersions } from "../state/cuda";
import type { Service } from "../state/service";
import type { CpuQuery, GpuQuery } from "./queries";

/** A GPU type, with its stock if the query asks for it. */
// assumes: field GET /catalog/gpus
export function gpuView(service: Service, gpu: Gpu, query: GpuQuery) {
  const { id, name, pool, manufacturer, memory, secure, community } = gpu;
  return {
    id,
    name,
    pool,
    manufacturer,
    memory,
    secure,
    community,
    price: {
      secure: secure ? gpuPrice(gpu, "SECURE") : 0,
      community: community ? gpuPrice(gpu, "COMMUNITY") : 0,
      ...(pool && { serverless: gpuPrice(gpu, "SERVERLESS") }),
    },
    maxCount: { secure: secure ? MAX_GPUS.SECURE : 0, community: community ? MAX_GPUS.COMMUNITY : 0 },
    ...(query.include && gpuStock(service, gpu, query)),
  };
}

function gpuStock(service: Service, gpu: Gpu, query: GpuQuery) {
  const { cloud = "SECURE", count = 1, product, countryCodes, cudaVersions, minCudaVersion } = query;
  const versions = acceptedVersions(gpu.cudaVersions, { allowedCudaVersions: cudaVersions, minCudaVersion });
  const constrained = cudaVersions !== undefined || minCudaVersion !== undefined;
  const rentable =
    inCloud(gpu, cloud) &&
    count <= MAX_GPUS[cloud] &&
    (!constrained || versions.length > 0) &&
    (product?.some((one) => one !== "SERVERLESS" || gpu.pool !== null) ?? false);
  const among = offeringGpu(gpu).filter(({ country }) => countryCodes?.includes(country) ?? true);
  const places = rentable ? placesOf(service, { gpu: gpu.id }, count, among) : [];
  return {
    availability: best(places.map(({ availability }) => availability)),
    ...(places.length > 0 && { dataCenters: places }),
    ...(versions.length > 0 && {
      cudaVersions: versions.map((version) => ({ version, available: places.length > 0 })),
    }),
  };
}

/** A CPU flavor, with its stock if the query asks for it. */
// assumes: field GET /catalog/cpus
export function cpuView(service: Service, cpu: Cpu, { include, vcpuCount = 2 }: CpuQuery) {
  const { id, name, group, ramGbPerVcpu, minVcpu, maxVcpu } = cpu;
  const places = vcpuCount <= maxVcpu ? placesOf(service, { cpu: id }, vcpuCount, dataCenters) : [];
  return {
    id,
    name,
    group,
    vcpu: { min: minVcpu, max: maxVcpu },
    ramGbPerVcpu,
    price: { securePerVcpu: cpuPrice(cpu, "SECURE"), serverlessPerVcpu: cpuPrice(cpu, "SERVERLESS") },
    ...(include && {
      availability: best(places.map(({ availability }) => availability)),
      ...(places.length > 0 && { dataCenters: places }),
    }),
  };
}

/** A data center, with the stock of its hardware if the query asks for it. */
export function dataCenterView(service: Service, dataCenter: DataCenter, include: string[] = []) {
  const { id, region, globalNetwork, networkVolumeTypes, compliance } = dataCenter;
  return {
    id,
    name: id,
    region,
    globalNetwork,
    networkVolumeTypes,
    compliance,
    ...(include.includes("GPU_AVAILABILITY") && {
      gpuAvailability: gpus
        .filter((gpu) => offers(dataCenter, gpu))
        .map((gpu) => ({
          id: gpu.id,
          name: gpu.name,
          availability: service.capacity.level({ gpu: gpu.id }, id),
        })),
    }),
    ...(include.includes("CPU_AVAILABILITY") && {
      cpuAvailability: cpus.map((cpu) => ({
        id: cpu.id,
        name: cpu.name,
        availability: service.capacity.level({ cpu: cpu.id }, id, cpu.minVcpu),
      })),
    }),
  };
}
