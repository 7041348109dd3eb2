import { reading, readingOutput } from "./function";

export type * from "../../provider/functions/billing/types";

/**
 * Everything that the account has spent, by bucket.
 *
 * @example
 * ```ts
 * const { metadata } = await podlumi.getBilling({ lastN: 7 });
 * console.log(`USD of a week: ${metadata.totals.totalAmount}`);
 * ```
 */
export const getBilling = reading("getBilling");

/**
 * Like {@link getBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const spent = podlumi.getBillingOutput({ bucketSize: "month", lastN: 1 }).metadata.totals.totalAmount;
 * ```
 */
export const getBillingOutput = readingOutput("getBilling");

/**
 * The costs of pods, with one record per pod and bucket. `podId` limits it to one pod.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getPodBilling({ bucketSize: "hour", lastN: 24 });
 * ```
 */
export const getPodBilling = reading("getPodBilling");

/**
 * Like {@link getPodBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getPodBillingOutput({ podId: pod.id }).metadata.totals.totalAmount;
 * ```
 */
export const getPodBillingOutput = readingOutput("getPodBilling");

/**
 * The costs of the serverless endpoints of the account, with one record per endpoint and bucket. `serverlessId`
 * limits it to one endpoint. REST v1 called this the billing of endpoints. In REST v2, that name is used for public
 * endpoints: {@link getPublicEndpointBilling}.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getServerlessBilling({ startTime: "2026-10-01T00:00:00Z" });
 * ```
 */
export const getServerlessBilling = reading("getServerlessBilling");

/**
 * Like {@link getServerlessBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getServerlessBillingOutput({ serverlessId: endpoint.id }).metadata.totals;
 * ```
 */
export const getServerlessBillingOutput = readingOutput("getServerlessBilling");

/**
 * The costs of using RunPod's public endpoints, by bucket. The account's own endpoints are not counted.
 *
 * @example
 * ```ts
 * const { metadata } = await podlumi.getPublicEndpointBilling({ bucketSize: "month" });
 * ```
 */
export const getPublicEndpointBilling = reading("getPublicEndpointBilling");

/**
 * Like {@link getPublicEndpointBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const spent = podlumi.getPublicEndpointBillingOutput().metadata.totals.totalAmount;
 * ```
 */
export const getPublicEndpointBillingOutput = readingOutput("getPublicEndpointBilling");

/**
 * The costs of network volumes, with one record per volume and bucket. `networkVolumeId` limits it to one volume.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getNetworkVolumeBilling({ bucketSize: "week", lastN: 4 });
 * ```
 */
export const getNetworkVolumeBilling = reading("getNetworkVolumeBilling");

/**
 * Like {@link getNetworkVolumeBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getNetworkVolumeBillingOutput({ networkVolumeId: data.id }).metadata.totals;
 * ```
 */
export const getNetworkVolumeBillingOutput = readingOutput("getNetworkVolumeBilling");

/**
 * The costs of clusters, with one record per cluster and bucket. `clusterId` limits it to one cluster.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getClusterBilling({ lastN: 30 });
 * ```
 */
export const getClusterBilling = reading("getClusterBilling");

/**
 * Like {@link getClusterBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getClusterBillingOutput({ clusterId }).metadata.totals.totalAmount;
 * ```
 */
export const getClusterBillingOutput = readingOutput("getClusterBilling");
