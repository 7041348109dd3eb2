import * as podlumi from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import type { Run, RunFailure } from "../harness/stack";

emulatedStack("all");

const image = "org/app:1";
const queue = { type: "QUEUE", scaling: { type: "QUEUE_DELAY", queueDelay: 4 } } as const;

const pod = (name: string, args: Partial<podlumi.PodArgs>) => new podlumi.Pod(name, { image, ...args });
const endpoint = (name: string, args: Partial<podlumi.ServerlessEndpointArgs>) =>
  new podlumi.ServerlessEndpoint(name, { image, ...queue, ...args });
const volume = (name: string, args: Partial<podlumi.NetworkVolumeArgs>) =>
  new podlumi.NetworkVolume(name, { size: 10, dataCenter: "EU-RO-1", ...args });
const cluster = (name: string, compute: Partial<podlumi.ClusterComputeArgs>, dataCenterIds: string[]) =>
  new podlumi.Cluster(name, {
    image,
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2, ...compute },
    dataCenterIds,
  });

/** A program that agrees with the catalog. */
const right =
  (gpu = "NVIDIA L4", env = {}) =>
  () => {
    const data = volume("data", { type: "HIGH_PERFORMANCE" });
    const dataCenterIds = [data.dataCenter, "US-KS-2"];
    pod("trainer", { gpu: { id: gpu, count: 8 }, env, dataCenterIds, globalNetworking: true });
    pod("either", {
      placements: [
        { gpu: { id: "NVIDIA GeForce RTX 3070", count: 4 }, cloud: "COMMUNITY" },
        { cpu: { id: "cpu3c", vcpuCount: 2 } },
      ],
    });
    endpoint("llm", { gpu: { pools: ["AMPERE_24", "ADA_24"], excludedTypes: ["NVIDIA L4"] } });
    endpoint("cpu", { cpu: [{ id: "cpu5m", vcpuCount: 2 }], dataCenterIds: ["EU-RO-1"] });
    cluster("training", {}, ["EU-RO-1"]);
  };

const dataCenters = "/v2/catalog/datacenters?include=GPU_AVAILABILITY";

/** Runs a command. `asked` has the paths of its catalog requests. */
async function asking(command: () => Promise<Run>): Promise<Run & { asked: string[] }> {
  const before = emulator.requests.length;
  const run = await command();
  const paths = emulator.requests.slice(before).map(({ path }) => path);
  return { ...run, asked: paths.filter((path) => path.startsWith("/v2/catalog")).sort() };
}

/** A program whose resources the service would refuse. */
const wrong = () => {
  pod("renamed", { gpu: { id: "NVIDIA RTX 4090" } });
  pod("short", { gpu: { id: "4080 super" }, dataCenterIds: ["EU-RO-1", "EU-RO-9"] });
  pod("unheard", { cpu: { id: "quantum", vcpuCount: 2 } });
  pod("large", { gpu: { id: "NVIDIA GeForce RTX 3070", count: 8 }, cloud: "COMMUNITY" });
  pod("old", { gpu: { id: "Tesla V100-PCIE-16GB" } });
  pod("either", {
    placements: [
      { gpu: { id: "NVIDIA L4" } },
      { cpu: { id: "cpu3", vcpuCount: 2 }, dataCenterIds: ["US-1"] },
    ],
  });
  pod("big", { cpu: { id: "cpu3c", vcpuCount: 64 } });
  pod("apart", { gpu: { id: "NVIDIA L4" }, dataCenterIds: ["US-TX-1", "US-TX-4"], globalNetworking: true });
  pod("joined", { gpu: { id: "NVIDIA L4" }, dataCenterIds: ["US-TX-1", "EU-RO-1"], globalNetworking: true });
  pod("elsewhere", { gpu: { id: "NVIDIA H200 NVL" }, dataCenterIds: ["EU-RO-1", "EU-NL-1"] });
  endpoint("pool", { gpu: { pools: ["ADA_24GB"] } });
  endpoint("type", { gpu: { pools: ["RTX A6000", "ADA_24"] } });
  endpoint("excluding", { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA L4"] } });
  endpoint("wide", { gpu: { pools: ["ADA_24"], count: 64 } });
  endpoint("cpu", { cpu: [{ id: "cpu5d", vcpuCount: 2 }] });
  cluster("training", { gpuTypeId: "H200 SXM", gpuCountPerPod: 16 }, ["EU-NL-2"]);
  cluster("huge", { gpuCountPerPod: 16 }, []);
  cluster("nowhere", { gpuTypeId: "NVIDIA H200 NVL" }, ["EU-RO-1"]);
  const away = volume("away", { dataCenter: "EU-RO-7" });
  // Values that a preview does not know yet are not checked.
  pod("beside", { gpu: { id: "NVIDIA L4" }, dataCenterIds: [away.id] });
  volume("bare", { dataCenter: "US-TX-4" });
  volume("fast", { dataCenter: "US-KS-3", type: "HIGH_PERFORMANCE" });
};

testLong("a preview tells which pool has the GPU that an endpoint is given as a pod", async () => {
  const refused = async (gpu: unknown) => {
    const outcome = await stack
      .preview(() => void endpoint("llm", { gpu: gpu as { pools: string[] } }))
      .catch((error: RunFailure) => error);
    expect(outcome).toBeInstanceOf(Error);
    return /gpu: .*|gpu\.pools: .*/.exec(outcome.printed)?.[0];
  };
  const pools = "gpu: takes GPU pools, not a GPU";
  const l4 = `${pools}: write { pools: ["AMPERE_24"] }, the pool that has "NVIDIA L4" [PODLUMI-INVALID]`;
  expect(await refused({ id: "NVIDIA L4", count: 2 })).toBe(l4);
  expect(await refused("NVIDIA L4")).toBe(l4);
  expect(await refused({ id: "NVIDIA A30" })).toBe(
    `${pools}, and the catalog has no pool with "NVIDIA A30" [PODLUMI-INVALID]`,
  );
  expect(await refused({ id: "quantum" })).toBe(
    `${pools}: write { pools: [...] }; \`npx podlumi gpus\` shows the pool of each GPU [PODLUMI-INVALID]`,
  );
  expect(await refused({ count: 2 })).toBe("gpu.pools: is required [PODLUMI-INVALID]");
});

testLong("a preview tells which GPUs are in the pool that a pod is given as an endpoint", async () => {
  const outcome = await stack
    .preview(() => void pod("lab", { placements: [{ gpu: { id: "AMPERE_48" } }] }))
    .catch((error: RunFailure) => error);
  expect(outcome.printed).toContain(
    'placements[0].gpu.id: takes a GPU type, and "AMPERE_48" is a pool of them: write "NVIDIA A40" or "NVIDIA RTX A6000"',
  );
});

test("a preview warns of what the catalog does not have, at the resource, once, and names what comes close", async () => {
  const { warnings, asked } = await asking(() => stack.preview(wrong));
  expect(asked).toEqual(["/v2/catalog/cpus", dataCenters, "/v2/catalog/gpus"]);
  const told = warnings.map((text) =>
    text.replace(" The service will probably refuse it. [PODLUMI-NOT-IN-CATALOG]", ""),
  );
  expect(told.sort()).toEqual([
    'apart dataCenterIds: the catalog has no global networking in "US-TX-1" or "US-TX-4".',
    'away dataCenter: the catalog has no "EU-RO-7"; did you mean "EU-RO-1"?',
    'bare dataCenter: the catalog has no network volumes in "US-TX-4".',
    'big cpu.vcpuCount: the catalog has "cpu3c" with 2 to 32 vCPUs, not 64.',
    'cpu cpu[0].id: the catalog has no "cpu5d"; did you mean "cpu5c", "cpu5g" or "cpu5m"?',
    'either placements[1].cpu.id: the catalog has no "cpu3"; did you mean "cpu3c", "cpu3g" or "cpu3m"?',
    'either placements[1].dataCenterIds[0]: the catalog has no "US-1".',
    'elsewhere dataCenterIds: the catalog has no "NVIDIA H200 NVL" in "EU-RO-1" or "EU-NL-1", but in "EU-FR-1" or "US-GA-1".',
    'excluding gpu.excludedTypes[0]: the catalog has no "NVIDIA L4" in ADA_24.',
    'fast type: the catalog has no "HIGH_PERFORMANCE" in "US-KS-3", but "STANDARD".',
    'huge compute.gpuCountPerPod: the catalog\'s largest machine with "NVIDIA H200" has 8, not 16.',
    'large gpu.count: the catalog\'s largest machine with "NVIDIA GeForce RTX 3070" in the COMMUNITY cloud has 4, not 8.',
    'nowhere dataCenterIds: the catalog has no "NVIDIA H200 NVL" in "EU-RO-1", but in "EU-FR-1" or "US-GA-1".',
    'old gpu.id: the catalog has no "Tesla V100-PCIE-16GB" in the SECURE cloud.',
    'pool gpu.pools[0]: the catalog has no "ADA_24GB"; did you mean "ADA_24"?',
    'renamed gpu.id: the catalog has no "NVIDIA RTX 4090"; did you mean "NVIDIA GeForce RTX 4090"?',
    'short dataCenterIds[1]: the catalog has no "EU-RO-9"; did you mean "EU-RO-1"?',
    'short gpu.id: the catalog has no "4080 super"; did you mean "NVIDIA GeForce RTX 4080 SUPER"?',
    'training compute.gpuTypeId: the catalog has no "H200 SXM"; did you mean "NVIDIA H200"?',
    'training dataCenterIds[0]: the catalog has no "EU-NL-2"; did you mean "EU-NL-1"?',
    'type gpu.pools[0]: the catalog has no "RTX A6000"; did you mean "AMPERE_48"?',
    'unheard cpu.id: the catalog has no "quantum".',
    "wide gpu.count: the catalog's largest machine in ADA_24 has 8 GPUs, not 64.",
  ]);
  expect(
    warnings.every((text) => text.endsWith(" The service will probably refuse it. [PODLUMI-NOT-IN-CATALOG]")),
  ).toBe(true);
});

testLong(
  "a catalog that does not answer hinders nothing, and nothing is said of it; nor without a key",
  async () => {
    emulator.faults.add({ match: { path: "/catalog/*" }, when: "before", what: { hang: true }, times: 0 });
    const began = Date.now();
    const { warnings, steps } = await stack.preview(wrong);
    emulator.faults.clear();
    expect(Date.now() - began).toBeLessThan(15_000);
    expect([warnings, steps.length]).toEqual([[], 22]);
    const keyless = await stack.with({ RUNPOD_API_KEY: "" });
    expect(await asking(() => keyless.preview(wrong))).toMatchObject({ warnings: [], asked: [] });
  },
);

test("nothing is said of what the catalog has, and each list is asked for once", async () => {
  const { warnings, asked } = await asking(() => stack.up(right()));
  expect(warnings).toEqual([]);
  expect(asked).toEqual(["/v2/catalog/cpus", dataCenters, "/v2/catalog/gpus"]);
});

testLong("while nothing changes that the catalog knows of, it is not asked", async () => {
  expect((await asking(() => stack.up(right()))).asked).toEqual([]);
  const edited = await asking(() => stack.up(right("NVIDIA L4", { MODE: "fast" })));
  expect(edited.asked).toEqual([]);
  expect(edited.steps).toContainEqual(expect.objectContaining({ name: "trainer", op: "update" }));
});

testLong(
  "an edit is looked at like something new, and warned of once though it creates another object",
  async () => {
    const { warnings, asked } = await asking(() => stack.preview(right("L4 Tensor")));
    expect(warnings).toEqual([expect.stringMatching(/^trainer gpu\.id: the catalog has no "L4 Tensor"/)]);
    expect(asked).toEqual([dataCenters, "/v2/catalog/gpus"]);
  },
);
