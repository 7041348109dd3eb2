import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { container, cpu, cudaVersion, name, needsImage } from "./requests";

const unique = (items: unknown[]) =>
  items.every((item, index) => items.findIndex((other) => isDeepStrictEqual(other, item)) === index);

const queueDelay = z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: z.number().min(0.5) });
const requestCount = z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int().min(1) });
const scaling = z.discriminatedUnion("type", [queueDelay, requestCount]);

const excludedTypes = z
  .array(z.string().regex(/^\s*[^-\s]/))
  .refine(unique, { message: "items must be unique" })
  .meta({ uniqueItems: true });

const endpoint = {
  ...container,
  cpu: z
    .array(cpu)
    .min(1)
    .refine(unique, { message: "items must be unique" })
    .meta({ uniqueItems: true })
    .optional(),
  dataCenterIds: z.array(z.string()).optional(),
  flashboot: z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).optional(),
  networkVolumes: z.array(z.string()).optional(),
  globalVolumes: z.array(z.string()).max(1).optional(),
  timeout: z.int().optional(),
  workers: z
    .strictObject({
      min: z.int().min(0).optional(),
      max: z.int().min(0).optional(),
      idleTimeout: z.int().min(1).max(3600).optional(),
    })
    .optional(),
};

export const createEndpoint = needsImage(
  z.strictObject({
    name,
    ...endpoint,
    type: z.enum(["QUEUE", "LOAD_BALANCER"]),
    scaling,
    gpu: z
      .strictObject({
        pools: z.array(z.string()).min(1),
        excludedTypes: excludedTypes.optional(),
        count: z.int().min(1).optional(),
        allowedCudaVersions: z.array(cudaVersion).optional(),
        minCudaVersion: cudaVersion.optional(),
      })
      .optional(),
    templateId: z.string().min(1).optional(),
  }),
)
  // On create the contract itself ties the scaler to the type. An update has no type, so the state checks it there.
  .refine(({ type, scaling }) => type !== "LOAD_BALANCER" || scaling.type === "REQUEST_COUNT", {
    path: ["scaling", "type"],
    message: "value must be 'REQUEST_COUNT'",
  });

export const updateEndpoint = z.strictObject({
  name: name.optional(),
  ...endpoint,
  scaling: scaling.optional(),
  gpu: z
    .strictObject({
      pools: z.array(z.string()).min(1).optional(),
      excludedTypes: excludedTypes.optional(),
      count: z.int().min(1).optional(),
      allowedCudaVersions: z.array(cudaVersion).optional(),
      minCudaVersion: z
        .string()
        .regex(/^$|^\d+\.\d+$/)
        .optional(),
    })
    .refine((gpu) => gpu.excludedTypes === undefined || gpu.pools !== undefined, {
      message: "property 'pools' is required, if 'excludedTypes' property exists",
    })
    .meta({ dependentRequired: { excludedTypes: ["pools"] } })
    .optional(),
  templateId: z.string().optional(),
});
