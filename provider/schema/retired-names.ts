const noSpot = "REST v2 has no spot pods: a pod is on demand, which costs more and is not interrupted";
const noCountries =
  "REST v2 knows no countries: list their data centers in dataCenterIds (API: catalog/datacenters)";
const noTimer =
  "REST v2 has no timer: expiresAfter is a time limit, and `npx podlumi sweep --expired` deletes what is over it";

const noConstraint = (what: string) =>
  `REST v2 cannot ask for ${what}: choose GPU types and data centers that have it`;

/** Names of REST v1, GraphQL and the vendor's tools for which REST v2 has none. (API: Migration from v1) */
export const retiredNames = {
  interruptible: noSpot,
  bidPerGpu: noSpot,
  machineId: "the scheduler chooses the machine: what the pod needs of it is in the arguments",
  supportPublicIp: 'REST v2 cannot ask for a public address: set cloud to "SECURE", which has it',
  countryCode: noCountries,
  countryCodes: noCountries,
  dataCenterPriority: "data centers have no order any more: for an order, give placements, one a data center",
  terminateAfter: noTimer,
  stopAfter: noTimer,
  minDiskBandwidthMBps: noConstraint("disk bandwidth"),
  minDownloadMbps: noConstraint("download speed"),
  minUploadMbps: noConstraint("upload speed"),
  volumeEncrypted: "REST v2 cannot ask for an encrypted volume: encrypt in the container what needs it",
} as const satisfies Readonly<Record<string, string>>;
