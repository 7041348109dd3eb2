import type * as pulumi from "@pulumi/pulumi";
import { networkVolumeShape, s3EndpointOf } from "../provider/resources/network-volume/outputs";
import type { NetworkVolumeArgs, NetworkVolumeState } from "../provider/resources/network-volume/types";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import { Resource } from "./resource";

export type * from "../provider/resources/network-volume/types";

/**
 * Storage in one data center. It outlives the pods and endpoints that mount it.
 *
 * @example
 * ```ts
 * const data = new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
 * ```
 *
 * @example
 * Its files without a pod, by any client of S3:
 * ```ts
 * const options = pulumi.interpolate`--region ${data.dataCenter} --endpoint-url ${data.s3Endpoint}`;
 * export const upload = pulumi.interpolate`aws s3 cp ./dataset s3://${data.id}/dataset --recursive ${options}`;
 * ```
 */
export class NetworkVolume extends Resource<NetworkVolumeState> {
  constructor(name: string, args: NetworkVolumeArgs, opts?: pulumi.CustomResourceOptions) {
    super("NetworkVolume", networkVolumeShape, name, args, opts);
    // A preview of the dynamic provider does not learn it, and a state of an earlier release does not have it.
    Object.assign(this, { s3Endpoint: this.dataCenter.apply(s3EndpointOf) });
  }

  /**
   * The estimated cost by the published prices of its tier. While the tier is not known, the estimate ranges over both
   * tiers. Sends no request to the service.
   *
   * @example
   * ```ts
   * export const aMonth = data.estimatedCost.monthly.apply((usd) => usd?.atMost);
   * ```
   */
  get estimatedCost(): pulumi.Output<CostEstimate> {
    return estimatedCost("NetworkVolume", this);
  }

  /** Reads an existing network volume by its id. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NetworkVolume {
    return new NetworkVolume(name, undefined as never, { ...opts, id });
  }
}
