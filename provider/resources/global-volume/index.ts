import * as z from "zod";
import type { Definition } from "../../core/kind";
import { update } from "../../schema/field";
import { isTrimmed } from "../container";
import { deleteTimeout, deleteWhenFree } from "../delete-when-free";
import { inCollection } from "../in-collection";
import { usersOfGlobalVolume } from "../users";
import { globalVolumeShape } from "./outputs";
import type { GlobalVolumeArgs } from "./types";

const name = z
  .string()
  .min(1)
  .max(191)
  .refine(...isTrimmed);

/** (API: Global volumes) */
export const globalVolume: Definition<GlobalVolumeArgs> = {
  type: "GlobalVolume",
  noun: "global volume",
  mayBeMissing: true,
  fields: { name: update(name), deleteTimeout },
  data: { held: () => "the data on it" },
  ...inCollection((api) => api.globalVolumes),
  outputs: { shape: globalVolumeShape, stable: () => ["createdAt", "createdByUserId"] },
  delete: deleteWhenFree((api) => api.globalVolumes, usersOfGlobalVolume),
};
