import * as pulumi from "@pulumi/pulumi";
import { podShape, tcpAddressesOf, urlsOf } from "../provider/resources/pod/outputs";
import type { PodArgs, PodState } from "../provider/resources/pod/types";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import { Resource } from "./resource";

export type * from "../provider/resources/pod/types";

/**
 * A dedicated GPU or CPU instance, billed by the second while it runs.
 *
 * @example
 * ```ts
 * const pod = new podlumi.Pod("trainer", {
 *   image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
 *   gpu: { id: "NVIDIA GeForce RTX 4090" },
 *   disk: 50,
 *   ports: ["8888/http", "22/tcp"],
 *   startJupyter: true,
 *   startSsh: true,
 *   mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
 * });
 * export const ssh = pod.ssh.apply((ssh) => ssh.proxy?.command);
 * export const notebook = pod.urls["8888"];
 * ```
 */
export class Pod extends Resource<PodState> {
  constructor(name: string, args: PodArgs, opts?: pulumi.CustomResourceOptions) {
    super("Pod", podShape, name, args, opts);
    // A preview of the dynamic provider does not learn them, and a state of an earlier release does not have them.
    const urls = pulumi.all([this.id, this.ports]).apply(([id, ports]) => urlsOf(id, ports));
    Object.assign(this, { urls, tcpAddresses: this.runtime.apply(tcpAddressesOf) });
  }

  /**
   * The estimated cost by the catalog's list prices, with the pod's disks. Before the pod has a place, the estimate
   * ranges from the cheapest to the most expensive of `placements`. A preview has an estimate when it knows the
   * arguments. A network volume has an estimate of its own and is not counted here. The catalog is asked only when the
   * program reads this property.
   *
   * @example
   * ```ts
   * export const mostAMonth = pod.estimatedCost.monthly.apply((usd) => usd?.atMost);
   * ```
   */
  get estimatedCost(): pulumi.Output<CostEstimate> {
    return estimatedCost("Pod", this);
  }

  /** Reads an existing pod by its id. Its `env` is then a secret. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Pod {
    return new Pod(name, undefined as never, { ...opts, id });
  }
}
