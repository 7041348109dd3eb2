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

/**
 * What was spent. `Amounts` is in USD. `By` has the id of the object, and `Count` how many objects there are, in bills that
 * have records for each object.
 */
export interface BillingReport<Amounts, By = unknown, Count = unknown> {
  /** One record per bucket and object. There is none where nothing was spent. */
  records: (BillingRange & Amounts & By)[];
  /** The query with the id that limits it, the number of records, and their sum. */
  metadata: {
    query: BillingRange & { bucketSize: BillingBucketSize } & { [Id in keyof By]?: By[Id] | null };
    recordCount: number;
    totals: Amounts;
  } & Count;
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
