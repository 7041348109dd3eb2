import { CPU, ENDPOINT, emulate, GPU } from "./client";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Report {
  records: Record<string, number | string>[];
  metadata: { query: Record<string, unknown>; recordCount: number; totals: Record<string, number> };
}

describe("billing", () => {
  test("bills a pod for the time it ran, and its disk for the time it was there", async () => {
    const { rest, emulator, clock } = await emulate();
    const { pods } = emulator.service;
    const { id } = pods.create({ name: "p", image: "i", gpu: GPU, disk: 100 });
    clock.advance(2 * HOUR);
    pods.act(id, "stop");
    clock.advance(HOUR);
    pods.delete(id);
    clock.advance(HOUR);
    const { body } = await rest<Report>("GET", `/billing/pods?podId=${id}`);
    expect(body.records).toEqual([
      {
        startTime: "2026-06-01T00:00:00Z",
        endTime: "2026-06-02T00:00:00Z",
        podId: id,
        gpuAmount: expect.closeTo(2 * 0.24),
        cpuAmount: 0,
        diskAmount: expect.closeTo(3 * 100 * 0.0001),
        totalAmount: expect.closeTo(2 * 0.24 + 0.03),
      },
    ]);
    expect(body.metadata).toMatchObject({
      recordCount: 1,
      uniquePodCount: 1,
      query: { bucketSize: "day", podId: id },
    });
  });

  test("splits spend at the edges of buckets", async () => {
    const { rest, emulator, clock } = await emulate();
    emulator.service.pods.create({ name: "p", image: "i", cpu: CPU });
    clock.advance(90 * 60_000);
    const { body } = await rest<Report>("GET", "/billing/pods?bucketSize=hour&lastN=2");
    expect(body.records.map(({ startTime, cpuAmount }) => ({ startTime, cpuAmount }))).toEqual([
      { startTime: "2026-06-01T12:00:00Z", cpuAmount: expect.closeTo(0.08) },
      { startTime: "2026-06-01T13:00:00Z", cpuAmount: expect.closeTo(0.04) },
    ]);
    expect(body.metadata.totals.cpuAmount).toBeCloseTo(0.12);
  });

  test("bills volumes by the size they had", async () => {
    const { rest, emulator, clock } = await emulate();
    const { volumes } = emulator.service;
    const { id } = volumes.create({ name: "v", size: 100, dataCenter: "US-KS-2", type: "HIGH_PERFORMANCE" });
    clock.advance(10 * HOUR);
    volumes.update(id, { size: 200 });
    clock.advance(10 * HOUR);
    volumes.delete(id);
    clock.advance(10 * HOUR);
    const { body } = await rest<Report>("GET", `/billing/network-volumes?networkVolumeId=${id}`);
    expect(body.records).toHaveLength(2);
    expect(body.metadata.totals).toEqual({
      totalAmount: expect.closeTo(3000 * 0.0002),
      standardAmount: 0,
      highPerformanceAmount: expect.closeTo(3000 * 0.0002),
    });
  });

  test("bills workers from when they are ready, even when nobody looked meanwhile", async () => {
    const { rest, emulator, clock } = await emulate();
    const { id } = emulator.service.endpoints.create({ ...ENDPOINT, workers: { min: 1, idleTimeout: 3600 } });
    clock.advance(2_000 + HOUR);
    emulator.service.endpoints.update(id, { workers: { min: 0 } });
    clock.advance(5 * HOUR);
    const { body } = await rest<Report>("GET", `/billing/serverless?serverlessId=${id}`);
    expect(body.metadata.totals.gpuAmount).toBeCloseTo(0.36);
    expect(body.metadata.totals.feeAmount).toBe(0);
  });

  test("adds everything up in one report", async () => {
    const { rest, emulator, clock } = await emulate();
    emulator.service.pods.create({ name: "p", image: "i", gpu: GPU });
    emulator.service.volumes.create({ name: "v", size: 1000, dataCenter: "US-KS-2" });
    clock.advance(DAY);
    const { totals } = (await rest<Report>("GET", "/billing")).body.metadata;
    expect(totals).toMatchObject({
      podGpuAmount: expect.closeTo(24 * 0.24),
      storageStandardAmount: expect.closeTo(2.4),
      serverlessGpuAmount: 0,
      endpointAmount: 0,
      clusterGpuAmount: 0,
    });
    expect(totals.totalAmount).toBeCloseTo(24 * 0.24 + 2.4 + 24 * 20 * 0.0001);
    for (const kind of ["endpoints", "clusters"])
      expect((await rest<Report>("GET", `/billing/${kind}`)).body.records).toEqual([]);
  });

  test.each([
    ["bucketSize=week&lastN=1", "2026-06-01T00:00:00Z", "2026-06-08T00:00:00Z"],
    ["bucketSize=month&lastN=2", "2026-05-01T00:00:00Z", "2026-07-01T00:00:00Z"],
    [
      "startTime=2026-05-30T10:00:00Z&endTime=2026-05-31T10:00:00Z",
      "2026-05-30T00:00:00Z",
      "2026-06-01T00:00:00Z",
    ],
    [
      "startTime=2026-05-30T00:00:00Z&endTime=2026-05-31T00:00:00Z",
      "2026-05-30T00:00:00Z",
      "2026-05-31T00:00:00Z",
    ],
    ["", "2026-05-02T00:00:00Z", "2026-06-02T00:00:00Z"],
  ])("widens ?%s to whole buckets", async (query, startTime, endTime) => {
    const { rest } = await emulate();
    expect((await rest<Report>("GET", `/billing?${query}`)).body.metadata.query).toMatchObject({
      startTime,
      endTime,
    });
  });

  test.each([
    ["lastN=1&startTime=2026-05-30T10:00:00Z", 400],
    ["lastN=0", 422],
    ["bucketSize=minute", 422],
    ["startTime=yesterday", 422],
  ])("answers ?%s with %i", async (query, status) => {
    const { rest } = await emulate();
    expect((await rest("GET", `/billing?${query}`)).status).toBe(status);
  });
});
