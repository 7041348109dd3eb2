import type { ResourceValidationPolicy } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import type { Cloud } from "../../provider/resources/container/types";
import type { ClusterArgs } from "../cluster";
import type { NetworkVolumeArgs } from "../network-volume";
import type { PlacementArgs, PodArgs } from "../pod";
import type { ServerlessEndpointArgs } from "../serverless-endpoint";
import type { PolicyOptions } from "./define";
import { keptByAdopted, resourcePolicy } from "./define";
import { checked } from "./options";

/** The allowed values. */
export interface AllowedOptions<T extends string = string> extends PolicyOptions {
  /** The ids that are allowed. Any other one violates the policy. */
  allowed: readonly T[];
}

/**
 * Pods and clusters use only these GPU types, and endpoints only these pools. CPUs are always allowed.
 *
 * @example
 * ```ts
 * allowedGpus({ allowed: ["NVIDIA GeForce RTX 4090", "ADA_24"] });
 * ```
 */
export function allowedGpus(options: AllowedOptions): ResourceValidationPolicy {
  const { allowed, ...rest } = checked("allowedGpus", options, { allowed: "texts" });
  const others = (property: string, ids: readonly string[]) => notIn(allowed, property, ids);
  return resourcePolicy(
    { name: "allowed-gpus", description: `GPUs are of ${listing(allowed)}.`, ...rest },
    {
      Cluster: ({ compute }: Unwrap<ClusterArgs>) => others("compute.gpuTypeId", [compute.gpuTypeId]),
      Pod: (pod: Unwrap<PodArgs>) =>
        placesOf(pod).flatMap(({ at, place: { gpu } }) => (gpu ? others(`${at}gpu.id`, [gpu.id]) : [])),
      ServerlessEndpoint: ({ gpu }: Unwrap<ServerlessEndpointArgs>) =>
        gpu ? others("gpu.pools", gpu.pools) : [],
    },
  );
}

/**
 * Pods run in these clouds only. A pod without `cloud` counts as one in the Secure cloud, its default; one that the
 * program adopts has to declare it. Endpoints and clusters cannot choose a cloud.
 *
 * @example
 * ```ts
 * allowedClouds({ allowed: ["SECURE"] });
 * ```
 */
export function allowedClouds(options: AllowedOptions<Cloud>): ResourceValidationPolicy {
  const { allowed, ...rest } = checked("allowedClouds", options, { allowed: "texts" });
  return resourcePolicy(
    { name: "allowed-clouds", description: `Pods are in the cloud ${listing(allowed)}.`, ...rest },
    {
      Pod(pod: Unwrap<PodArgs>) {
        // With placements, an adopted pod has to fit one of them, by its default too.
        if (pod.placements === undefined && pod.cloud === undefined && pod.adopt !== undefined)
          return [keptByAdopted("cloud", `choose from ${listing(allowed)}`)];
        return placesOf(pod).flatMap(({ at, place: { cloud = "SECURE" } }) =>
          notIn(allowed, `${at}cloud`, [cloud]),
        );
      },
    },
  );
}

/**
 * Everything is in these data centers. A resource that names no data center could be placed in any, so it violates the
 * policy. One with a network volume has to name that one's data center, too, since a policy does not see where a volume
 * is. Global volumes, and endpoints with one, violate it: what they store is in no data center.
 *
 * @example
 * ```ts
 * allowedDataCenters({ allowed: ["EU-RO-1", "EU-SE-1"] });
 * ```
 */
export function allowedDataCenters(options: AllowedOptions): ResourceValidationPolicy {
  const { allowed, ...rest } = checked("allowedDataCenters", options, { allowed: "texts" });
  // Policies see arguments alone: for a new volume, not even its id.
  const look = ({ dataCenterIds = [] }: { dataCenterIds?: string[] }, at = "", volumes: unknown[] = []) => {
    if (dataCenterIds.length > 0) return notIn(allowed, `${at}dataCenterIds`, dataCenterIds);
    const none = `${at}dataCenterIds names none`;
    return volumes.length === 0
      ? [`${none}, so it could be in any: choose from ${listing(allowed)}`]
      : [
          `${none}: write the data center of its network volume there, which has to be of ${listing(allowed)}`,
        ];
  };
  return resourcePolicy(
    { name: "allowed-data-centers", description: `Everything is in ${listing(allowed)}.`, ...rest },
    {
      Cluster: (cluster: Unwrap<ClusterArgs>) => look(cluster),
      GlobalVolume: () => [
        `a global volume is in no data center: use a NetworkVolume in ${listing(allowed)}`,
      ],
      NetworkVolume: ({ dataCenter }: Unwrap<NetworkVolumeArgs>) =>
        notIn(allowed, "dataCenter", [dataCenter]),
      Pod: (pod: Unwrap<PodArgs>) =>
        placesOf(pod).flatMap(({ at, place }) => look(place, at, pod.mounts?.network)),
      ServerlessEndpoint: (endpoint: Unwrap<ServerlessEndpointArgs>) => [
        ...look(endpoint, "", endpoint.networkVolumes),
        ...((endpoint.globalVolumes ?? []).length > 0
          ? [`globalVolumes are in no data center: use networkVolumes in ${listing(allowed)}`]
          : []),
      ],
    },
  );
}

/** The possible places of a pod, each with its path in the arguments. */
function placesOf(pod: Unwrap<PodArgs>): { at: string; place: Unwrap<PlacementArgs> }[] {
  if (pod.placements === undefined) return [{ at: "", place: pod }];
  return pod.placements.map((place, index) => ({ at: `placements[${index}].`, place }));
}

function notIn(allowed: readonly string[], property: string, values: readonly string[]): string[] {
  return values
    .filter((value) => !allowed.includes(value))
    .map((value) => `${property} is "${value}", which is not allowed: choose from ${listing(allowed)}`);
}

function listing(allowed: readonly string[]): string {
  return allowed.join(", ");
}
