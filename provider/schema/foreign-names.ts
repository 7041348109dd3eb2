import { misspelt } from "../did-you-mean";
import { retiredNames } from "./retired-names";

/** Pulumi's options of a resource, and the names that programs have for the object with them. */
const options: ReadonlySet<string> = new Set(
  [
    "opts options additionalSecretOutputs aliases customTimeouts deleteBeforeReplace deletedWith dependsOn hideDiffs hooks ignoreChanges",
    "import parent protect provider providers replaceOnChanges replaceWith replacementTrigger retainOnDelete transformations transforms",
  ].flatMap((names) => names.split(" ")),
);

/** Arguments of podlumi by the names that REST v1, GraphQL and the vendor's tools have for them. (API: Migration from v1) */
const present: Readonly<Record<string, readonly string[]>> = {
  imageName: ["image"],
  dockerArgs: ["args"],
  dockerStartCmd: ["cmd"],
  dockerEntrypoint: ["entrypoint"],
  containerArgs: ["args"],
  containerDiskInGb: ["disk"],
  containerRegistryAuthId: ["registry"],
  volumeInGb: ["mounts.persistent.size"],
  volumeMountPath: ["mounts.persistent.path"],
  networkVolumeId: ["mounts.network", "networkVolumes"],
  networkVolumeIds: ["networkVolumes"],
  gpuTypeId: ["gpu.id", "compute.gpuTypeId"],
  gpuTypeIds: ["placements", "gpu.pools"],
  gpuIds: ["gpu.pools"],
  gpuCount: ["gpu.count"],
  cpuFlavorId: ["cpu.id"],
  cpuFlavorIds: ["placements", "cpu"],
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

/**
 * Tells the place of an option of Pulumi, and the argument for a name of another interface; empty for any other name. A misspelt name means
 * the nearest, unless it is nearer to an argument of podlumi.
 */
export function foreignName(key: string, names: readonly string[]): string {
  if (options.has(key))
    return "; options of Pulumi stand after the arguments, in an object of their own (in YAML, under options)";
  if (Object.hasOwn(retiredNames, key)) return `; ${retiredNames[key as keyof typeof retiredNames]}`;
  const argumentFor = (former: string) =>
    present[former]?.find((path) => names.includes(path.split(".")[0] ?? ""));
  const known = Object.keys(present).filter((former) => argumentFor(former) !== undefined);
  const convert = "`npx podlumi convert-v1` converts a whole body of REST v1";
  if (known.includes(key)) return `; REST v2 has it as "${argumentFor(key)}", and ${convert}`;
  const near = misspelt(key, names) === undefined ? misspelt(key, known) : undefined;
  if (near === undefined) return "";
  return `; did you mean "${argumentFor(near)}", in REST v1 "${near}"? ${convert}`;
}
