import type { Cloud } from "../../resources/container/types";
import type { VolumeType } from "../../resources/network-volume/types";

/** The amount of stock to rent. */
export type AvailabilityLevel = "NONE" | "LOW" | "MEDIUM" | "HIGH";

/** The use of hardware. Stock differs by product: a GPU can be scarce for pods and plentiful for workers. */
export type Product = "POD" | "CLUSTER" | "SERVERLESS";

/** An entry of the catalog and its stock. */
export interface Stock {
  /** Id of the hardware or the data center. */
  id: string;
  /** Display name. */
  name: string;
  availability: AvailabilityLevel;
}

/** The stock to include. Other filters need `product`. Without any filter, there is no stock. (API: Catalog, GPUs) */
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
  /** Its manufacturer. An image that is built for one does not run on the other. */
  manufacturer: "NVIDIA" | "AMD" | "UNKNOWN";
  /** GB of one GPU. */
  memory: number;
  /** The Secure cloud has it. */
  secure: boolean;
  /** The Community cloud has it. */
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

/** The stock to include. `vcpuCount` needs `product`. Without any filter, there is no stock. (API: Catalog, CPUs) */
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
  /** Display name. */
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

/** The stock of a data center to include. */
export interface DataCenterStockArgs {
  /** The stock of GPUs, of CPUs, or both. Default: none. */
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
  /** Display name. */
  name: string;
  region: Region;
  /** It has global networking. */
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
  /** Id of the entry. */
  id: string;
}
