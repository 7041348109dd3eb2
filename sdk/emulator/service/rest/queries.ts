import { z } from "zod";

/** The query strings of the REST interface. Unknown parameters are ignored. */

/** A comma-separated list. */
const list = <T>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(item));

const integer = z.coerce.number();
const time = z.iso.datetime({ offset: true });
const flag = z.stringbool({ truthy: ["true"], falsy: ["false"] });
const include = list(z.enum(["AVAILABILITY"])).optional();

export const gpuQuery = z.object({
  include,
  product: list(z.enum(["POD", "CLUSTER", "SERVERLESS"])).optional(),
  count: integer.pipe(z.int().min(1)).optional(),
  cloud: z.enum(["SECURE", "COMMUNITY"]).optional(),
  countryCodes: list(z.string().regex(/^[A-Z]{2}$/)).optional(),
  cudaVersions: list(z.string().regex(/^\d+\.\d+$/)).optional(),
  minCudaVersion: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .optional(),
});

export const cpuQuery = z.object({
  include,
  product: list(z.enum(["POD", "SERVERLESS"])).optional(),
  vcpuCount: integer.pipe(z.int().min(2)).optional(),
});

export const dataCenterInclude = list(z.enum(["GPU_AVAILABILITY", "CPU_AVAILABILITY"])).optional();

const REGIONS = [
  "NORTH_AMERICA",
  "SOUTH_AMERICA",
  "EUROPE",
  "ASIA",
  "MIDDLE_EAST",
  "AFRICA",
  "OCEANIA",
  "ANTARCTICA",
  "UNKNOWN",
] as const;

const COMPLIANCE = [
  "GDPR",
  "ISO_IEC_27001",
  "ISO_14001",
  "PCI_DSS",
  "HITRUST",
  "SOC_1_TYPE_2",
  "SOC_2_TYPE_2",
  "SOC_3_TYPE_2",
  "ITAR",
  "FISMA_HIGH",
  "HIPAA",
  "RENEWABLE",
] as const;

export const dataCenterQuery = z.object({
  include: dataCenterInclude,
  regions: list(z.enum(REGIONS)).optional(),
  networkVolumeTypes: list(z.enum(["STANDARD", "HIGH_PERFORMANCE"])).optional(),
  compliance: list(z.enum(COMPLIANCE)).optional(),
  globalNetwork: flag.optional(),
});

export type GpuQuery = z.infer<typeof gpuQuery>;
export type CpuQuery = z.infer<typeof cpuQuery>;

export const templateQuery = z.object({
  source: z.enum(["official", "verified", "community"]).default("official"),
});

export const podQuery = z.object({ includeClusterPods: flag.optional() });

export const logQuery = z.object({
  source: z.enum(["container", "system"]).optional(),
  tail: integer.pipe(z.int().min(0).max(5000)).optional(),
  since: time.optional(),
});

export type LogQuery = z.infer<typeof logQuery>;

/** A billing window. Each kind adds its own filter. */
export const billingQuery = z.object({
  startTime: time.optional(),
  endTime: time.optional(),
  bucketSize: z.enum(["hour", "day", "week", "month", "year"]).optional(),
  lastN: integer.pipe(z.int().min(1)).optional(),
});

export type BillingQuery = z.infer<typeof billingQuery>;
