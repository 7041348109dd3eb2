import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";

/** Storage tier of a network volume. */
export type VolumeType = "STANDARD" | "HIGH_PERFORMANCE";

/** Arguments of a {@link NetworkVolume}. (API: Network volumes, create and update) */
export interface NetworkVolumeArgs extends AdoptArgs {
  /** Name; need not be unique. Default: made up from the logical name and digits, and kept for life. Changed in place. */
  name?: pulumi.Input<string>;
  /** Size in GB, 10 to 4096. Grows in place; a smaller size **replaces** the volume, and the data is lost. */
  size: pulumi.Input<number>;
  /** Data center id, e.g. `EU-RO-1`. A change replaces the volume. */
  dataCenter: pulumi.Input<string>;
  /** Storage tier. Default: the data center's own. A change replaces the volume. */
  type?: pulumi.Input<VolumeType>;
  /** Seconds for which its deletion is tried again; the service refuses to delete the volume while a pod or a worker holds it. Default 180. */
  deleteTimeout?: pulumi.Input<number>;
}

/** Outputs of a {@link NetworkVolume}. */
export interface NetworkVolumeState {
  /** Not unique in the account. */
  name: string;
  /** Size in GB. */
  size: number;
  /** Id of the data center, where pods and workers that mount the volume have to be. */
  dataCenter: string;
  /** The storage tier, also where the data center chose it. */
  type: VolumeType;
}
