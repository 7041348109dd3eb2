import type { Shape } from "../../core/kind/shape";
import type { GlobalVolumeState } from "./types";

/** The outputs of the class. */
export const globalVolumeShape: Shape<GlobalVolumeState> = {
  outputs: { name: undefined, createdAt: undefined, createdByUserId: undefined },
};
