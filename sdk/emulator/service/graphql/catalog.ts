import {
  type Cloud,
  type Cpu,
  cpus,
  type DataCenter,
  dataCenters,
  type Gpu,
  gpus,
  MAX_GPUS,
  offers,
} from "../catalog";
import { gpuPrice } from "../prices";
import { best, inCloud, offeringGpu, placesOf, type Stock } from "../state/availability";
import type { Level } from "../state/capacity";
import { acceptedVersions } from "../state/cuda";
import type { Service } from "../state/service";
import { present } from "./inputs";

const STOCK: Record<Level, string> = { NONE: "None", LOW: "Low", MEDIUM: "Medium", HIGH: "High" };

type Maybe<T> = T | null | undefined;

/** The input that decides where a GPU type can be rented. The schema takes further wishes, which every emulated host meets. */
export interface Wish {
  gpuCount?: Maybe<number>;
  secureCloud?: Maybe<boolean>;
  allowedCudaVersions?: Maybe<Maybe<string>[]>;
  cudaVersion?: Maybe<string>;
  minCudaVersion?: Maybe<string>;
  countryCode?: Maybe<string>;
  dataCenterId?: Maybe<string>;
  globalNetwork?: Maybe<boolean>;
}

export interface Args<T> {
  input?: Maybe<T>;
}

export function gpuTypes(service: Service, { id, ids }: { id?: Maybe<string>; ids?: Maybe<string[]> } = {}) {
  return gpus
    .filter((gpu) => (!id || gpu.id === id) && (!ids || ids.includes(gpu.id)))
    .map((gpu) => gpuType(service, gpu));
}

function gpuType(service: Service, gpu: Gpu) {
  const most = (cloud: Cloud) => (inCloud(gpu, cloud) ? MAX_GPUS[cloud] : 0);
  return {
    id: gpu.id,
    displayName: gpu.name,
    manufacturer: gpu.manufacturer,
    memoryInGb: gpu.memory,
    secureCloud: gpu.secure,
    communityCloud: gpu.community,
    securePrice: gpu.secure ? gpuPrice(gpu, "SECURE") : 0,
    communityPrice: gpu.community ? gpuPrice(gpu, "COMMUNITY") : 0,
    maxGpuCount: Math.max(most("SECURE"), most("COMMUNITY")),
    maxGpuCountSecureCloud: most("SECURE"),
    maxGpuCountCommunityCloud: most("COMMUNITY"),
    minPodGpuCount: 1,
    lowestPrice: ({ input }: Args<Wish>) => lowestPrice(service, gpu, input ?? {}),
  };
}

const cloudOf = (gpu: Gpu, { secureCloud }: Wish): Cloud =>
  (secureCloud ?? gpu.secure) ? "SECURE" : "COMMUNITY";

/** The stock in each data center where a GPU type can be rented as wished. */
function stockOf(service: Service, gpu: Gpu, wish: Wish, among: DataCenter[]): Stock[] {
  const [cloud, count] = [cloudOf(gpu, wish), wish.gpuCount ?? 1];
  const allowed = present(wish.allowedCudaVersions) ?? [];
  const cuda = {
    allowedCudaVersions: allowed.length === 0 && wish.cudaVersion ? [wish.cudaVersion] : allowed,
    minCudaVersion: wish.minCudaVersion || undefined,
  };
  const constrained = cuda.allowedCudaVersions.length > 0 || cuda.minCudaVersion !== undefined;
  const rentable =
    inCloud(gpu, cloud) &&
    count <= MAX_GPUS[cloud] &&
    (!constrained || acceptedVersions(gpu.cudaVersions, cuda).length > 0);
  return rentable ? placesOf(service, { gpu: gpu.id }, count, among) : [];
}

function lowestPrice(service: Service, gpu: Gpu, wish: Wish) {
  const cloud = cloudOf(gpu, wish);
  const among = offeringGpu(gpu).filter(
    ({ id, country, globalNetwork }) =>
      (!wish.dataCenterId || id === wish.dataCenterId) &&
      (!wish.countryCode || country === wish.countryCode) &&
      (!wish.globalNetwork || globalNetwork),
  );
  const places = stockOf(service, gpu, wish, among);
  const hosts = inCloud(gpu, cloud) ? among : [];
  const free = Math.max(0, ...hosts.map(({ id }) => service.capacity.free({ gpu: gpu.id }, id)));
  const counts = Array.from({ length: MAX_GPUS[cloud] }, (_, index) => index + 1);
  return {
    gpuName: gpu.name,
    gpuTypeId: gpu.id,
    stockStatus: STOCK[best(places.map(({ availability }) => availability))],
    uninterruptablePrice: inCloud(gpu, cloud) ? gpuPrice(gpu, cloud) : null,
    availableGpuCounts: counts.filter((count) => count <= free),
    maxGpuCount: MAX_GPUS[cloud],
    gpuTypeDatacenters: among.map(({ id, networkVolumeTypes }) => ({
      dataCenterId: id,
      supportNetworkVolumes: networkVolumeTypes.length > 0,
      availability: places.some((place) => place.id === id) ? "AVAILABLE" : "UNAVAILABLE",
    })),
  };
}

export function cpuFlavors(id?: Maybe<string>) {
  return cpus.filter((cpu) => !id || cpu.id === id).map(cpuFlavor);
}

function cpuFlavor({ id, name, group, ramGbPerVcpu, minVcpu, maxVcpu }: Cpu) {
  return {
    id,
    groupId: group,
    groupName: group.toUpperCase(),
    displayName: name,
    minVcpu,
    maxVcpu,
    vcpuBurstable: false,
    ramMultiplier: ramGbPerVcpu,
  };
}

export const allDataCenters = (service: Service) =>
  dataCenters.map((dataCenter) => dataCenterObject(service, dataCenter));

const countries = new Intl.DisplayNames("en", { type: "region" });

export function dataCenterObject(service: Service, dataCenter: DataCenter | undefined) {
  if (dataCenter === undefined) return null;
  return {
    id: dataCenter.id,
    name: dataCenter.id,
    location: countries.of(dataCenter.country),
    listed: true,
    storageSupport: dataCenter.networkVolumeTypes.length > 0,
    globalNetwork: dataCenter.globalNetwork,
    region: dataCenter.region,
    // REST has one more certification than the schema of GraphQL.
    compliance: dataCenter.compliance.filter((one) => one !== "RENEWABLE"),
    gpuAvailability: ({ input }: Args<Wish>) =>
      gpus
        .filter((gpu) => offers(dataCenter, gpu))
        .map((gpu) => gpuAvailability(gpu, stockOf(service, gpu, input ?? {}, [dataCenter]))),
  };
}

function gpuAvailability({ id, name }: Gpu, places: Stock[]) {
  return {
    id,
    gpuTypeId: id,
    displayName: name,
    gpuTypeDisplayName: name,
    available: places.length > 0,
    stockStatus: STOCK[best(places.map(({ availability }) => availability))],
  };
}
