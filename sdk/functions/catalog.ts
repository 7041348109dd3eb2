import type { Cloud } from "../../provider/resources/container/types";
import type { VolumeType } from "../network-volume";
import { ofOutputs, plain } from "./function";
import { entry, listed, stock } from "./listing";

/** How much of something there is to rent. */
export type AvailabilityLevel = "NONE" | "LOW" | "MEDIUM" | "HIGH";

/** What something is rented for: the same GPU can be scarce for pods and plentiful for workers. */
export type Product = "POD" | "CLUSTER" | "SERVERLESS";

/** Something in the catalog and how much of it there is. */
export interface Stock {
  id: string;
  name: string;
  availability: AvailabilityLevel;
}

/** Of which stock to tell. Each of them needs `product`; without any, the stock is left out. (API: Catalog, GPUs) */
export interface GpuStockArgs {
  /** For which products. */
  product?: Product[];
  /** GPUs of one machine. Default 1. */
  count?: number;
  /** Default `SECURE`. */
  cloud?: Cloud;
  /** Countries as ISO 3166-1 alpha-2, e.g. `["FR", "DE"]`: any of them. In a list, types that they lack are left out. */
  countryCodes?: string[];
  /** CUDA versions (`major.minor`), matched exactly. Not together with `minCudaVersion`. */
  cudaVersions?: string[];
  /** Lowest CUDA version (`major` or `major.minor`). Not together with `cudaVersions`. */
  minCudaVersion?: string;
}

/** A GPU type. (API: Catalog, GPUs) */
export interface GpuType {
  /** For `gpu.id` of a pod. */
  id: string;
  /** Display name. */
  name: string;
  /** For `gpu.pools` of an endpoint; null when it is in none. */
  pool: string | null;
  manufacturer: "NVIDIA" | "AMD" | "UNKNOWN";
  /** GB of a GPU. */
  memory: number;
  /** Whether the Secure cloud has it. */
  secure: boolean;
  /** Whether the Community cloud has it. */
  community: boolean;
  /** USD an hour for one GPU; 0 in a cloud that lacks it. */
  price: { secure: number; community: number; serverless?: number };
  /** GPUs of the largest machine. */
  maxCount: { secure: number; community: number };
  /** The best of its data centers; only where stock was asked for. */
  availability?: AvailabilityLevel;
  /** Where it is; only where stock was asked for, and left out where there is none. */
  dataCenters?: Stock[];
  /** Only where stock was asked for. */
  cudaVersions?: { version: string; available: boolean }[];
}

/** Of which stock to tell. Each of them needs `product`; without any, the stock is left out. (API: Catalog, CPUs) */
export interface CpuStockArgs {
  /** For which products. */
  product?: ("POD" | "SERVERLESS")[];
  /** vCPUs of one container: a power of two, at least 2. Default 2. */
  vcpuCount?: number;
}

/** A CPU flavor. (API: Catalog, CPUs) */
export interface CpuType {
  /** For `cpu.id`. */
  id: string;
  name: string;
  /** The family of flavors. */
  group: string;
  /** vCPUs that can be had. */
  vcpu: { min: number; max: number };
  /** Memory in GB of a vCPU. */
  ramGbPerVcpu: number;
  /** USD an hour. */
  price: { securePerVcpu: number; serverlessPerVcpu: number };
  /** The best of its data centers; only where stock was asked for. */
  availability?: AvailabilityLevel;
  /** Where it is; only where stock was asked for, and left out where there is none. */
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

/** Of which stock of a data center to tell. Default: none. */
export interface DataCenterStockArgs {
  include?: ("GPU_AVAILABILITY" | "CPU_AVAILABILITY")[];
}

/** Which data centers; all that is given has to be met. (API: Catalog, data centers) */
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
  /** For `dataCenterIds` and `dataCenter`. */
  id: string;
  name: string;
  region: Region;
  /** Whether it has global networking. */
  globalNetwork: boolean;
  /** The storage tiers that it has. */
  networkVolumeTypes: VolumeType[];
  compliance: Compliance[];
  /** Only where it was asked for. */
  gpuAvailability?: Stock[];
  /** Only where it was asked for. */
  cpuAvailability?: Stock[];
}

/** An entry of the catalog, by its id. */
export interface ById {
  id: string;
}

/**
 * The GPU types of the catalog, with their prices, and with what there is to rent where `product` is given.
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
 * {@link getGpuTypes} of outputs.
 *
 * @example
 * ```ts
 * export const gpus = podlumi.getGpuTypesOutput().apply((types) => types.map(({ id }) => id));
 * ```
 */
export const getGpuTypesOutput = ofOutputs(getGpuTypes);

/**
 * One GPU type. Fails when there is none, and names those that come close.
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
 * {@link getGpuType} of outputs.
 *
 * @example
 * ```ts
 * export const memory = podlumi.getGpuTypeOutput({ id: pod.gpu.apply((gpu) => gpu?.id ?? "") }).memory;
 * ```
 */
export const getGpuTypeOutput = ofOutputs(getGpuType);

/**
 * The CPU flavors of the catalog, with what there is to rent where `product` is given.
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
 * {@link getCpuTypes} of outputs.
 *
 * @example
 * ```ts
 * export const flavors = podlumi.getCpuTypesOutput().apply((types) => types.map(({ id }) => id));
 * ```
 */
export const getCpuTypesOutput = ofOutputs(getCpuTypes);

/**
 * One CPU flavor. Fails when there is none, and names those that come close.
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
 * {@link getCpuType} of outputs.
 *
 * @example
 * ```ts
 * export const ram = podlumi.getCpuTypeOutput({ id: flavor }).ramGbPerVcpu;
 * ```
 */
export const getCpuTypeOutput = ofOutputs(getCpuType);

/**
 * The data centers that meet all that is given, with their stock where `include` asks for it.
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
 * {@link getDataCenters} of outputs.
 *
 * @example
 * ```ts
 * const green = podlumi.getDataCentersOutput({ compliance: ["RENEWABLE"] }).apply((all) => all.map(({ id }) => id));
 * ```
 */
export const getDataCentersOutput = ofOutputs(getDataCenters);

/**
 * One data center. Fails when there is none, and names those that come close.
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
 * {@link getDataCenter} of outputs.
 *
 * @example
 * ```ts
 * export const region = podlumi.getDataCenterOutput({ id: volume.dataCenter }).region;
 * ```
 */
export const getDataCenterOutput = ofOutputs(getDataCenter);
