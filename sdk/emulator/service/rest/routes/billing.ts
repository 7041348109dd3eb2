import { z } from "zod";
import { allSpend, report, spendOf } from "../billing-report";
import { billingQuery } from "../queries";
import { route } from "../route";

type Spend = Parameters<typeof report>[1];

/** `idName` is the parameter that limits the report to one object. */
function billing(path: string, operationId: string, summary: string, spend: Spend, idName?: string) {
  const query =
    idName === undefined ? billingQuery : billingQuery.extend({ [idName]: z.string().optional() });
  return route({
    method: "GET",
    path: `/billing${path}`,
    operationId,
    summary,
    query,
    handle: ({ service, query }) =>
      report(service, spend, query, idName && (query as Record<string, string | undefined>)[idName]),
  });
}

export const billingRoutes = [
  billing("", "listBilling", "Spend on everything, by bucket", allSpend),
  billing("/pods", "listPodBilling", "Spend on pods, by pod and bucket", spendOf.pods, "podId"),
  billing(
    "/serverless",
    "listServerlessBilling",
    "Spend on Serverless endpoints, by endpoint and bucket",
    spendOf.serverless,
    "serverlessId",
  ),
  billing(
    "/endpoints",
    "listEndpointBilling",
    "Spend on public endpoints, by bucket",
    spendOf.publicEndpoints,
  ),
  billing(
    "/network-volumes",
    "listNetworkVolumeBilling",
    "Spend on network volumes, by volume and bucket",
    spendOf.volumes,
    "networkVolumeId",
  ),
  billing(
    "/clusters",
    "listClusterBilling",
    "Spend on clusters, by cluster and bucket",
    spendOf.clusters,
    "clusterId",
  ),
];
