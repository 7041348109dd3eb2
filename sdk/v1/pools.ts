/** GPU types of the pools that serverless workers come from. (API: Catalogue, GPU pools) */
const pools: Readonly<Record<string, readonly string[]>> = {
  AMPERE_16: [
    "NVIDIA RTX A4000",
    "NVIDIA RTX A4500",
    "NVIDIA RTX 4000 Ada Generation",
    "NVIDIA RTX 2000 Ada Generation",
  ],
  AMPERE_24: ["NVIDIA L4", "NVIDIA RTX A5000", "NVIDIA GeForce RTX 3090"],
  ADA_24: ["NVIDIA GeForce RTX 4090"],
  AMPERE_48: ["NVIDIA RTX A6000", "NVIDIA A40"],
  ADA_48_PRO: ["NVIDIA L40", "NVIDIA L40S", "NVIDIA RTX 6000 Ada Generation"],
  AMPERE_80: ["NVIDIA A100 80GB PCIe", "NVIDIA A100-SXM4-80GB"],
  ADA_80_PRO: ["NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL"],
  HOPPER_141: ["NVIDIA H200"],
};

/** The pools that hold all these GPU types, what else is in them, and the types that no pool is known of. */
export function poolsOf(types: readonly string[]): {
  ids: string[];
  others: string[];
  homeless: string[];
} {
  const poolOf = (type: string) => Object.keys(pools).find((id) => pools[id]?.includes(type));
  const ids = [...new Set(types.flatMap((type) => poolOf(type) ?? []))];
  return {
    ids,
    others: ids.flatMap((id) => pools[id] ?? []).filter((type) => !types.includes(type)),
    homeless: types.filter((type) => poolOf(type) === undefined),
  };
}
