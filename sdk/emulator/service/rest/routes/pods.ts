import { logQuery, podQuery } from "../queries";
import { createPod, podAction, updatePod } from "../requests";
import { route } from "../route";
import { logEvents } from "../sse";

export const podRoutes = [
  route({
    method: "GET",
    path: "/pods",
    operationId: "listPods",
    summary: "List pods",
    paged: "oldest first",
    query: podQuery,
    handle: ({ service, query }) => ({ pods: service.pods.list({ clusterPods: query.includeClusterPods }) }),
  }),
  route({
    method: "POST",
    path: "/pods",
    operationId: "createPod",
    summary: "Create a pod",
    body: createPod,
    status: 201,
    handle: ({ service, body }) => service.pods.create(body),
  }),
  route({
    method: "GET",
    path: "/pods/{id}",
    operationId: "getPod",
    summary: "Read a pod",
    handle: ({ service, params }) => service.pods.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/pods/{id}",
    operationId: "updatePod",
    summary: "Update a pod in place",
    body: updatePod,
    handle: ({ service, params, body }) => service.pods.update(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/pods/{id}",
    operationId: "deletePod",
    summary: "Terminate a pod",
    handle: ({ service, params }) => service.pods.delete(params.id),
  }),
  route({
    method: "POST",
    path: "/pods/{id}/action",
    operationId: "podAction",
    summary: "Start, stop, restart or terminate a pod",
    body: podAction,
    handle: ({ service, params, body }) => service.pods.act(params.id, body.action),
  }),
  route({
    method: "GET",
    path: "/pods/{id}/logs",
    operationId: "getPodLogs",
    summary: "Follow the logs of a pod",
    query: logQuery,
    handle: (call) => logEvents(call, () => call.service.logs.ofPod(call.params.id)),
  }),
];
