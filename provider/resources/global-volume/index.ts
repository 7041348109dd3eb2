import * as z from "zod";
import type { Api } from "../../client/api";
import { isNotFound } from "../../client/errors";
import { define, type ServiceObject } from "../../core/definition";
import { update } from "../../core/field";
import { deleteTimeout, deleteWhenFree } from "../delete-when-free";
import { usersOfGlobalVolume } from "../users";
import type { GlobalVolumeArgs } from "./types";

/** The service trims names, so that one with outer white space would read back as another one. */
const name = z
  .string()
  .min(1)
  .max(191)
  .refine(
    (text) => text.trim() === text,
    "must not begin or end with white space, which the service removes",
  );

/** (API: Global volumes) */
export const globalVolume = define<GlobalVolumeArgs>({
  noun: "global volume",
  bills: true,
  fields: { name: update(name), deleteTimeout },
  dataHeld: () => "the data on it",
  create: (api, body) => api.globalVolumes.create(body),
  list: listed,
  read: (api, id, _state, age) => api.globalVolumes.find(id, age),
  stable: ["createdAt", "createdByUserId"],
  update: (api, id, patch) => api.globalVolumes.update(id, patch),
  delete: (api, id, state) =>
    deleteWhenFree(api, api.globalVolumes, id, state, () => usersOfGlobalVolume(api, id)),
});

/** A service that does not have the kind has no object of it. A read never takes that for an answer. */
async function listed(api: Api, age?: number): Promise<ServiceObject[]> {
  return api.globalVolumes.list(age).catch((error) => {
    if (isNotFound(error)) return [];
    throw error;
  });
}
