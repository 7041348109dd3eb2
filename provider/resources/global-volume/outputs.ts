import type { Shape } from "../../schema/shape";
import type { GlobalVolumeArgs, GlobalVolumeState } from "./types";

/** The outputs and the other arguments of the class. */
export const globalVolumeShape: Shape<GlobalVolumeState, GlobalVolumeArgs> = {
  outputs: { name: undefined, createdAt: undefined, createdByUserId: undefined },
  otherInputs: { deleteTimeout: undefined },
};
