import { createVolume, updateVolume } from "../requests";
import { route } from "../route";

export const volumeRoutes = [
  route({
    method: "GET",
    path: "/network-volumes",
    operationId: "listNetworkVolumes",
    summary: "List network volumes",
    handle: ({ service }) => ({ networkVolumes: service.volumes.list() }),
  }),
  route({
    method: "POST",
    path: "/network-volumes",
    operationId: "createNetworkVolume",
    summary: "Create a network volume",
    body: createVolume,
    status: 201,
    handle: ({ service, body }) => service.volumes.create(body),
  }),
  route({
    method: "GET",
    path: "/network-volumes/{id}",
    operationId: "getNetworkVolume",
    summary: "Read a network volume",
    handle: ({ service, params }) => service.volumes.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/network-volumes/{id}",
    operationId: "updateNetworkVolume",
    summary: "Rename or grow a network volume",
    body: updateVolume,
    handle: ({ service, params, body }) => service.volumes.update(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/network-volumes/{id}",
    operationId: "deleteNetworkVolume",
    summary: "Delete a network volume that nothing holds",
    handle: ({ service, params }) => service.volumes.delete(params.id),
  }),
];
