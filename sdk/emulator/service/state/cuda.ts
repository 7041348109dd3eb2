import { badRequest } from "./problem";

/** Allowed versions and a minimum exclude each other. An empty list is no constraint. */
export function checkCuda(constraint: {
  allowedCudaVersions?: string[];
  minCudaVersion?: string | null;
}): void {
  if (constraint.allowedCudaVersions?.length && constraint.minCudaVersion)
    throw badRequest("allowedCudaVersions and minCudaVersion are mutually exclusive");
}

/** Compares CUDA versions numerically: 12.11 is above 12.2 (API: Pods, gpu.minCudaVersion). */
function cudaAtLeast(version: string, floor: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [floorMajor = 0, floorMinor = 0] = floor.split(".").map(Number);
  return major > floorMajor || (major === floorMajor && minor >= floorMinor);
}

/** Those of a host's versions that a request accepts. */
export function acceptedVersions(
  versions: string[],
  { allowedCudaVersions = [], minCudaVersion }: { allowedCudaVersions?: string[]; minCudaVersion?: string },
): string[] {
  return versions.filter(
    (version) =>
      (allowedCudaVersions.length === 0 || allowedCudaVersions.includes(version)) &&
      (!minCudaVersion || cudaAtLeast(version, minCudaVersion)),
  );
}
