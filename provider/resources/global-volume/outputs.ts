import type { Shape } from "../../schema/shape";
import type { GlobalVolumeArgs, GlobalVolumeState } from "./types";

export const globalVolumeShape: Shape<GlobalVolumeState, GlobalVolumeArgs> = {
  outputs: { name: undefined, createdAt: undefined, createdByUserId: undefined },
  otherInputs: { deleteTimeout: undefined },
};
