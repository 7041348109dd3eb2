import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";
import type { DataCenterId } from "../known/types";
import type { LabelArgs, LabelState } from "../labels/types";

/** Storage tier of a network volume. */
export type VolumeType = "STANDARD" | "HIGH_PERFORMANCE";

/** Arguments of a {@link NetworkVolume}. (API: Network volumes, create and update) */
export interface NetworkVolumeArgs extends LabelArgs, AdoptArgs {
  /** Name; need not be unique. Default: generated once from the logical name and digits. Changed in place. */
  name?: pulumi.Input<string | undefined>;
  /** Size in GB, 10 to 4096. Grows in place; a smaller size **replaces** the volume, and the data is lost. */
  size: pulumi.Input<number>;
  /** Data center id, e.g. `EU-RO-1`. A change replaces the volume. */
  dataCenter: pulumi.Input<DataCenterId>;
  /** Storage tier. Default: chosen by the data center. A change replaces the volume. */
  type?: pulumi.Input<VolumeType | undefined>;
  /** Seconds, 1 to 86400, to retry the deletion, which the service refuses while a pod or a worker holds the volume. Default 180. */
  deleteTimeout?: pulumi.Input<number | undefined>;
}

/** Outputs of a {@link NetworkVolume}. */
export interface NetworkVolumeState extends LabelState {
  /** Name; need not be unique. */
  name: string;
  /** Size in GB. */
  size: number;
  /** Id of the data center. Pods and workers that mount the volume must be there. */
  dataCenter: string;
  /** Storage tier, given by the program or chosen by the data center. */
  type: VolumeType;
  /**
   * The address for clients of S3, in the data centers that docs.runpod.io/storage/s3-api lists. The bucket is `id`,
   * the region `dataCenter`, and the key an S3 API key of the console.
   */
  s3Endpoint: string;
}
