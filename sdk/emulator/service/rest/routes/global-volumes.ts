import { createGlobalVolume, updateGlobalVolume } from "../requests";
import { route } from "../route";

/** A beta of newer versions. The documentation shows no read of a single one, so there is none here. */
export const globalVolumeRoutes = [
  route({
    method: "GET",
    path: "/global-volumes",
    operationId: "listGlobalVolumes",
    summary: "List global volumes",
    paged: "oldest first",
    handle: ({ service }) => ({ globalVolumes: service.globalVolumes.list() }),
  }),
  route({
    method: "POST",
    path: "/global-volumes",
    operationId: "createGlobalVolume",
    summary: "Create a global volume",
    body: createGlobalVolume,
    status: 201,
    handle: ({ service, body }) => service.globalVolumes.create(body),
  }),
  route({
    method: "PATCH",
    path: "/global-volumes/{id}",
    operationId: "updateGlobalVolume",
    summary: "Rename a global volume",
    body: updateGlobalVolume,
    handle: ({ service, params, body }) => service.globalVolumes.update(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/global-volumes/{id}",
    operationId: "deleteGlobalVolume",
    summary: "Delete a global volume",
    handle: ({ service, params }) => service.globalVolumes.delete(params.id),
  }),
];
