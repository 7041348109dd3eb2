import type { EndpointGpuArgs, ServerlessEndpointArgs } from "../serverless-endpoint";
import type { Parts } from "./mapping";
import { part } from "./mapping";
import type { Draft } from "./note";
import { number, text, texts } from "./value";

/** Keys that choose the GPUs of workers. (API: Serverless, create) */
export const gpuRows = {
  gpuTypeIds: part(texts),
  gpuCount: part(number),
  allowedCudaVersions: part(texts),
  minCudaVersion: part(text),
};

type V1 = Parts<typeof gpuRows>;

/** The GPU types in each pool of serverless workers. (API: Catalogue, GPU pools) */
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

/** The pools of these GPU types, the other types in those pools, and the types without a known pool. */
function poolsOf(types: readonly string[]): {
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

/** REST v1 took GPU types, REST v2 takes pools of them. */
export function gpuOf(v1: V1, draft: Draft<ServerlessEndpointArgs>): EndpointGpuArgs | undefined {
  const types = v1.gpuTypeIds ?? [];
  const { ids: pools, others: excludedTypes, homeless } = poolsOf(types);
  for (const type of homeless) {
    const text = `${JSON.stringify(type)} is in no known pool: find its pool in the catalog for gpu.pools`;
    draft.note("decide", "gpuTypeIds", text, `[${types.indexOf(type)}]`);
  }
  if (types.length === 0) draft.note("decide", "gpuTypeIds", "is missing: choose pools for gpu.pools");
  if (pools.length === 0) {
    draft.omit(
      v1,
      ["gpuCount", "allowedCudaVersions", "minCudaVersion"],
      "gpu is not complete: write it there",
    );
    return undefined;
  }
  const text = `GPU types are asked for by their pools now: ${pools.join(", ")}`;
  const kept = `${text}. To keep the same types, excludedTypes leaves out ${excludedTypes.join(", ")}`;
  draft.note("changed", "gpuTypeIds", excludedTypes.length > 0 ? kept : text);
  return {
    pools,
    ...(excludedTypes.length > 0 && { excludedTypes }),
    count: v1.gpuCount ?? 1,
    ...cudaOf(v1, draft),
  };
}

/** 12.10 is after 12.8. */
const byNumber = new Intl.Collator("en", { numeric: true });

/** REST v2 takes either a list of versions or a lowest version. (API: Serverless, create) */
function cudaOf({ allowedCudaVersions, minCudaVersion }: V1, draft: Draft<ServerlessEndpointArgs>) {
  if (minCudaVersion === undefined) return allowedCudaVersions && { allowedCudaVersions };
  if (allowedCudaVersions === undefined) return { minCudaVersion };
  const both = allowedCudaVersions.filter((version) => byNumber.compare(version, minCudaVersion) >= 0);
  if (both.length === 0) {
    draft.note("decide", "allowedCudaVersions", `none of them is ${minCudaVersion} or above: choose`);
    return { minCudaVersion };
  }
  draft.note(
    "changed",
    "minCudaVersion",
    "REST v2 takes a list or a floor: the list, without what is below the floor",
  );
  return { allowedCudaVersions: both };
}
