import type * as pulumi from "@pulumi/pulumi";
import { clusterShape } from "../provider/resources/cluster/outputs";
import type { ClusterArgs, ClusterState } from "../provider/resources/cluster/types";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import { Resource } from "./resource";

export * from "../provider/resources/cluster/types";

/**
 * Several pods alike in one data center with a fast private network between them, billed by the second. They are made
 * and deleted together, and cannot be changed one by one.
 *
 * While a cluster is replaced there are two of them; with the resource option `deleteBeforeReplace` there is one at a
 * time. `pulumi destroy` waits until the pods are gone.
 *
 * @example
 * ```ts
 * const cluster = new podlumi.Cluster("training", {
 *   type: "TRAINING",
 *   compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
 *   image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
 *   ports: ["22/tcp"],
 *   startSsh: true,
 * });
 * export const ips = cluster.members.apply((members) => members.map(({ ip }) => ip));
 * ```
 */
export class Cluster extends Resource<ClusterState> {
  constructor(name: string, args: ClusterArgs, opts?: pulumi.CustomResourceOptions) {
    super("Cluster", clusterShape, name, args, opts);
  }

  /**
   * What it costs by the list prices of pods with these GPUs, since the catalog has none for clusters; the network
   * between the pods is not counted. `cost` is what the service says once the pods run. The catalog is asked only when
   * this is read.
   *
   * @example
   * ```ts
   * export const anHour = cluster.estimatedCost.hourly.apply((usd) => usd?.atMost);
   * ```
   */
  get estimatedCost(): pulumi.Output<CostEstimate> {
    return estimatedCost("Cluster", this);
  }

  /** Reads an existing cluster by its id. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Cluster {
    return new Cluster(name, undefined as never, { ...opts, id });
  }
}
