import type { Cloud } from "../../resources/container/types";
import type { DataCenterId } from "../../resources/known/types";

/** Requirements for a GPU. */
export interface CheapestGpuArgs {
  /** Least memory of each GPU in GB. Default: any. */
  minMemory?: number;
  /** Number of GPUs of one pod. Default 1. */
  count?: number;
  /** Most USD an hour, for all its GPUs. Default: any. */
  maxPrice?: number;
  /** Default `SECURE`. */
  cloud?: Cloud;
  /** Data centers, one of which has to have the GPU, e.g. `["EU-RO-1"]`. Default: anywhere. */
  dataCenters?: DataCenterId[];
  /** Default `NVIDIA`. An image that is built for one manufacturer does not run on the other. */
  manufacturer?: "NVIDIA" | "AMD";
  /** The GPU has to be in stock now, in those data centers. Default true. */
  available?: boolean;
}

/** A GPU that fits, and where it is. */
export interface FittingGpu {
  /** The GPU type, and how many of it. */
  gpu: { id: string; count: number };
  /** The cloud that has it. */
  cloud: Cloud;
  /** The data centers that were asked for, without those that are known not to have it. `[]` means any. */
  dataCenterIds: string[];
}

/** The cheapest GPU. Pass `gpu`, `cloud` and `dataCenterIds` to a pod, or `placements`. */
export interface CheapestGpu extends FittingGpu {
  /** USD an hour, for all its GPUs. */
  price: number;
  /**
   * All that fit, the cheapest first, for `placements` of a pod. With `available: false`, they do not depend on the
   * stock, so that a pod stays where it is.
   */
  placements: FittingGpu[];
  /** Why it was chosen, in a sentence. */
  why: string;
}
