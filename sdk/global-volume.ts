import type * as pulumi from "@pulumi/pulumi";
import { globalVolumeShape } from "../provider/resources/global-volume/outputs";
import type { GlobalVolumeArgs, GlobalVolumeState } from "../provider/resources/global-volume/types";
import { Resource } from "./resource";

export type * from "../provider/resources/global-volume/types";

/**
 * Storage that is not tied to a data center and grows by itself. A {@link ServerlessEndpoint} with GPUs mounts one by
 * `globalVolumes`; pods mount one in the console only. Storage and requests are billed by use, so there is no estimate.
 * When the account's balance is 0 for 15 days, the service deletes its global volumes for good.
 *
 * Global volumes are a beta of the service, and its reference does not list their paths. podlumi assumes
 * `/v2/global-volumes` and `/v2/global-volumes/{id}`, and reads a volume from the list. If the service has other paths,
 * it answers 404, and podlumi creates nothing.
 *
 * @example
 * ```ts
 * const models = new podlumi.GlobalVolume("models", {});
 * ```
 */
export class GlobalVolume extends Resource<GlobalVolumeState> {
  constructor(name: string, args: GlobalVolumeArgs, opts?: pulumi.CustomResourceOptions) {
    super("GlobalVolume", globalVolumeShape, name, args, opts);
  }

  /** Reads an existing global volume by its id. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): GlobalVolume {
    return new GlobalVolume(name, undefined as never, { ...opts, id });
  }
}
