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
  /** Its start (RFC 3339). */
  startTime: string;
  /** Its end (RFC 3339), exclusive. */
  endTime: string;
}

/** A bill. `Amounts` is in USD. In bills with records for each object, `By` has the id of the object, and `Count` their number. */
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

/** The cost of everything. */
export interface BillingAmounts {
  /** USD for everything. */
  totalAmount: number;
  /** USD for the GPUs of pods. */
  podGpuAmount: number;
  /** USD for CPU pods. */
  podCpuAmount: number;
  /** USD for the disks of pods. */
  podDiskAmount: number;
  /** USD for the GPUs of workers. */
  serverlessGpuAmount: number;
  /** USD for CPU workers. */
  serverlessCpuAmount: number;
  /** USD for the disks of workers. */
  serverlessDiskAmount: number;
  /** USD for the platform fee of endpoints. */
  serverlessFeeAmount: number;
  /** USD for network volumes of the tier `STANDARD`. */
  storageStandardAmount: number;
  /** USD for network volumes of the tier `HIGH_PERFORMANCE`. */
  storageHighPerformanceAmount: number;
  /** USD for public endpoints. */
  endpointAmount: number;
  /** USD for the GPUs of clusters. */
  clusterGpuAmount: number;
  /** USD for the disks of clusters. */
  clusterDiskAmount: number;
  /** USD for the networks of clusters. */
  clusterNetworkingAmount: number;
}

/** The cost of a pod. */
export interface PodBillingAmounts {
  /** USD for everything. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for CPUs. */
  cpuAmount: number;
  /** USD for disks. */
  diskAmount: number;
}

/** The cost of a serverless endpoint. */
export interface ServerlessBillingAmounts extends PodBillingAmounts {
  /** USD for the platform fee. */
  feeAmount: number;
}

/** The cost of public endpoints. */
export interface PublicEndpointBillingAmounts {
  /** USD for everything. */
  totalAmount: number;
}

/** The cost of a network volume. */
export interface NetworkVolumeBillingAmounts {
  /** USD for everything. */
  totalAmount: number;
  /** USD for the tier `STANDARD`. */
  standardAmount: number;
  /** USD for the tier `HIGH_PERFORMANCE`. */
  highPerformanceAmount: number;
}

/** The cost of a cluster. */
export interface ClusterBillingAmounts {
  /** USD for everything. */
  totalAmount: number;
  /** USD for GPUs. */
  gpuAmount: number;
  /** USD for disks. */
  diskAmount: number;
  /** USD for the network between its pods. */
  networkingAmount: number;
}
