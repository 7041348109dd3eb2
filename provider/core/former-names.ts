/** Arguments of podlumi by the names that REST v1, GraphQL and the vendor's tools have for them. (API: Migration from v1) */
const present: Readonly<Record<string, readonly string[]>> = {
  imageName: ["image"],
  dockerArgs: ["args"],
  dockerStartCmd: ["args"],
  containerArgs: ["args"],
  containerDiskInGb: ["disk"],
  containerRegistryAuthId: ["registry"],
  volumeInGb: ["mounts.persistent.size"],
  volumeMountPath: ["mounts.persistent.path"],
  networkVolumeId: ["mounts.network", "networkVolumes"],
  networkVolumeIds: ["networkVolumes"],
  gpuTypeId: ["gpu.id", "compute.gpuTypeId"],
  gpuTypeIds: ["gpu.id", "gpu.pools"],
  gpuIds: ["gpu.pools"],
  gpuCount: ["gpu.count"],
  cpuFlavorId: ["cpu.id"],
  cpuFlavorIds: ["cpu.id", "cpu"],
  instanceId: ["cpu.id"],
  vcpuCount: ["cpu.vcpuCount"],
  allowedCudaVersions: ["gpu.allowedCudaVersions"],
  minCudaVersion: ["gpu.minCudaVersion"],
  cloudType: ["cloud"],
  dataCenterId: ["dataCenter", "dataCenterIds"],
  locations: ["dataCenterIds"],
  workersMin: ["workers.min"],
  workersMax: ["workers.max"],
  idleTimeout: ["workers.idleTimeout"],
  scalerType: ["scaling.type"],
  scalerValue: ["scaling"],
  executionTimeoutMs: ["timeout"],
  isServerless: ["serverless"],
  isPublic: ["public"],
};

/** What stands for another interface's name here, among the arguments of a kind; empty when the name means nothing. */
export function formerName(key: string, names: readonly string[]): string {
  const all = Object.hasOwn(present, key) ? (present[key] ?? []) : [];
  const meant = all.find((path) => names.includes(path.split(".")[0] ?? ""));
  return meant === undefined
    ? ""
    : `; REST v2 has it as "${meant}", and \`npx podlumi convert-v1\` converts a whole body of REST v1`;
}
