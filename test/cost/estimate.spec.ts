import { basisOf, type CostKind } from "../../sdk/cost/basis";
import { estimate, total } from "../../sdk/cost/estimate";
import { prices } from "./prices";

const costOf = (kind: CostKind, properties: Record<string, unknown>) =>
  estimate(kind, basisOf(kind, properties), prices);

const both = (usd: number) => ({ atLeast: usd, atMost: usd });
const noForm = "its properties do not have the form that podlumi knows";
const ada = { id: "NVIDIA GeForce RTX 4090" };
const worker = { type: "QUEUE", gpu: { pools: ["ADA_24"] }, disk: 0 };

describe("an estimate of", () => {
  test.each<[title: string, kind: CostKind, properties: Record<string, unknown>, monthly: object]>([
    ["a volume below 1 TB", "NetworkVolume", { size: 100, type: "STANDARD" }, both(7)],
    ["a volume above it", "NetworkVolume", { size: 2048, type: "STANDARD" }, both(1024 * 0.12)],
    ["a fast volume", "NetworkVolume", { size: 2048, type: "HIGH_PERFORMANCE" }, both(286.72)],
    ["a volume of the data center's tier", "NetworkVolume", { size: 100 }, { atLeast: 7, atMost: 14 }],
    ["a pod without a known disk", "Pod", { gpu: ada }, both(175.2)],
    [
      "a pod with its disks",
      "Pod",
      { gpu: ada, disk: 20, mounts: { persistent: { size: 30 } } },
      both(180.2),
    ],
    [
      "several GPUs in the Community cloud",
      "Pod",
      { gpu: { ...ada, count: 2 }, cloud: "COMMUNITY" },
      both(280.32),
    ],
    ["a CPU pod", "Pod", { cpu: { id: "cpu3c", vcpuCount: 4 } }, both(58.4)],
    [
      "a pod that is stopped: its persistent storage, at another price",
      "Pod",
      { gpu: ada, disk: 20, mounts: { persistent: { size: 30 } }, desiredStatus: "EXITED" },
      both(6),
    ],
    [
      "a pod that may come to be in two places",
      "Pod",
      { placements: [{ gpu: ada }, { gpu: { id: "NVIDIA H200" } }] },
      { atLeast: 175.2, atMost: 1029.3 },
    ],
    [
      "a pod that is in one of them",
      "Pod",
      { placements: [{ gpu: ada }, { gpu: { id: "NVIDIA H200" } }], gpu: ada, cloud: "SECURE" },
      both(175.2),
    ],
    [
      "an endpoint that does not say how many workers",
      "ServerlessEndpoint",
      worker,
      { atLeast: 0, atMost: 788.4 },
    ],
    [
      "an endpoint that always has workers, each with its disk",
      "ServerlessEndpoint",
      { ...worker, workers: { min: 1, max: 2 }, disk: 10 },
      { atLeast: 263.8, atMost: 527.6 },
    ],
    [
      "an endpoint of two pools, without the dearest type",
      "ServerlessEndpoint",
      {
        gpu: { pools: ["ADA_24", "ADA_80_PRO"], count: 2, excludedTypes: ["NVIDIA H100 NVL"] },
        workers: { min: 1, max: 1 },
      },
      { atLeast: 525.6, atMost: 1752 },
    ],
    [
      "an endpoint of CPUs",
      "ServerlessEndpoint",
      {
        cpu: [
          { id: "cpu3c", vcpuCount: 2 },
          { id: "cpu5g", vcpuCount: 2 },
        ],
        workers: { min: 1, max: 1 },
      },
      { atLeast: 36.5, atMost: 73 },
    ],
    [
      "a cluster",
      "Cluster",
      { compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 }, disk: 20 },
      both(16472.8),
    ],
  ])("%s", (_title, kind, properties, monthly) => {
    expect(costOf(kind, properties).monthly).toEqual({
      atLeast: expect.closeTo((monthly as { atLeast: number }).atLeast, 1),
      atMost: expect.closeTo((monthly as { atMost: number }).atMost, 1),
    });
  });
});

test("what is counted is told, and what is not", () => {
  expect(costOf("Pod", { gpu: ada, disk: 20 }).why).toBe(
    "1 × NVIDIA GeForce RTX 4090 at 0.24 USD an hour, 20 GB of container disk",
  );
  expect(costOf("ServerlessEndpoint", { ...worker, disk: undefined }).why).toBe(
    "0 to 3 workers of 1 × ADA_24 GPU at 0.36 USD an hour, without its container disk, whose size is not known yet",
  );
  expect(costOf("ServerlessEndpoint", { ...worker, gpu: { pools: ["ADA_80_PRO"] } }).why).toMatch(
    /^0 to 3 workers of 1 × ADA_80_PRO GPU at [\d.]+ or [\d.]+ USD an hour, /,
  );
});

describe("without a price there is no estimate, and never 0:", () => {
  test.each<[kind: CostKind, properties: Record<string, unknown>, why: string]>([
    ["Pod", { gpu: { id: "NVIDIA X1" } }, 'the catalog has no price of "NVIDIA X1" in the SECURE cloud'],
    [
      "Pod",
      { gpu: { id: "NVIDIA H200" }, cloud: "COMMUNITY" },
      'the catalog has no price of "NVIDIA H200" in the COMMUNITY cloud',
    ],
    [
      "Pod",
      { cpu: { id: "cpu3c", vcpuCount: 2 }, cloud: "COMMUNITY" },
      "the catalog has no price of CPUs in the COMMUNITY cloud",
    ],
    ["Pod", { cpu: { id: "cpu9", vcpuCount: 2 } }, 'the catalog has no price of the CPU flavor "cpu9"'],
    ["Pod", {}, "it names neither gpu nor cpu"],
    ["NetworkVolume", { size: 10, type: "GLACIAL" }, "podlumi knows no price of GLACIAL storage"],
    ["NetworkVolume", { size: null, type: "STANDARD" }, "it names no size"],
    ["NetworkVolume", { size: "large", type: "STANDARD" }, noForm],
    ["Pod", { gpu: ada, mounts: { persistent: {} } }, noForm],
    ["Pod", { gpu: ada, desiredStatus: "EXITED", mounts: { persistent: { path: "/w" } } }, noForm],
    ["Pod", { placements: "EU" }, noForm],
    ["ServerlessEndpoint", { gpu: { count: 1 } }, noForm],
    ["ServerlessEndpoint", { ...worker, workers: { min: 0, max: "many" } }, noForm],
    ["Cluster", { compute: {} }, 'the catalog has no price of "undefined" in the SECURE cloud'],
    [
      "ServerlessEndpoint",
      { gpu: { pools: ["ADA_24", "X"] } },
      'the catalog has no price of workers in the pool "X"',
    ],
  ])("%s %j", (kind, properties, why) => {
    expect(costOf(kind, properties)).toEqual({ currency: "USD", hourly: undefined, monthly: undefined, why });
  });
});

describe("what the program leaves out, in objects too, is what the object has:", () => {
  const pod = { gpu: { ...ada, count: 4 }, cloud: "COMMUNITY", disk: 20, mounts: {} };
  const endpoint = { gpu: { pools: ["ADA_24"], count: 2 }, workers: { min: 4, max: 8, idleTimeout: 10 } };
  test.each<[kind: CostKind, declared: Record<string, unknown>, had: Record<string, unknown>, why: string]>([
    ["Pod", { gpu: ada }, pod, "4 × NVIDIA GeForce RTX 4090 at 0.192 USD an hour, 20 GB of container disk"],
    [
      "Pod",
      { gpu: ada },
      { ...pod, mounts: { persistent: { size: 50, path: "/w" } } },
      "4 × NVIDIA GeForce RTX 4090 at 0.192 USD an hour, 20 GB of container disk, 50 GB of persistent storage",
    ],
    [
      "ServerlessEndpoint",
      { gpu: { pools: ["ADA_24"] }, workers: { idleTimeout: 5 }, disk: 10 },
      endpoint,
      "4 to 8 workers of 2 × ADA_24 GPU at 0.36 USD an hour, 10 GB of container disk",
    ],
    [
      "ServerlessEndpoint",
      { gpu: { pools: ["ADA_24"], count: 1 }, workers: { min: 5 }, disk: 10 },
      endpoint,
      "5 to 8 workers of 1 × ADA_24 GPU at 0.36 USD an hour, 10 GB of container disk",
    ],
  ])("%s %j", (kind, declared, had, why) => {
    for (const adopt of [undefined, "4m7x2k9q"])
      expect(estimate(kind, basisOf(kind, { ...declared, adopt }, had), prices).why).toBe(why);
  });

  test("the fewest workers are never more than the most", () => {
    expect(costOf("ServerlessEndpoint", { ...worker, workers: { min: 5 } }).why).toMatch(/^5 workers of /);
  });
});

describe("what is adopted has no defaults before its outputs are known:", () => {
  const keeps = "an adopted object keeps what the program leaves out: declare";
  const compute = { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 };
  test.each<[kind: CostKind, declared: Record<string, unknown>, why: string]>([
    ["Pod", { gpu: ada }, `${keeps} gpu.count, cloud, mounts`],
    ["Pod", { gpu: { ...ada, count: 1 }, cloud: "SECURE" }, `${keeps} mounts`],
    ["Pod", { cpu: { id: "cpu3c", vcpuCount: 2 } }, `${keeps} cloud`],
    ["Pod", { placements: [{ gpu: ada }] }, `${keeps} mounts`],
    ["ServerlessEndpoint", { ...worker, workers: { min: 5 } }, `${keeps} gpu.count, workers.max`],
    ["Cluster", { compute }, `${keeps} mounts`],
  ])("%s %j", (kind, declared, why) => {
    expect(costOf(kind, { ...declared, adopt: { name: "old" } })).toMatchObject({ hourly: undefined, why });
  });

  test("it has a price when the program declares all of it", () => {
    const pod = { gpu: { ...ada, count: 1 }, cloud: "SECURE", mounts: {}, adopt: "4m7x2k9q" };
    expect(costOf("Pod", pod).hourly).toEqual(both(0.24));
    const places = { placements: [{ gpu: ada }], mounts: { network: [] }, adopt: "4m7x2k9q" };
    expect(costOf("Pod", places).hourly).toEqual(both(0.24));
    const gpu = { pools: ["ADA_24"], count: 1 };
    const endpoint = { ...worker, gpu, workers: { max: 1 }, adopt: "4m7x2k9q" };
    expect(costOf("ServerlessEndpoint", endpoint).hourly).toEqual({ atLeast: 0, atMost: 0.36 });
  });
});

test("a total adds up, and has no price when one of its parts has none", () => {
  const volume = { name: "data", cost: costOf("NetworkVolume", { size: 100, type: "STANDARD" }) };
  const endpoint = { name: "llm", cost: costOf("ServerlessEndpoint", worker) };
  expect(total([volume, endpoint])).toMatchObject({
    hourly: { atLeast: 0.009589, atMost: 1.089589 },
    monthly: { atLeast: 7, atMost: 795.4 },
    why: `0.009589 USD an hour for data (${volume.cost.why}); at most 1.08 USD an hour for llm (${endpoint.cost.why})`,
  });
  const dream = { name: "dream", cost: costOf("Pod", { gpu: { id: "NVIDIA X1" } }) };
  expect(total([volume, dream])).toMatchObject({
    hourly: undefined,
    why: 'dream: the catalog has no price of "NVIDIA X1" in the SECURE cloud',
  });
});
