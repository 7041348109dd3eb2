import { reading, readingOutput } from "./function";

export type * from "../../provider/functions/catalog/types";

/**
 * The GPU types of the catalog with their prices. `product` adds their stock.
 *
 * @example
 * ```ts
 * const inStock = (await podlumi.getGpuTypes({ product: ["POD"], count: 2 }))
 *   .filter(({ availability }) => availability !== "NONE");
 * ```
 */
export const getGpuTypes = reading("getGpuTypes");

/**
 * Like {@link getGpuTypes}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const gpus = podlumi.getGpuTypesOutput().apply((types) => types.map(({ id }) => id));
 * ```
 */
export const getGpuTypesOutput = readingOutput("getGpuTypes");

/**
 * One GPU type. Fails when there is none with this id; the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { price } = await podlumi.getGpuType({ id: "NVIDIA GeForce RTX 4090" });
 * ```
 */
export const getGpuType = reading("getGpuType");

/**
 * Like {@link getGpuType}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const memory = podlumi.getGpuTypeOutput({ id: pod.gpu.apply((gpu) => gpu?.id ?? "") }).memory;
 * ```
 */
export const getGpuTypeOutput = readingOutput("getGpuType");

/**
 * The CPU flavors of the catalog with their prices. `product` adds their stock.
 *
 * @example
 * ```ts
 * const flavors = await podlumi.getCpuTypes({ product: ["POD"], vcpuCount: 8 });
 * ```
 */
export const getCpuTypes = reading("getCpuTypes");

/**
 * Like {@link getCpuTypes}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const flavors = podlumi.getCpuTypesOutput().apply((types) => types.map(({ id }) => id));
 * ```
 */
export const getCpuTypesOutput = readingOutput("getCpuTypes");

/**
 * One CPU flavor. Fails when there is none with this id; the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { ramGbPerVcpu } = await podlumi.getCpuType({ id: "cpu3c" });
 * ```
 */
export const getCpuType = reading("getCpuType");

/**
 * Like {@link getCpuType}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const ram = podlumi.getCpuTypeOutput({ id: flavor }).ramGbPerVcpu;
 * ```
 */
export const getCpuTypeOutput = readingOutput("getCpuType");

/**
 * The data centers that meet all filters. `include` adds their stock.
 *
 * @example
 * ```ts
 * const [home] = await podlumi.getDataCenters({ regions: ["EUROPE"], networkVolumeTypes: ["HIGH_PERFORMANCE"] });
 * ```
 */
export const getDataCenters = reading("getDataCenters");

/**
 * Like {@link getDataCenters}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * const green = podlumi.getDataCentersOutput({ compliance: ["RENEWABLE"] }).apply((all) => all.map(({ id }) => id));
 * ```
 */
export const getDataCentersOutput = readingOutput("getDataCenters");

/**
 * One data center. Fails when there is none with this id; the error suggests similar ones.
 *
 * @example
 * ```ts
 * const { gpuAvailability } = await podlumi.getDataCenter({ id: "EU-RO-1", include: ["GPU_AVAILABILITY"] });
 * ```
 */
export const getDataCenter = reading("getDataCenter");

/**
 * Like {@link getDataCenter}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const region = podlumi.getDataCenterOutput({ id: volume.dataCenter }).region;
 * ```
 */
export const getDataCenterOutput = readingOutput("getDataCenter");

/**
 * The public templates, for pods and for endpoints (`serverless`). Pass their ids as `templateId`. (API: Catalog,
 * templates)
 *
 * @example
 * ```ts
 * const lab = (await podlumi.getCatalogTemplates()).find(({ name }) => name === "PyTorch");
 * ```
 */
export const getCatalogTemplates = reading("getCatalogTemplates");

/**
 * Like {@link getCatalogTemplates}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const templates = podlumi.getCatalogTemplatesOutput({ source: "verified" }).apply((all) => all.length);
 * ```
 */
export const getCatalogTemplatesOutput = readingOutput("getCatalogTemplates");
