import type { Shape } from "../../schema/shape";
import type { NetworkVolumeArgs, NetworkVolumeState } from "./types";

/** The outputs and the other arguments of the class. */
export const networkVolumeShape: Shape<NetworkVolumeState, NetworkVolumeArgs> = {
  outputs: {
    name: undefined,
    size: undefined,
    dataCenter: undefined,
    type: undefined,
    s3Endpoint: undefined,
  },
  otherInputs: { deleteTimeout: undefined },
};
