/**
 * The hardware that the emulated service rents out. Ids, names and memory come from the public reference pages.
 * (differs, Catalog: GPU types, CPU flavors and data centers are those of the public reference pages on the day when podlumi was
 * released; the service adds and retires some. CUDA versions, and the places where a type is offered, are made up.)
 */
export type Cloud = "SECURE" | "COMMUNITY";
export type VolumeType = "STANDARD" | "HIGH_PERFORMANCE";

export interface Gpu {
  id: string;
  name: string;
  /** GB. */
  memory: number;
  /** The Serverless pool that has this type; null when none has. */
  pool: string | null;
  manufacturer: "NVIDIA" | "AMD";
  secure: boolean;
  community: boolean;
  cudaVersions: string[];
  /** Data centers that have it; undefined means all. */
  dataCenters?: string[];
}

export interface Cpu {
  id: string;
  name: string;
  group: string;
  ramGbPerVcpu: number;
  minVcpu: number;
  maxVcpu: number;
}

export interface DataCenter {
  id: string;
  region: "NORTH_AMERICA" | "EUROPE" | "ASIA" | "OCEANIA";
  /** ISO 3166-1 alpha-2. */
  country: string;
  globalNetwork: boolean;
  /** The first is the default tier of volumes in this data center. */
  networkVolumeTypes: VolumeType[];
  compliance: string[];
}

/** Largest machine of any GPU type. */
export const MAX_GPUS = { SECURE: 8, COMMUNITY: 4 };

type GpuRow = [id: string, name: string, memory: number, pool?: string];

const GPU_ROWS: GpuRow[] = [
  ["AMD Instinct MI300X OAM", "MI300X", 192],
  ["NVIDIA A100 80GB PCIe", "A100 PCIe", 80, "AMPERE_80"],
  ["NVIDIA A100-SXM4-80GB", "A100 SXM", 80, "AMPERE_80"],
  ["NVIDIA A30", "A30", 24],
  ["NVIDIA A40", "A40", 48, "AMPERE_48"],
  ["NVIDIA B200", "B200", 180],
  ["NVIDIA B300 SXM6 AC", "B300", 288],
  ["NVIDIA GeForce RTX 3070", "RTX 3070", 8],
  ["NVIDIA GeForce RTX 3080", "RTX 3080", 10],
  ["NVIDIA GeForce RTX 3080 Ti", "RTX 3080 Ti", 12],
  ["NVIDIA GeForce RTX 3090", "RTX 3090", 24, "AMPERE_24"],
  ["NVIDIA GeForce RTX 3090 Ti", "RTX 3090 Ti", 24],
  ["NVIDIA GeForce RTX 4070 Ti", "RTX 4070 Ti", 12],
  ["NVIDIA GeForce RTX 4080", "RTX 4080", 16],
  ["NVIDIA GeForce RTX 4080 SUPER", "RTX 4080 SUPER", 16],
  ["NVIDIA GeForce RTX 4090", "RTX 4090", 24, "ADA_24"],
  ["NVIDIA GeForce RTX 5080", "RTX 5080", 16],
  ["NVIDIA GeForce RTX 5090", "RTX 5090", 32],
  ["NVIDIA H100 80GB HBM3", "H100 SXM", 80, "ADA_80_PRO"],
  ["NVIDIA H100 NVL", "H100 NVL", 94, "ADA_80_PRO"],
  ["NVIDIA H100 PCIe", "H100 PCIe", 80, "ADA_80_PRO"],
  ["NVIDIA H200", "H200 SXM", 141, "HOPPER_141"],
  ["NVIDIA H200 NVL", "NVIDIA H200 NVL", 143],
  ["NVIDIA L4", "L4", 24, "AMPERE_24"],
  ["NVIDIA L40", "L40", 48, "ADA_48_PRO"],
  ["NVIDIA L40S", "L40S", 48, "ADA_48_PRO"],
  ["NVIDIA RTX 2000 Ada Generation", "RTX 2000 Ada", 16, "AMPERE_16"],
  ["NVIDIA RTX 4000 Ada Generation", "RTX 4000 Ada", 20, "AMPERE_16"],
  ["NVIDIA RTX 4000 SFF Ada Generation", "RTX 4000 Ada SFF", 20],
  ["NVIDIA RTX 5000 Ada Generation", "RTX 5000 Ada", 32],
  ["NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada", 48, "ADA_48_PRO"],
  ["NVIDIA RTX A2000", "RTX A2000", 6],
  ["NVIDIA RTX A4000", "RTX A4000", 16, "AMPERE_16"],
  ["NVIDIA RTX A4500", "RTX A4500", 20, "AMPERE_16"],
  ["NVIDIA RTX A5000", "RTX A5000", 24, "AMPERE_24"],
  ["NVIDIA RTX A6000", "RTX A6000", 48, "AMPERE_48"],
  ["NVIDIA RTX PRO 4500 Blackwell", "RTX PRO 4500", 32],
  ["NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "RTX PRO 6000 MaxQ", 96],
  ["NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb", "PRO 6000 MIG 24GB", 24],
  ["NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 2g.48gb", "PRO 6000 MIG 48GB", 48],
  ["NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000", 96],
  ["NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 WK", 96],
  ["Tesla V100-PCIE-16GB", "Tesla V100", 16],
  ["Tesla V100-SXM2-16GB", "V100 SXM2", 16],
  ["Tesla V100-SXM2-32GB", "V100 SXM2 32GB", 32],
];

/** Types with few data centers, so that a test can ask for a GPU where there is none, without any set-up. */
const ONLY_IN: Record<string, string[]> = {
  "AMD Instinct MI300X OAM": ["EU-RO-1", "EUR-IS-1"],
  "NVIDIA B300 SXM6 AC": ["US-GA-2", "EUR-NO-1"],
  "NVIDIA H200 NVL": ["US-GA-1", "EU-FR-1"],
  "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb": ["US-NC-1"],
  "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 2g.48gb": ["US-NC-1"],
};

function gpuOf([id, name, memory, pool]: GpuRow): Gpu {
  const old = id.startsWith("Tesla");
  const blackwell = /Blackwell|B[23]00|RTX 50\d0$/.test(id);
  const amd = id.startsWith("AMD");
  return {
    id,
    name,
    memory,
    pool: pool ?? null,
    manufacturer: amd ? "AMD" : "NVIDIA",
    secure: !old,
    community: old || id.includes("GeForce") || id.includes("RTX A"),
    cudaVersions: amd ? [] : old ? ["12.4"] : blackwell ? ["12.8", "13.0"] : ["12.4", "12.6", "12.8", "13.0"],
    dataCenters: ONLY_IN[id],
  };
}

export const gpus: Gpu[] = GPU_ROWS.map(gpuOf);

const RAM_GB_PER_VCPU = { c: 2, g: 4, m: 8 };
const CPU_NAMES = { c: "Compute-Optimized", g: "General Purpose", m: "Memory-Optimized" };

export const cpus: Cpu[] = (["cpu3", "cpu5"] as const).flatMap((group) =>
  (["c", "g", "m"] as const).map((kind) => ({
    id: `${group}${kind}`,
    name: CPU_NAMES[kind],
    group,
    ramGbPerVcpu: RAM_GB_PER_VCPU[kind],
    minVcpu: 2,
    maxVcpu: 32,
  })),
);

const BOTH: VolumeType[] = ["STANDARD", "HIGH_PERFORMANCE"];

type DataCenterRow = [
  id: string,
  region: DataCenter["region"],
  country: string,
  volumes: VolumeType[],
  globalNetwork?: boolean,
  compliance?: string[],
];

const DATA_CENTER_ROWS: DataCenterRow[] = [
  ["US-KS-2", "NORTH_AMERICA", "US", BOTH, true, ["SOC_2_TYPE_2", "HIPAA"]],
  ["US-KS-3", "NORTH_AMERICA", "US", ["STANDARD"], true],
  ["US-TX-1", "NORTH_AMERICA", "US", ["STANDARD"]],
  ["US-TX-3", "NORTH_AMERICA", "US", ["STANDARD"], true, ["SOC_2_TYPE_2"]],
  ["US-TX-4", "NORTH_AMERICA", "US", []],
  ["US-GA-1", "NORTH_AMERICA", "US", ["STANDARD"]],
  ["US-GA-2", "NORTH_AMERICA", "US", BOTH, true],
  ["US-CA-2", "NORTH_AMERICA", "US", BOTH, true, ["SOC_2_TYPE_2"]],
  ["US-WA-1", "NORTH_AMERICA", "US", ["STANDARD"], true],
  ["US-NC-1", "NORTH_AMERICA", "US", ["STANDARD"], true],
  ["US-IL-1", "NORTH_AMERICA", "US", ["STANDARD"], true],
  ["US-DE-1", "NORTH_AMERICA", "US", ["STANDARD"]],
  ["EU-RO-1", "EUROPE", "RO", BOTH, true, ["GDPR", "ISO_IEC_27001"]],
  ["EU-SE-1", "EUROPE", "SE", ["STANDARD"], true, ["GDPR"]],
  ["EU-NL-1", "EUROPE", "NL", ["STANDARD"], true, ["GDPR"]],
  ["EU-CZ-1", "EUROPE", "CZ", ["STANDARD"], true, ["GDPR"]],
  ["EU-FR-1", "EUROPE", "FR", ["STANDARD"], true, ["GDPR", "SOC_2_TYPE_2"]],
  ["EUR-IS-1", "EUROPE", "IS", ["HIGH_PERFORMANCE"], true, ["GDPR", "RENEWABLE"]],
  ["EUR-IS-2", "EUROPE", "IS", ["STANDARD"], true, ["GDPR", "RENEWABLE"]],
  ["EUR-IS-3", "EUROPE", "IS", ["STANDARD"], true, ["GDPR", "RENEWABLE"]],
  ["EUR-NO-1", "EUROPE", "NO", BOTH, true, ["GDPR", "RENEWABLE"]],
  ["AP-JP-1", "ASIA", "JP", []],
  ["OC-AU-1", "OCEANIA", "AU", ["STANDARD"]],
];

export const dataCenters: DataCenter[] = DATA_CENTER_ROWS.map(
  ([id, region, country, networkVolumeTypes, globalNetwork = false, compliance = []]) => ({
    id,
    region,
    country,
    globalNetwork,
    networkVolumeTypes,
    compliance,
  }),
);

export const findGpu = (id: string) => gpus.find((gpu) => gpu.id === id);
export const findCpu = (id: string) => cpus.find((cpu) => cpu.id === id);
export const findDataCenter = (id: string) => dataCenters.find((dataCenter) => dataCenter.id === id);

export const pools = new Set(gpus.flatMap((gpu) => gpu.pool ?? []));
export const typesOfPools = (ids: string[]) => gpus.filter((gpu) => gpu.pool && ids.includes(gpu.pool));

export function offers(dataCenter: DataCenter, gpu: Gpu): boolean {
  return gpu.dataCenters?.includes(dataCenter.id) ?? true;
}
