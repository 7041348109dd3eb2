import { z } from "zod";
import { allSpend, report, spendOf } from "../billing-report";
import { billingQuery } from "../queries";
import { route } from "../route";

const id = z.string().optional();

export const billingRoutes = [
  route({
    method: "GET",
    path: "/billing",
    operationId: "listBilling",
    summary: "Spend on everything, by bucket",
    query: billingQuery,
    handle: ({ service, query }) => report(service, allSpend, query),
  }),
  route({
    method: "GET",
    path: "/billing/pods",
    operationId: "listPodBilling",
    summary: "Spend on pods, by pod and bucket",
    query: billingQuery.extend({ podId: id }),
    handle: ({ service, query }) => report(service, spendOf.pods, query, query.podId),
  }),
  route({
    method: "GET",
    path: "/billing/serverless",
    operationId: "listServerlessBilling",
    summary: "Spend on Serverless endpoints, by endpoint and bucket",
    query: billingQuery.extend({ serverlessId: id }),
    handle: ({ service, query }) => report(service, spendOf.serverless, query, query.serverlessId),
  }),
  route({
    method: "GET",
    path: "/billing/endpoints",
    operationId: "listEndpointBilling",
    summary: "Spend on public endpoints, by bucket",
    query: billingQuery,
    handle: ({ service, query }) => report(service, spendOf.publicEndpoints, query),
  }),
  route({
    method: "GET",
    path: "/billing/network-volumes",
    operationId: "listNetworkVolumeBilling",
    summary: "Spend on network volumes, by volume and bucket",
    query: billingQuery.extend({ networkVolumeId: id }),
    handle: ({ service, query }) => report(service, spendOf.volumes, query, query.networkVolumeId),
  }),
  route({
    method: "GET",
    path: "/billing/clusters",
    operationId: "listClusterBilling",
    summary: "Spend on clusters, by cluster and bucket",
    query: billingQuery.extend({ clusterId: id }),
    handle: ({ service, query }) => report(service, spendOf.clusters, query, query.clusterId),
  }),
];
