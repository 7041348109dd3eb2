import { createRegistry, updateRegistry } from "../requests";
import { route } from "../route";

export const registryRoutes = [
  route({
    method: "GET",
    path: "/registries",
    operationId: "listRegistries",
    summary: "List registry credentials",
    handle: ({ service }) => ({ registries: service.registries.list() }),
  }),
  route({
    method: "POST",
    path: "/registries",
    operationId: "createRegistry",
    summary: "Store registry credentials",
    body: createRegistry,
    status: 201,
    handle: ({ service, body }) => service.registries.create(body),
  }),
  route({
    method: "GET",
    path: "/registries/{id}",
    operationId: "getRegistry",
    summary: "Read the name of registry credentials",
    handle: ({ service, params }) => service.registries.get(params.id),
  }),
  route({
    method: "DELETE",
    path: "/registries/{id}",
    operationId: "deleteRegistry",
    summary: "Delete registry credentials that no pod uses",
    handle: ({ service, params }) => service.registries.delete(params.id),
  }),
];

/** Only newer versions of the service have it. Its page says neither path nor body. */
export const registryUpdateRoutes = [
  route({
    // assumes: status, field, value PATCH /registries/{id}
    method: "PATCH",
    path: "/registries/{id}",
    operationId: "updateRegistry",
    summary: "Change user name or password of registry credentials",
    body: updateRegistry,
    handle: ({ service, params, body }) => service.registries.update(params.id, body),
  }),
];
