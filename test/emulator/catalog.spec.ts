import { emulate } from "./client";

interface Gpus {
  gpus: { id: string; availability?: string; dataCenters?: { id: string; availability: string }[] }[];
}

interface DataCenters {
  dataCenters: { id: string; region: string; networkVolumeTypes: string[]; globalNetwork: boolean }[];
}

const STOCK = "include=AVAILABILITY&product=POD";
const L4 = "/catalog/gpus/NVIDIA%20L4";

describe("the catalog of GPUs", () => {
  test("shows prices and pools, and no stock unless asked", async () => {
    const { rest } = await emulate();
    const { body } = await rest("GET", "/catalog/gpus/NVIDIA%20GeForce%20RTX%204090");
    expect(body).toEqual({
      id: "NVIDIA GeForce RTX 4090",
      name: "RTX 4090",
      pool: "ADA_24",
      manufacturer: "NVIDIA",
      memory: 24,
      secure: true,
      community: true,
      price: { secure: 0.24, community: 0.192, serverless: 0.36 },
      maxCount: { secure: 8, community: 4 },
    });
    expect((await rest("GET", "/catalog/gpus/none")).status).toBe(404);
  });

  test.each([
    ["product=POD", 400],
    ["count=2", 400],
    ["countryCodes=US", 400],
    ["include=AVAILABILITY", 400],
    [`${STOCK}&cudaVersions=12.8&minCudaVersion=12`, 400],
    [`${STOCK}&cudaVersions=12`, 422],
    [`${STOCK}&minCudaVersion=x`, 422],
    [`${STOCK}&countryCodes=us`, 422],
    [`${STOCK}&count=0`, 422],
    ["include=BOGUS", 422],
    [`${STOCK}&minCudaVersion=12`, 200],
  ])("answers ?%s with %i", async (query, status) => {
    const { rest } = await emulate();
    expect((await rest("GET", `/catalog/gpus?${query}`)).status).toBe(status);
  });

  test("says how much there is, overall and where", async () => {
    const { rest, emulator } = await emulate();
    const { capacity } = emulator.service;
    const level = async (query = "") => (await rest("GET", `${L4}?${STOCK}${query}`)).body.availability;
    expect(await level()).toBe("HIGH");
    capacity.set({ gpu: "NVIDIA L4", free: 3 });
    expect(await level()).toBe("LOW");
    expect(await level("&count=4")).toBe("NONE");
    capacity.set({ gpu: "NVIDIA L4", free: 0 });
    const { body } = await rest("GET", `${L4}?${STOCK}`);
    expect(body).toMatchObject({
      availability: "NONE",
      cudaVersions: [{ version: "12.4", available: false }, {}, {}, {}],
    });
    expect(body).not.toHaveProperty("dataCenters");
  });

  test("narrows the list, not the single read, to countries that have the type", async () => {
    const { rest } = await emulate();
    const { body } = await rest<Gpus>("GET", `/catalog/gpus?${STOCK}&countryCodes=RO`);
    expect(body.gpus.every(({ dataCenters }) => dataCenters?.every(({ id }) => id === "EU-RO-1"))).toBe(true);
    expect(body.gpus.map(({ id }) => id)).not.toContain("NVIDIA H200 NVL");
    const single = await rest("GET", `/catalog/gpus/NVIDIA%20H200%20NVL?${STOCK}&countryCodes=RO`);
    expect(single.body.availability).toBe("NONE");
  });

  test("lists no CUDA version for AMD", async () => {
    const { rest } = await emulate();
    const { body } = await rest("GET", `/catalog/gpus/AMD%20Instinct%20MI300X%20OAM?${STOCK}`);
    expect(body).not.toHaveProperty("cudaVersions");
    expect(body.availability).toBe("HIGH");
  });
});

describe("the catalog of CPUs", () => {
  test("shows memory and prices by vCPU, and stock when asked", async () => {
    const { rest } = await emulate();
    expect((await rest("GET", "/catalog/cpus/cpu3m")).body).toMatchObject({
      ramGbPerVcpu: 8,
      vcpu: { min: 2, max: 32 },
      price: { securePerVcpu: 0.08, serverlessPerVcpu: 0.1 },
    });
    expect((await rest("GET", `/catalog/cpus/cpu3m?${STOCK}&vcpuCount=8`)).body.availability).toBe("HIGH");
    expect((await rest("GET", `/catalog/cpus/cpu3m?${STOCK}&vcpuCount=6`)).status).toBe(400);
    expect((await rest("GET", "/catalog/cpus?include=AVAILABILITY&product=CLUSTER")).status).toBe(422);
  });
});

describe("the catalog of data centers", () => {
  const ids = ({ dataCenters }: DataCenters) => dataCenters.map(({ id }) => id);

  test("combines its filters: any region, all volume types and certifications", async () => {
    const { rest } = await emulate();
    const list = async (query: string) =>
      (await rest<DataCenters>("GET", `/catalog/datacenters?${query}`)).body;
    expect(ids(await list("regions=ASIA,OCEANIA"))).toEqual(["AP-JP-1", "OC-AU-1"]);
    expect(ids(await list("regions=EUROPE&networkVolumeTypes=STANDARD,HIGH_PERFORMANCE"))).toEqual([
      "EU-RO-1",
      "EUR-NO-1",
    ]);
    expect(ids(await list("compliance=GDPR,SOC_2_TYPE_2"))).toEqual(["EU-FR-1"]);
    expect(ids(await list("globalNetwork=false&regions=NORTH_AMERICA"))).toEqual([
      "US-TX-1",
      "US-TX-4",
      "US-GA-1",
      "US-DE-1",
    ]);
  });

  test("adds the stock that it is asked for", async () => {
    const { rest } = await emulate();
    const { body } = await rest("GET", "/catalog/datacenters/US-KS-2?include=CPU_AVAILABILITY");
    expect(body).toHaveProperty("cpuAvailability");
    expect(body).not.toHaveProperty("gpuAvailability");
    expect((await rest("GET", "/catalog/datacenters/MOON-1")).status).toBe(404);
  });
});
