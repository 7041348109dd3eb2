import { inCollection } from "../../client/collection";
import type { Definition } from "../../core/kind";
import { update } from "../../schema/field";
import { trimmed } from "../container";
import { deleteTimeout, deleteWhenFree, usesGlobalVolume } from "../in-use";
import { globalVolumeShape } from "./outputs";
import type { GlobalVolumeArgs } from "./types";

/** (API: Global volumes) */
export const globalVolume: Definition<GlobalVolumeArgs> = {
  type: "GlobalVolume",
  noun: "global volume",
  mayBeMissing: true,
  fields: { name: update(trimmed(191)), deleteTimeout },
  data: { held: () => "the data on it" },
  ...inCollection("globalVolumes"),
  outputs: { shape: globalVolumeShape, stable: () => ["createdByUserId"] },
  delete: deleteWhenFree((api, id) => api.globalVolumes.delete(id), usesGlobalVolume),
};
