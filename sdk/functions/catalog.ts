import type { Cloud } from "../../provider/resources/container/types";
import type { VolumeType } from "../network-volume";
import { ofOutputs, plain } from "./function";
import { entry, listed, stock } from "./listing";

/** How much stock there is to rent. */
export type AvailabilityLevel = "NONE" | "LOW" | "MEDIUM" | "HIGH";

/** What hardware is rented for. Stock differs by product: a GPU can be scarce for pods and plentiful for workers. */
export type Product = "POD" | "CLUSTER" | "SERVERLESS";

/** An entry of the catalog and its stock. */
export interface Stock {
  id: string;
  name: string;
  availability: AvailabilityLevel;
}

/** Which stock to include. Other filters need `product`. Without any filter, there is no stock. (API: Catalog, GPUs) */
export interface GpuStockArgs {
  /** Products to get the stock for. */
  product?: Product[];
  /** Number of GPUs in one machine. Default 1. */
  count?: number;
  /** Default `SECURE`. */
  cloud?: Cloud;
  /** Any of these countries (ISO 3166-1 alpha-2), e.g. `["FR", "DE"]`. Lists leave out types that none of them has. */
  countryCodes?: string[];
  /** CUDA versions (`major.minor`), matched exactly. Not together with `minCudaVersion`. */
  cudaVersions?: string[];
  /** Lowest CUDA version (`major` or `major.minor`). Not together with `cudaVersions`. */
  minCudaVersion?: string;
}

/** A GPU type. (API: Catalog, GPUs) */
export interface GpuType {
  /** Use it as `gpu.id` of a pod. */
  id: string;
  /** Display name. */
  name: string;
  /** Use it in `gpu.pools` of an endpoint. Null when the type is in no pool. */
  pool: string | null;
  manufacturer: "NVIDIA" | "AMD" | "UNKNOWN";
  /** GB of one GPU. */
  memory: number;
  /** Whether the Secure cloud has it. */
  secure: boolean;
  /** Whether the Community cloud has it. */
  community: boolean;
  /** USD an hour for one GPU; 0 in a cloud that does not have it. */
  price: { secure: number; community: number; serverless?: number };
  /** Number of GPUs in the largest machine. */
  maxCount: { secure: number; community: number };
  /** The best stock among its data centers. Only present when stock was asked for. */
  availability?: AvailabilityLevel;
  /** The data centers that have it. Only present when stock was asked for and a data center has it. */
  dataCenters?: Stock[];
  /** Only present when stock was asked for. */
  cudaVersions?: { version: string; available: boolean }[];
}

/** Which stock to include. `vcpuCount` needs `product`. Without any filter, there is no stock. (API: Catalog, CPUs) */
export interface CpuStockArgs {
  /** Products to get the stock for. */
  product?: ("POD" | "SERVERLESS")[];
  /** vCPUs of one container: a power of two, at least 2. Default 2. */
  vcpuCount?: number;
}

/** A CPU flavor. (API: Catalog, CPUs) */
export interface CpuType {
  /** Use it as `cpu.id`. */
  id: string;
  name: string;
  /** The family of flavors. */
  group: string;
  /** The fewest and the most vCPUs. */
  vcpu: { min: number; max: number };
  /** GB of memory for each vCPU. */
  ramGbPerVcpu: number;
  /** USD an hour for one vCPU. */
  price: { securePerVcpu: number; serverlessPerVcpu: number };
  /** The best stock among its data centers. Only present when stock was asked for. */
  availability?: AvailabilityLevel;
  /** The data centers that have it. Only present when stock was asked for and a data center has it. */
  dataCenters?: Stock[];
}

/** Part of the world. */
export type Region =
  | "NORTH_AMERICA"
  | "SOUTH_AMERICA"
  | "EUROPE"
  | "ASIA"
  | "MIDDLE_EAST"
  | "AFRICA"
  | "OCEANIA"
  | "ANTARCTICA"
  | "UNKNOWN";

/** Certification of a data center. */
export type Compliance =
  | "GDPR"
  | "ISO_IEC_27001"
  | "ISO_14001"
  | "PCI_DSS"
  | "HITRUST"
  | "SOC_1_TYPE_2"
  | "SOC_2_TYPE_2"
  | "SOC_3_TYPE_2"
  | "ITAR"
  | "FISMA_HIGH"
  | "HIPAA"
  | "RENEWABLE";

/** Which stock of a data center to include. Default: none. */
export interface DataCenterStockArgs {
  include?: ("GPU_AVAILABILITY" | "CPU_AVAILABILITY")[];
}

/** Filters for data centers. A data center has to meet all of them. (API: Catalog, data centers) */
export interface DataCentersArgs extends DataCenterStockArgs {
  /** In any of these regions. */
  regions?: Region[];
  /** With all of these storage tiers. */
  networkVolumeTypes?: VolumeType[];
  /** With all of these certifications. */
  compliance?: Compliance[];
  /** With global networking, or without. */
  globalNetwork?: boolean;
}

/** A data center. (API: Catalog, data centers) */
export interface DataCenter {
  /** Use it in `dataCenterIds` and as `dataCenter`. */
  id: string;
  name: string;
  region: Region;
  /** Whether it has global networking. */
  globalNetwork: boolean;
  /** The storage tiers that it has. */
  networkVolumeTypes: VolumeType[];
  compliance: Compliance[];
  /** Only present when it was asked for. */
  gpuAvailability?: Stock[];
  /** Only present when it was asked for. */
  cpuAvailability?: Stock[];
}

/** An entry of the catalog, by its id. */
export interface ById {
  id: string;
}

/**
 * The GPU types of the catalog with their prices. `product` adds their stock.
 *
 * @example
 * ```ts
 * const inStock = (await podlumi.getGpuTypes({ product: ["POD"], count: 2 }))
 *   .filter(({ availability }) => availability !== "NONE");
 * ```
 */
export const getGpuTypes = plain<GpuStockArgs, GpuType[]>("getGpuTypes", (service, args) =>
  listed(service, "gpus", stock(args)),
);

/**
 * Like {@link getGpuTypes}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const gpus = podlumi.getGpuTypesOutput().apply((types) => types.map(({ id }) => id));
 * ```
 */
export const getGpuTypesOutput = ofOutputs(getGpuTypes);

/**
 * One GPU type. Fails when there is none with this id; the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { price } = await podlumi.getGpuType({ id: "NVIDIA GeForce RTX 4090" });
 * ```
 */
export const getGpuType = plain<ById & GpuStockArgs, GpuType>("getGpuType", (service, { id, ...args }) =>
  entry(service, "gpus", id, stock(args)),
);

/**
 * Like {@link getGpuType}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const memory = podlumi.getGpuTypeOutput({ id: pod.gpu.apply((gpu) => gpu?.id ?? "") }).memory;
 * ```
 */
export const getGpuTypeOutput = ofOutputs(getGpuType);

/**
 * The CPU flavors of the catalog with their prices. `product` adds their stock.
 *
 * @example
 * ```ts
 * const flavors = await podlumi.getCpuTypes({ product: ["POD"], vcpuCount: 8 });
 * ```
 */
export const getCpuTypes = plain<CpuStockArgs, CpuType[]>("getCpuTypes", (service, args) =>
  listed(service, "cpus", stock(args)),
);

/**
 * Like {@link getCpuTypes}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const flavors = podlumi.getCpuTypesOutput().apply((types) => types.map(({ id }) => id));
 * ```
 */
export const getCpuTypesOutput = ofOutputs(getCpuTypes);

/**
 * One CPU flavor. Fails when there is none with this id; the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { ramGbPerVcpu } = await podlumi.getCpuType({ id: "cpu3c" });
 * ```
 */
export const getCpuType = plain<ById & CpuStockArgs, CpuType>("getCpuType", (service, { id, ...args }) =>
  entry(service, "cpus", id, stock(args)),
);

/**
 * Like {@link getCpuType}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const ram = podlumi.getCpuTypeOutput({ id: flavor }).ramGbPerVcpu;
 * ```
 */
export const getCpuTypeOutput = ofOutputs(getCpuType);

/**
 * The data centers that meet all filters. `include` adds their stock.
 *
 * @example
 * ```ts
 * const [home] = await podlumi.getDataCenters({ regions: ["EUROPE"], networkVolumeTypes: ["HIGH_PERFORMANCE"] });
 * ```
 */
export const getDataCenters = plain<DataCentersArgs, DataCenter[]>("getDataCenters", (service, args) =>
  listed(service, "dataCenters", args),
);

/**
 * Like {@link getDataCenters}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const green = podlumi.getDataCentersOutput({ compliance: ["RENEWABLE"] }).apply((all) => all.map(({ id }) => id));
 * ```
 */
export const getDataCentersOutput = ofOutputs(getDataCenters);

/**
 * One data center. Fails when there is none with this id; the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { gpuAvailability } = await podlumi.getDataCenter({ id: "EU-RO-1", include: ["GPU_AVAILABILITY"] });
 * ```
 */
export const getDataCenter = plain<ById & DataCenterStockArgs, DataCenter>(
  "getDataCenter",
  (service, { id, ...args }) => entry(service, "dataCenters", id, args),
);

/**
 * Like {@link getDataCenter}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const region = podlumi.getDataCenterOutput({ id: volume.dataCenter }).region;
 * ```
 */
export const getDataCenterOutput = ofOutputs(getDataCenter);
