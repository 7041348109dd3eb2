import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";

/** Arguments of a {@link GlobalVolume}. (API: Global volumes, create and update) */
export interface GlobalVolumeArgs extends AdoptArgs {
  /** Name, 1 to 191 characters; need not be unique. Default: generated once from the logical name and digits. Changed in place. */
  name?: pulumi.Input<string | undefined>;
  /** Seconds, 1 to 86400, to retry the deletion if the service refuses it while an endpoint has the volume. Default 180. */
  deleteTimeout?: pulumi.Input<number | undefined>;
}

/** Outputs of a {@link GlobalVolume}. */
export interface GlobalVolumeState {
  /** Name; need not be unique. */
  name: string;
  /** Time of creation (RFC 3339). */
  createdAt: string;
  /** Id of the user who created it; null when the service does not know one. */
  createdByUserId: string | null;
}
