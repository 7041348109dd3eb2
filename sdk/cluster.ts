import type * as pulumi from "@pulumi/pulumi";
import { clusterShape } from "../provider/resources/cluster/outputs";
import type { ClusterArgs, ClusterState } from "../provider/resources/cluster/types";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import { Resource } from "./resource";

export type * from "../provider/resources/cluster/types";

/**
 * Several identical pods in one data center, with a fast private network between them. Billed by the second. The pods
 * are created and deleted together. A single pod of a cluster cannot be changed.
 *
 * Every pod gets variables from the service that `torchrun` takes: `MASTER_ADDR`, `MASTER_PORT`, `NUM_NODES`, `NODE_RANK`, and
 * `NUM_TRAINERS`, the GPUs of each pod. For NCCL, set `NCCL_SOCKET_IFNAME` to `ens1`. Otherwise it may take the interface to the
 * internet, and the training times out.
 *
 * A replacement creates the new cluster before it deletes the old one, so for a while there are two. Set the resource
 * option `deleteBeforeReplace` to have only one at a time. `pulumi destroy` waits until the pods are gone.
 *
 * @example
 * ```ts
 * const cluster = new podlumi.Cluster("training", {
 *   type: "TRAINING",
 *   compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
 *   image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
 *   ports: ["22/tcp"],
 *   startSsh: true,
 *   env: { NCCL_SOCKET_IFNAME: "ens1" },
 * });
 * export const ips = cluster.members.apply((members) => members.map(({ ip }) => ip));
 * ```
 */
export class Cluster extends Resource<ClusterState> {
  constructor(name: string, args: ClusterArgs, opts?: pulumi.CustomResourceOptions) {
    super("Cluster", clusterShape, name, args, opts);
  }

  /**
   * The estimated cost by list prices. The catalog has no prices for clusters, so the prices of pods with the same GPUs
   * are used. The network between the pods is not counted. The output `cost` has the service's own figure once the pods
   * run. The catalog is asked only when the program reads this property.
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
