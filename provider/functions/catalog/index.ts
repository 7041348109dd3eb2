import * as z from "zod";
import { cheapestGpu } from "../cheapest-gpu";
import { type Definitions, text } from "../definition";
import { entry, listed, stock } from "../listing";

const gpuStock = {
  product: z.array(z.enum(["POD", "CLUSTER", "SERVERLESS"])).optional(),
  count: z.int().min(1).optional(),
  cloud: z.enum(["SECURE", "COMMUNITY"]).optional(),
  countryCodes: z.array(text).optional(),
  cudaVersions: z.array(text).optional(),
  minCudaVersion: text.optional(),
};

const cpuStock = {
  product: z.array(z.enum(["POD", "SERVERLESS"])).optional(),
  vcpuCount: z.int().min(2).optional(),
};

const dataCenterStock = {
  include: z.array(z.enum(["GPU_AVAILABILITY", "CPU_AVAILABILITY"])).optional(),
};

/** (API: Catalog) */
export const catalog = {
  getGpuTypes: { args: gpuStock, list: "gpus", ask: (api, args) => listed(api, "gpus", stock(args)) },
  getGpuType: {
    args: { id: text, ...gpuStock },
    ask: (api, { id, ...args }) => entry(api, "gpus", id, stock(args)),
  },
  getCpuTypes: { args: cpuStock, list: "cpus", ask: (api, args) => listed(api, "cpus", stock(args)) },
  getCpuType: {
    args: { id: text, ...cpuStock },
    ask: (api, { id, ...args }) => entry(api, "cpus", id, stock(args)),
  },
  getDataCenters: {
    args: {
      ...dataCenterStock,
      regions: z
        .array(
          z.enum([
            "NORTH_AMERICA",
            "SOUTH_AMERICA",
            "EUROPE",
            "ASIA",
            "MIDDLE_EAST",
            "AFRICA",
            "OCEANIA",
            "ANTARCTICA",
            "UNKNOWN",
          ]),
        )
        .optional(),
      networkVolumeTypes: z.array(z.enum(["STANDARD", "HIGH_PERFORMANCE"])).optional(),
      compliance: z
        .array(
          z.enum([
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
          ]),
        )
        .optional(),
      globalNetwork: z.boolean().optional(),
    },
    list: "dataCenters",
    ask: (api, args) => listed(api, "dataCenters", args),
  },
  getDataCenter: {
    args: { id: text, ...dataCenterStock },
    ask: (api, { id, ...args }) => entry(api, "dataCenters", id, args),
  },
  getCatalogTemplates: {
    args: { source: z.enum(["official", "verified", "community"]).optional() },
    list: "templates",
    kind: "Template",
    ask: (api, args) => listed(api, "templates", args),
  },
  cheapestGpu,
} satisfies Partial<Definitions>;
