import type { Shape } from "../../core/kind/shape";
import type { NetworkVolumeState } from "./types";

/** The outputs of the class. */
export const networkVolumeShape: Shape<NetworkVolumeState> = {
  outputs: { name: undefined, size: undefined, dataCenter: undefined, type: undefined },
};
