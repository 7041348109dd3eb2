import { z } from "zod";
import type { NetworkVolumeArgs } from "../../sdk/network-volume";
import { path } from "../client/rest";
import { define, type Made } from "../core/definition";
import { change, replace, update } from "../core/field";
import { dataCenterId, name } from "./container";
import { deleteTimeout, deleteWhenFree } from "./delete-when-free";
import { usersOfVolume } from "./users";

/** (API: Network volumes) */
export const networkVolume = define<NetworkVolumeArgs>({
  noun: "network volume",
  fields: {
    name: update(name),
    size: change(z.int().min(10).max(4096), (from, to) => (Number(to) < Number(from) ? "replace" : "update")),
    dataCenter: replace(dataCenterId),
    type: replace(z.enum(["STANDARD", "HIGH_PERFORMANCE"]).optional()),
    deleteTimeout,
  },
  create: (api, body) => api.rest.post<Made>("/network-volumes", body),
  list: (api) => api.rest.list("/network-volumes", "networkVolumes"),
  read: (api, id) => api.rest.find(path`/network-volumes/${id}`),
  update: (api, id, patch) => api.rest.patch(path`/network-volumes/${id}`, patch),
  delete: (api, id, state) =>
    deleteWhenFree(api, path`/network-volumes/${id}`, state, () => usersOfVolume(api, id)),
});
