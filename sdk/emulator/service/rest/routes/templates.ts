import { createTemplate, updateTemplate } from "../requests";
import { route } from "../route";

export const templateRoutes = [
  route({
    method: "GET",
    path: "/templates",
    operationId: "listTemplates",
    summary: "List own templates",
    paged: "oldest first",
    handle: ({ service }) => ({ templates: service.templates.list() }),
  }),
  route({
    method: "POST",
    path: "/templates",
    operationId: "createTemplate",
    summary: "Create a template",
    body: createTemplate,
    status: 201,
    handle: ({ service, body }) => service.templates.create(body),
  }),
  route({
    method: "GET",
    path: "/templates/{id}",
    operationId: "getTemplate",
    summary: "Read an own or a public template",
    handle: ({ service, params }) => service.templates.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/templates/{id}",
    operationId: "updateTemplate",
    summary: "Update a template in place",
    body: updateTemplate,
    // A PATCH cannot remove the mount: `mounts: {}` leaves it unchanged.
    handle: ({ service, params, body: { mounts, ...changes } }) =>
      service.templates.update(params.id, mounts?.persistent ? { ...changes, mounts } : changes),
  }),
  route({
    method: "DELETE",
    path: "/templates/{id}",
    operationId: "deleteTemplate",
    summary: "Delete a template that nothing uses",
    handle: ({ service, params }) => service.templates.delete(params.id),
  }),
];
