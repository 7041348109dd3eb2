import * as podlumi from "podlumi";
import { emulated, requestsOf } from "./emulated";

const account = emulated();

test("each bill is that of its kind, range and bucket", async () => {
  const { service } = account.emulator;
  const pod = service.pods.create({ name: "p", image: "i", gpu: { id: "NVIDIA L4", count: 1 }, disk: 10 });
  const other = service.pods.create({ name: "q", image: "i", gpu: { id: "NVIDIA A40", count: 1 }, disk: 10 });
  const volume = service.volumes.create({ name: "v", size: 100, dataCenter: "EU-RO-1", type: "STANDARD" });
  account.clock.advance(2 * 3_600_000);

  const hours = { bucketSize: "hour", lastN: 3 } as const;
  const pods = await podlumi.getPodBilling(hours);
  const { query, recordCount, uniquePodCount } = pods.metadata;
  expect([query.podId, recordCount, uniquePodCount]).toEqual([null, 4, 2]);
  expect(new Set(pods.records.map(({ podId }) => podId))).toEqual(new Set([pod.id, other.id]));
  const one = await podlumi.getPodBilling({ ...hours, podId: pod.id });
  expect(one.metadata).toMatchObject({ query: { podId: pod.id }, uniquePodCount: 1 });
  expect(one.records[0]).toMatchObject({ podId: pod.id, gpuAmount: 0.24, cpuAmount: 0 });
  const volumes = await podlumi.getNetworkVolumeBilling({ ...hours, networkVolumeId: volume.id });
  expect(volumes.metadata.totals.standardAmount).toBeCloseTo(0.02);
  const all = await podlumi.getBilling({
    startTime: new Date(account.clock.now() - 86_400_000).toISOString(),
  });
  expect(all.metadata.totals.podGpuAmount).toBeCloseTo(2 * (0.24 + 0.48));
  expect((await podlumi.getServerlessBilling({ serverlessId: "e" })).records).toEqual([]);
  expect((await podlumi.getClusterBilling({ clusterId: "c" })).metadata.totals.networkingAmount).toBe(0);
});

test("the bill of the account's endpoints is not that of public endpoints", async () => {
  await podlumi.getServerlessBilling();
  await podlumi.getPublicEndpointBilling();
  const asked = account.emulator.requests.slice(-2).map(({ path }) => path);
  expect(asked).toEqual(["/v2/billing/serverless", "/v2/billing/endpoints"]);
});

test("a bill is asked for each time", async () => {
  const before = requestsOf(account, "/billing").length;
  await podlumi.getBilling();
  await podlumi.getBilling();
  expect(requestsOf(account, "/billing")).toHaveLength(before + 2);
});

test.each<[podlumi.BillingArgs, string]>([
  [
    { lastN: 1, endTime: "2026-01-01T00:00:00Z" },
    "lastN: counts back from now: give it, or startTime and endTime",
  ],
  [{ startTime: "2026-01-01" }, "startTime: must be a time with its zone, such as 2026-06-01T12:00:00Z"],
  [
    { startTime: "2026-02-01T00:00:00Z", endTime: "2026-01-01T00:00:00Z" },
    "startTime: must be before endTime",
  ],
])("a period that cannot be is refused before the service is asked: %j", async (period, reason) => {
  const before = requestsOf(account, "/billing").length;
  await expect(podlumi.getBilling(period)).rejects.toThrow(`getBilling: ${reason}`);
  expect(requestsOf(account, "/billing")).toHaveLength(before);
});
