import { createCluster, updateCluster } from "../requests";
import { route } from "../route";

export const clusterRoutes = [
  route({
    method: "GET",
    path: "/clusters",
    operationId: "listClusters",
    summary: "List clusters",
    handle: ({ service }) => ({ clusters: service.clusters.list() }),
  }),
  route({
    method: "POST",
    path: "/clusters",
    operationId: "createCluster",
    summary: "Create a cluster",
    body: createCluster,
    status: 201,
    handle: ({ service, body }) => service.clusters.create(body),
  }),
  route({
    method: "GET",
    path: "/clusters/{id}",
    operationId: "getCluster",
    summary: "Read a cluster",
    handle: ({ service, params }) => service.clusters.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/clusters/{id}",
    operationId: "updateCluster",
    summary: "Rename a cluster",
    body: updateCluster,
    handle: ({ service, params, body }) => service.clusters.update(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/clusters/{id}",
    operationId: "deleteCluster",
    summary: "Delete a cluster and its pods",
    handle: ({ service, params }) => service.clusters.delete(params.id),
  }),
  route({
    method: "GET",
    path: "/clusters/{id}/pods",
    operationId: "listClusterPods",
    summary: "List the pods of a cluster",
    handle: ({ service, params }) => ({ pods: service.clusters.pods(params.id) }),
  }),
];
