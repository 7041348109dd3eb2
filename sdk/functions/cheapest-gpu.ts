import type { Cloud } from "../../provider/resources/container/types";
import type { GpuType } from "./catalog";
import { ofOutputs, plain } from "./function";
import { entry, listed, stock } from "./listing";

/** Requirements for a GPU. */
export interface CheapestGpuArgs {
  /** Least memory of each GPU in GB. Default: any. */
  minMemory?: number;
  /** Number of GPUs of one pod. Default 1. */
  count?: number;
  /** Default `SECURE`. */
  cloud?: Cloud;
  /** Data centers, one of which has to have the GPU, e.g. `["EU-RO-1"]`. Default: anywhere. */
  dataCenters?: string[];
  /** Default `NVIDIA`. An image that is built for one manufacturer does not run on the other. */
  manufacturer?: "NVIDIA" | "AMD";
  /** Whether the GPU has to be in stock now, in those data centers. Default true. */
  available?: boolean;
}

/** The cheapest GPU. Pass `gpu`, `cloud` and `dataCenterIds` to a pod, or to one of its `placements`. */
export interface CheapestGpu {
  gpu: { id: string; count: number };
  cloud: Cloud;
  /** The data centers that were asked for, without those that are known not to have it. `[]` means any. */
  dataCenterIds: string[];
  /** USD an hour, for all its GPUs. */
  price: number;
  /** Why it was chosen, in a sentence. */
  why: string;
}

/** A requirement, in words and as a test. */
type Wish = readonly [words: string, met: (gpu: GpuType) => boolean];

/**
 * The cheapest GPU type that meets the requirements, ready for a pod. Of two at the same price, it is the one with more
 * memory. Fails when no type fits. The error lists the requirements, and names the one after which no type was left.
 *
 * Prices and stock change from run to run, and another GPU **replaces** a pod. To keep a pod, ignore changes of the
 * chosen values, as in the example.
 *
 * @example
 * ```ts
 * const { gpu, cloud, dataCenterIds } = await podlumi.cheapestGpu({ minMemory: 24, dataCenters: ["EU-RO-1"] });
 * new podlumi.Pod(
 *   "trainer",
 *   { image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404", gpu, cloud, dataCenterIds },
 *   { ignoreChanges: ["gpu", "dataCenterIds"] },
 * );
 * ```
 */
export const cheapestGpu = plain<CheapestGpuArgs, CheapestGpu>("cheapestGpu", async (service, args) => {
  const { minMemory = 0, count = 1, cloud = "SECURE", dataCenters = [], available = true } = args;
  const { manufacturer = "NVIDIA" } = args;
  const kind = cloud === "SECURE" ? "secure" : "community";
  const places = (gpu: GpuType) =>
    dataCenters.filter((id) =>
      gpu.dataCenters?.some((place) => place.id === id && place.availability !== "NONE"),
    );
  const inStock: Wish = [
    dataCenters.length === 0 ? "in stock" : `in stock in ${dataCenters.join(" or ")}`,
    (gpu) => (dataCenters.length === 0 ? (gpu.availability ?? "NONE") !== "NONE" : places(gpu).length > 0),
  ];
  const enough: Wish = [`with at least ${minMemory} GB`, (gpu) => gpu.memory >= minMemory];
  const wishes: Wish[] = [
    [`from ${manufacturer}`, (gpu) => gpu.manufacturer === manufacturer],
    [`in the ${cloud} cloud`, (gpu) => gpu[kind] && gpu.price[kind] > 0],
    ...(minMemory > 0 ? [enough] : []),
    [`${count} in one machine`, (gpu) => gpu.maxCount[kind] >= count],
    ...(available ? [inStock] : []),
  ];
  const asked = available ? stock({ product: ["POD"], count, cloud }) : {};
  let fitting = await listed<GpuType>(service, "gpus", asked);
  for (const [words, met] of wishes) {
    const left = fitting.filter(met);
    if (left.length === 0) {
      for (const id of dataCenters) await entry(service, "dataCenters", id, {}); // Fails for an unknown one.
      const all = wishes.map(([wish]) => wish).join(", ");
      const closest = fitting.map(({ id }) => id).slice(0, 5);
      throw new service.ExpectedError(
        `no GPU type fits: ${all}. Of ${fitting.length} that met what comes before it, none is ${words}: ` +
          `${closest.join(", ")}${fitting.length > 5 ? ", …" : ""}`,
        "PODLUMI-NO-MATCH",
      );
    }
    fitting = left;
  }
  const [best] = fitting.sort((a, b) => a.price[kind] - b.price[kind] || b.memory - a.memory) as [GpuType];
  // The product has rounding errors of floating point.
  const price = Number((best.price[kind] * count).toFixed(6));
  return {
    gpu: { id: best.id, count },
    cloud,
    dataCenterIds: available ? places(best) : dataCenters,
    price,
    why:
      `the cheapest of ${fitting.length} GPU types that are ${wishes.map(([words]) => words).join(", ")}: ` +
      `${best.id} with ${best.memory} GB at ${price} USD an hour`,
  };
});

/**
 * Like {@link cheapestGpu}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const found = podlumi.cheapestGpuOutput({ minMemory: 48, dataCenters: [volume.dataCenter] });
 * new podlumi.Pod("trainer", { image, gpu: found.gpu, dataCenterIds: found.dataCenterIds });
 * ```
 */
export const cheapestGpuOutput = ofOutputs(cheapestGpu);
