import { plain, type Shape } from "../../schema/shape";
import type { GlobalVolumeArgs, GlobalVolumeState } from "./types";

export const globalVolumeShape: Shape<GlobalVolumeState, GlobalVolumeArgs> = {
  outputs: plain("name", "createdAt", "createdByUserId"),
  otherInputs: { deleteTimeout: undefined },
};
