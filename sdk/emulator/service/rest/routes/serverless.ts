import { createEndpoint, updateEndpoint } from "../endpoint-requests";
import { logQuery } from "../queries";
import { route } from "../route";
import { logEvents } from "../sse";

export const serverlessRoutes = [
  route({
    method: "GET",
    path: "/serverless",
    operationId: "listEndpoints",
    summary: "List endpoints",
    paged: "oldest first",
    handle: ({ service }) => ({ endpoints: service.endpoints.list() }),
  }),
  route({
    method: "POST",
    path: "/serverless",
    operationId: "createEndpoint",
    summary: "Create an endpoint",
    body: createEndpoint,
    status: 201,
    handle: ({ service, body }) => service.endpoints.create(body),
  }),
  route({
    method: "GET",
    path: "/serverless/{id}",
    operationId: "getEndpoint",
    summary: "Read an endpoint",
    handle: ({ service, params }) => service.endpoints.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/serverless/{id}",
    operationId: "updateEndpoint",
    summary: "Update an endpoint in place",
    body: updateEndpoint,
    handle: ({ service, params, body }) => service.endpoints.update(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/serverless/{id}",
    operationId: "deleteEndpoint",
    summary: "Delete an endpoint with its jobs",
    handle: ({ service, params }) => service.endpoints.delete(params.id),
  }),
  route({
    method: "GET",
    path: "/serverless/{id}/workers",
    operationId: "listEndpointWorkers",
    summary: "List the active workers of an endpoint",
    handle: ({ service, params }) => service.endpoints.workers(params.id),
  }),
  route({
    method: "GET",
    path: "/serverless/{id}/releases",
    operationId: "listEndpointReleases",
    summary: "List the releases of an endpoint, newest first",
    paged: "newest first",
    handle: ({ service, params }) => service.endpoints.releases(params.id),
  }),
  route({
    method: "GET",
    path: "/serverless/{id}/builds",
    operationId: "listEndpointBuilds",
    summary: "List the builds of an endpoint, newest first",
    paged: "newest first",
    handle: ({ service, params }) => ({ builds: service.builds.list(params.id) }),
  }),
  route({
    method: "GET",
    path: "/serverless/{id}/builds/{buildId}",
    operationId: "getEndpointBuild",
    summary: "Read a build of an endpoint",
    handle: ({ service, params }) => service.builds.get(params.id, params.buildId),
  }),
  route({
    method: "GET",
    path: "/serverless/{id}/workers/{workerId}/logs",
    operationId: "getWorkerLogs",
    summary: "Follow the logs of a worker",
    query: logQuery,
    handle: (call) => logEvents(call, () => call.service.logs.ofWorker(call.params.id, call.params.workerId)),
  }),
];
