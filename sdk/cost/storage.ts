import type { VolumeType } from "../../provider/resources/network-volume/types";

/** GB of a STANDARD volume at the first price. 1 TB is 1024 GB, as 4 TB is 4096 GB. (API: Network volumes) */
const firstTier = 1024;

/**
 * Prices of storage in USD a month. The catalog does not have them.
 * (Public documentation, "Pods, Pricing, Storage billing", "Serverless, Pricing", "Network volumes, Pricing")
 */
export const storage = {
  /** For a GB of container disk or host-local storage of a running pod or worker. */
  running: 0.1,
  /** For a GB of host-local storage of a stopped pod; its container disk is free. */
  stopped: 0.2,
  /** For a network volume of this size in GB, in use or not. */
  network: {
    STANDARD: (size) => 0.07 * Math.min(size, firstTier) + 0.05 * Math.max(size - firstTier, 0),
    HIGH_PERFORMANCE: (size) => 0.14 * size,
  } satisfies Record<VolumeType, (size: number) => number>,
};
