import { reading, readingOutput } from "./function";

export type * from "../../provider/functions/cheapest-gpu/types";

/**
 * The cheapest GPU type that meets the requirements, ready for a pod. Of two at the same price, it is the one with more
 * memory. Fails when no type fits. The error lists the requirements, and names the one after which no type was left.
 *
 * Prices and stock change from run to run, and another GPU **replaces** a pod. So give a pod the `placements` of all that fit, whatever
 * is in stock: it goes to the first that has room, and stays there as long as that fits.
 *
 * @example
 * ```ts
 * const { placements } = await podlumi.cheapestGpu({ minMemory: 24, maxPrice: 0.8, available: false });
 * new podlumi.Pod("trainer", { image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404", placements });
 * ```
 */
export const cheapestGpu = reading("cheapestGpu");

/**
 * Like {@link cheapestGpu}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const found = podlumi.cheapestGpuOutput({ minMemory: 48, dataCenters: [volume.dataCenter], available: false });
 * new podlumi.Pod("trainer", { image, placements: found.placements });
 * ```
 */
export const cheapestGpuOutput = readingOutput("cheapestGpu");
