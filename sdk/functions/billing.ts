import { ofOutputs, plain } from "./function";

/** Length of the spans of time into which a bill is divided. */
export type BillingBucketSize = "hour" | "day" | "week" | "month" | "year";

/** Which span of time a bill covers. Default: the last 30 days. (API: Billing) */
export interface BillingArgs {
  /** Its begin (RFC 3339), moved back to the begin of its bucket. */
  startTime?: string;
  /** Its end (RFC 3339), exclusive, moved on to the end of its bucket. Default: now. */
  endTime?: string;
  /** Default `day`. */
  bucketSize?: BillingBucketSize;
  /** The last so many buckets, the present one included; instead of `startTime` and `endTime`. */
  lastN?: number;
}

/** A span of time (RFC 3339); its end is exclusive. */
export interface BillingRange {
  startTime: string;
  endTime: string;
}

/** What was spent. `Amounts` is in USD; `By` names the resource, where there is one record for each. */
export interface BillingReport<Amounts, By = unknown> {
  /** One record a bucket and resource; none where nothing was spent. */
  records: (BillingRange & Amounts & By)[];
  /** What was asked for, the number of records, and their sum. */
  metadata: {
    query: BillingRange & { bucketSize: BillingBucketSize };
    recordCount: number;
    totals: Amounts;
  };
}

/** USD by what it was spent on. */
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

/** Bills are asked for each time: they grow. */
function bill<Args, Report>(name: string, path: string) {
  return plain<Args, Report>(name, ({ api, query }, args) =>
    api.rest.get<Report>(`/billing${path}${query(args as object)}`),
  );
}

/**
 * What the account has spent, on everything, by bucket.
 *
 * @example
 * ```ts
 * const { metadata } = await podlumi.getBilling({ lastN: 7 });
 * console.log(`USD of a week: ${metadata.totals.totalAmount}`);
 * ```
 */
export const getBilling = bill<BillingArgs, BillingReport<BillingAmounts>>("getBilling", "");

/**
 * {@link getBilling} of outputs.
 *
 * @example
 * ```ts
 * export const spent = podlumi.getBillingOutput({ bucketSize: "month", lastN: 1 }).metadata.totals.totalAmount;
 * ```
 */
export const getBillingOutput = ofOutputs(getBilling);

/**
 * What pods have cost, one record a pod and bucket; of one pod where `podId` is given.
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
 * {@link getPodBilling} of outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getPodBillingOutput({ podId: pod.id }).metadata.totals.totalAmount;
 * ```
 */
export const getPodBillingOutput = ofOutputs(getPodBilling);

/**
 * What serverless endpoints of the account have cost, one record an endpoint and bucket; of one endpoint where
 * `serverlessId` is given. REST v1 called this the billing of endpoints, which now is {@link getPublicEndpointBilling}.
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
 * {@link getServerlessBilling} of outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getServerlessBillingOutput({ serverlessId: endpoint.id }).metadata.totals;
 * ```
 */
export const getServerlessBillingOutput = ofOutputs(getServerlessBilling);

/**
 * What the use of RunPod's public endpoints has cost, by bucket; not the endpoints of the account.
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
 * {@link getPublicEndpointBilling} of outputs.
 *
 * @example
 * ```ts
 * export const spent = podlumi.getPublicEndpointBillingOutput().metadata.totals.totalAmount;
 * ```
 */
export const getPublicEndpointBillingOutput = ofOutputs(getPublicEndpointBilling);

/**
 * What network volumes have cost, one record a volume and bucket; of one volume where `networkVolumeId` is given.
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
 * {@link getNetworkVolumeBilling} of outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getNetworkVolumeBillingOutput({ networkVolumeId: data.id }).metadata.totals;
 * ```
 */
export const getNetworkVolumeBillingOutput = ofOutputs(getNetworkVolumeBilling);

/**
 * What clusters have cost, one record a cluster and bucket; of one cluster where `clusterId` is given.
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
 * {@link getClusterBilling} of outputs.
 *
 * @example
 * ```ts
 * export const cost = podlumi.getClusterBillingOutput({ clusterId }).metadata.totals.totalAmount;
 * ```
 */
export const getClusterBillingOutput = ofOutputs(getClusterBilling);
