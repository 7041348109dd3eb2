import type { Shape } from "../../core/shape";
import type { NetworkVolumeState } from "./types";

/** What the class of this kind tells about its outputs. */
export const networkVolumeShape: Shape<NetworkVolumeState> = {
  outputs: { name: undefined, size: undefined, dataCenter: undefined, type: undefined },
};
