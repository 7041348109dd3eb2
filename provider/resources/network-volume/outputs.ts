import { plain, type Shape } from "../../schema/shape";
import type { NetworkVolumeArgs, NetworkVolumeState } from "./types";

export const networkVolumeShape: Shape<NetworkVolumeState, NetworkVolumeArgs> = {
  outputs: plain("name", "size", "dataCenter", "type", "s3Endpoint", "tags", "costCenter"),
  otherInputs: { deleteTimeout: undefined },
};

/** The address of the S3-compatible API of a data center, which not every data center has. (API: Network volumes, S3-compatible API) */
export const s3EndpointOf = (dataCenter: unknown) =>
  `https://s3api-${String(dataCenter).toLowerCase()}.runpod.io`;
