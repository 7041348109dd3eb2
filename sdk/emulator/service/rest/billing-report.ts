import type { Amounts, Bucket } from "../state/billing";
import { timestamp } from "../state/ids";
import type { Service } from "../state/service";
import type { BillingQuery } from "./queries";

/** How to report the spend on one kind of object. */
interface Spend {
  /** Names of the id in records and filter, and of the count. Absent where records are not per object. */
  names?: { id: string; count: string };
  components: string[];
  read(service: Service, bucket: Bucket): { id: string; amounts: Amounts }[];
}

export const spendOf = {
  pods: {
    names: { id: "podId", count: "uniquePodCount" },
    components: ["gpuAmount", "cpuAmount", "diskAmount"],
    read: ({ pods, billing }, bucket) =>
      pods
        .history()
        .filter(({ cluster }) => !cluster)
        .map((pod) => ({ id: pod.id, amounts: billing.pod(pod, bucket) })),
  },
  serverless: {
    names: { id: "serverlessId", count: "uniqueServerlessCount" },
    components: ["gpuAmount", "cpuAmount", "diskAmount", "feeAmount"],
    read: ({ endpoints, billing }, bucket) =>
      endpoints
        .history()
        .map((endpoint) => ({ id: endpoint.id, amounts: billing.serverless(endpoint, bucket) })),
  },
  volumes: {
    names: { id: "networkVolumeId", count: "uniqueNetworkVolumeCount" },
    components: ["standardAmount", "highPerformanceAmount"],
    read: ({ volumes, billing }, bucket) =>
      volumes.history().map((volume) => ({ id: volume.id, amounts: billing.volume(volume, bucket) })),
  },
  clusters: {
    names: { id: "clusterId", count: "uniqueClusterCount" },
    components: ["gpuAmount", "diskAmount", "networkingAmount"],
    read: ({ clusters, billing }, bucket) =>
      [...clusters.history()].map(([id, pods]) => ({ id, amounts: billing.cluster(pods, bucket) })),
  },
  // The emulator has no public endpoints, so they cost nothing.
  publicEndpoints: { components: [], read: () => [] },
} satisfies Record<string, Spend>;

/** The names that the report on all kinds gives to the components of each kind. */
const PREFIXED = {
  pods: { gpuAmount: "podGpuAmount", cpuAmount: "podCpuAmount", diskAmount: "podDiskAmount" },
  serverless: {
    gpuAmount: "serverlessGpuAmount",
    cpuAmount: "serverlessCpuAmount",
    diskAmount: "serverlessDiskAmount",
    feeAmount: "serverlessFeeAmount",
  },
  volumes: { standardAmount: "storageStandardAmount", highPerformanceAmount: "storageHighPerformanceAmount" },
  clusters: {
    gpuAmount: "clusterGpuAmount",
    diskAmount: "clusterDiskAmount",
    networkingAmount: "clusterNetworkingAmount",
  },
  publicEndpoints: { totalAmount: "endpointAmount" },
};

type Kind = keyof typeof PREFIXED;

export const allSpend: Spend = {
  components: Object.values(PREFIXED).flatMap((names) => Object.values(names)),
  read: (service, bucket) => {
    const kinds = Object.entries(PREFIXED) as [Kind, Record<string, string>][];
    const entries = kinds.flatMap(([kind, names]) =>
      spendOf[kind].read(service, bucket).map(({ amounts }) => rename(amounts, names)),
    );
    return [{ id: "", amounts: sum(allSpend.components, entries) }];
  },
};

/** One record for each object and bucket in which it cost something, with the totals (API: Billing). */
export function report(service: Service, spend: Spend, query: BillingQuery, id?: string): object {
  const { names, components } = spend;
  const { from, to, bucketSize, buckets } = service.billing.window(query);
  const entries = buckets.flatMap((bucket) =>
    spend
      .read(service, bucket)
      .filter((entry) => id === undefined || entry.id === id)
      .filter(({ amounts }) => amounts.totalAmount > 0)
      .map((entry) => ({ ...entry, bucket })),
  );
  return {
    records: entries.map(({ id, amounts, bucket }) => ({
      ...rangeOf(bucket),
      ...(names && { [names.id]: id }),
      ...amounts,
    })),
    metadata: {
      query: { ...rangeOf({ from, to }), bucketSize, ...(names && { [names.id]: id ?? null }) },
      recordCount: entries.length,
      ...(names && { [names.count]: new Set(entries.map(({ id }) => id)).size }),
      totals: sum(
        components,
        entries.map(({ amounts }) => amounts),
      ),
    },
  };
}

const rangeOf = ({ from, to }: Bucket) => ({ startTime: timestamp(from), endTime: timestamp(to) });

const rename = (amounts: Amounts, names: Record<string, string>): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [names[key] ?? key, amount])) as Amounts;

function sum(components: string[], entries: Amounts[]): Amounts {
  const keys = ["totalAmount", ...components];
  return Object.fromEntries(
    keys.map((key) => [key, entries.reduce((total, amounts) => total + (amounts[key] ?? 0), 0)]),
  ) as Amounts;
}
