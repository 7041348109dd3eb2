import { ofOutputs, plain } from "./function";

/** The length of a bucket: a bill is divided into buckets of time. */
export type BillingBucketSize = "hour" | "day" | "week" | "month" | "year";

/** The period that a bill covers. Default: the last 30 days. (API: Billing) */
export interface BillingArgs {
  /** Start of the period (RFC 3339). Moved back to the start of its bucket. */
  startTime?: string;
  /** End of the period (RFC 3339), exclusive. Moved on to the end of its bucket. Default: now. */
  endTime?: string;
  /** Default `day`. */
  bucketSize?: BillingBucketSize;
  /** Number of the last buckets, including the present one. Use it instead of `startTime` and `endTime`. */
  lastN?: number;
}

/** A period (RFC 3339). Its end is exclusive. */
export interface BillingRange {
  startTime: string;
  endTime: string;
}

/** What was spent. `Amounts` is in USD. `By` has the id of the object, in bills that have records for each object. */
export interface BillingReport<Amounts, By = unknown> {
  /** One record per bucket and object. There is none where nothing was spent. */
  records: (BillingRange & Amounts & By)[];
  /** The query, the number of records, and their sum. */
  metadata: {
    query: BillingRange & { bucketSize: BillingBucketSize };
    recordCount: number;
    totals: Amounts;
  };
}

/** USD for each thing that it was spent on. */
export interface BillingAmounts {
  totalAmount: number;
  podGpuAmount: number;
  podCpuAmount: number;
  podDiskAmount: number;
  serverlessGpuAmount: number;
  serverlessCpuAmount: number;
  serverlessDiskAmount: number;
  serverlessFeeAmount: number;
  storageStandardAmount: number;
  storageHighPerformanceAmount: number;
  /** Public endpoints. */
  endpointAmount: number;
  clusterGpuAmount: number;
  clusterDiskAmount: number;
  clusterNetworkingAmount: number;
}

/** USD of a pod. */
export interface PodBillingAmounts {
  totalAmount: number;
  gpuAmount: number;
  cpuAmount: number;
  diskAmount: number;
}

/** USD of a serverless endpoint. */
export interface ServerlessBillingAmounts extends PodBillingAmounts {
  feeAmount: number;
}

/** USD of public endpoints. */
export interface PublicEndpointBillingAmounts {
  totalAmount: number;
}

/** USD of a network volume. */
export interface NetworkVolumeBillingAmounts {
  totalAmount: number;
  standardAmount: number;
  highPerformanceAmount: number;
}

/** USD of a cluster. */
export interface ClusterBillingAmounts {
  totalAmount: number;
  gpuAmount: number;
  diskAmount: number;
  networkingAmount: number;
}

/** Bills grow, so every call asks the service. */
function bill<Args, Report>(name: string, path: string) {
  return plain<Args, Report>(name, ({ api, query }, args) =>
    api.rest.get<Report>(`/billing${path}${query(args as object)}`),
  );
}

/**
 * Everything that the account has spent, by bucket.
 *
 * @example
 * ```ts
 * const { metadata } = await podlumi.getBilling({ lastN: 7 });
 * console.log(`USD of a week: ${metadata.totals.totalAmount}`);
 * ```
 */
export const getBilling = bill<BillingArgs, BillingReport<BillingAmounts>>("getBilling", "");

/**
 * Like {@link getBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const spent = podlumi.getBillingOutput({ bucketSize: "month", lastN: 1 }).metadata.totals.totalAmount;
 * ```
 */
export const getBillingOutput = ofOutputs(getBilling);

/**
 * What pods have cost, with one record per pod and bucket. `podId` limits it to one pod.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getPodBilling({ bucketSize: "hour", lastN: 24 });
 * ```
 */
export const getPodBilling = bill<
  BillingArgs & { podId?: string },
  BillingReport<PodBillingAmounts, { podId: string }>
>("getPodBilling", "/pods");

/**
 * Like {@link getPodBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getPodBillingOutput({ podId: pod.id }).metadata.totals.totalAmount;
 * ```
 */
export const getPodBillingOutput = ofOutputs(getPodBilling);

/**
 * What the serverless endpoints of the account have cost, with one record per endpoint and bucket. `serverlessId`
 * limits it to one endpoint. REST v1 called this the billing of endpoints. In REST v2, that name is used for public
 * endpoints: {@link getPublicEndpointBilling}.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getServerlessBilling({ startTime: "2026-10-01T00:00:00Z" });
 * ```
 */
export const getServerlessBilling = bill<
  BillingArgs & { serverlessId?: string },
  BillingReport<ServerlessBillingAmounts, { serverlessId: string }>
>("getServerlessBilling", "/serverless");

/**
 * Like {@link getServerlessBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getServerlessBillingOutput({ serverlessId: endpoint.id }).metadata.totals;
 * ```
 */
export const getServerlessBillingOutput = ofOutputs(getServerlessBilling);

/**
 * What the use of RunPod's public endpoints has cost, by bucket. The account's own endpoints are not counted.
 *
 * @example
 * ```ts
 * const { metadata } = await podlumi.getPublicEndpointBilling({ bucketSize: "month" });
 * ```
 */
export const getPublicEndpointBilling = bill<BillingArgs, BillingReport<PublicEndpointBillingAmounts>>(
  "getPublicEndpointBilling",
  "/endpoints",
);

/**
 * Like {@link getPublicEndpointBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const spent = podlumi.getPublicEndpointBillingOutput().metadata.totals.totalAmount;
 * ```
 */
export const getPublicEndpointBillingOutput = ofOutputs(getPublicEndpointBilling);

/**
 * What network volumes have cost, with one record per volume and bucket. `networkVolumeId` limits it to one volume.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getNetworkVolumeBilling({ bucketSize: "week", lastN: 4 });
 * ```
 */
export const getNetworkVolumeBilling = bill<
  BillingArgs & { networkVolumeId?: string },
  BillingReport<NetworkVolumeBillingAmounts, { networkVolumeId: string }>
>("getNetworkVolumeBilling", "/network-volumes");

/**
 * Like {@link getNetworkVolumeBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getNetworkVolumeBillingOutput({ networkVolumeId: data.id }).metadata.totals;
 * ```
 */
export const getNetworkVolumeBillingOutput = ofOutputs(getNetworkVolumeBilling);

/**
 * What clusters have cost, with one record per cluster and bucket. `clusterId` limits it to one cluster.
 *
 * @example
 * ```ts
 * const { records } = await podlumi.getClusterBilling({ lastN: 30 });
 * ```
 */
export const getClusterBilling = bill<
  BillingArgs & { clusterId?: string },
  BillingReport<ClusterBillingAmounts, { clusterId: string }>
>("getClusterBilling", "/clusters");

/**
 * Like {@link getClusterBilling}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getClusterBillingOutput({ clusterId }).metadata.totals.totalAmount;
 * ```
 */
export const getClusterBillingOutput = ofOutputs(getClusterBilling);
