import type { VolumeType } from "../network-volume";

/** GB of the first price of a STANDARD volume: 1 TB. A size can be 4 TB, which are 4096 GB. (API: Network volumes) */
const firstTier = 1024;

/**
 * USD a month for storage, which the catalog does not tell.
 * (Public documentation, "Pods, Pricing, Storage billing", "Serverless, Pricing", "Network volumes, Pricing")
 */
export const storage = {
  /** For a GB of container disk or host-local storage of something that runs. */
  running: 0.1,
  /** For a GB of host-local storage of a stopped pod; its container disk is free. */
  stopped: 0.2,
  /** For a network volume, whatever uses it. */
  network: {
    STANDARD: (size) => 0.07 * Math.min(size, firstTier) + 0.05 * Math.max(size - firstTier, 0),
    HIGH_PERFORMANCE: (size) => 0.14 * size,
  } satisfies Record<VolumeType, (size: number) => number>,
};
