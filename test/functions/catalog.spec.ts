import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { emulated, requestsOf } from "./emulated";

const account = emulated();

afterEach(() => {
  const { capacity } = account.emulator.service;
  for (const gpu of ["NVIDIA GeForce RTX 4090", "NVIDIA L4"]) {
    capacity.set({ gpu, free: Number.POSITIVE_INFINITY });
    capacity.set({ gpu, dataCenter: "EU-RO-1", free: Number.POSITIVE_INFINITY });
  }
});

const ids = (all: { id: string }[]) => all.map(({ id }) => id);

describe("the catalog", () => {
  test("lists GPU types, and asks the service once in a run, whatever a program does to the list", async () => {
    const first = await podlumi.getGpuTypes();
    expect(first.splice(0)).toContainEqual(
      expect.objectContaining({ id: "NVIDIA L4", memory: 24, pool: "AMPERE_24", manufacturer: "NVIDIA" }),
    );
    const [gpu] = await podlumi.getGpuTypes({});
    expect(gpu).toMatchObject({ price: { secure: expect.any(Number) }, maxCount: { secure: 8 } });
    expect(gpu).not.toHaveProperty("availability");
    expect(requestsOf(account, "/catalog/gpus")).toHaveLength(1);
  });

  test("tells stock as it is now, by every filter of the service", async () => {
    const filters = { product: ["POD" as const, "SERVERLESS" as const], count: 2, cloud: "SECURE" as const };
    const stock = async () =>
      (await podlumi.getGpuTypes({ ...filters, countryCodes: ["RO", "FR"], cudaVersions: ["12.8"] })).find(
        ({ id }) => id === "NVIDIA L4",
      );
    expect(await stock()).toMatchObject({ availability: "HIGH", cudaVersions: [{ version: "12.8" }] });
    account.emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 1 });
    expect(await stock()).toBeUndefined();
    await expect(podlumi.getGpuTypes({ count: 2 })).rejects.toThrow(
      /^getGpuTypes: GET \/catalog\/gpus.* answered 400 .*product/,
    );
  });

  test("has no filter where a program passes undefined for one", async () => {
    const none = { product: undefined, count: undefined };
    expect((await podlumi.getGpuTypes(none)).length).toBeGreaterThan(0);
    expect(await podlumi.getGpuType({ id: "NVIDIA L4", ...none })).not.toHaveProperty("availability");
    expect(ids(await podlumi.getCpuTypes({ vcpuCount: undefined }))).toContain("cpu5m");
  });

  test("tells one entry, and names those that come close to one that is not there", async () => {
    const gpu = await podlumi.getGpuType({
      id: "NVIDIA GeForce RTX 4090",
      product: ["POD"],
      minCudaVersion: "12",
    });
    expect(gpu).toMatchObject({ name: "RTX 4090", availability: "HIGH" });
    await expect(podlumi.getGpuType({ id: "rtx 4090" })).rejects.toThrow(
      'getGpuType: the catalog has no GPU type "rtx 4090"; did you mean "NVIDIA GeForce RTX 4090"?',
    );
    expect(await podlumi.getCpuType({ id: "cpu3c", product: ["POD"], vcpuCount: 8 })).toMatchObject({
      ramGbPerVcpu: 2,
      availability: "HIGH",
    });
    await expect(podlumi.getCpuType({ id: "" })).rejects.toThrow(
      /^getCpuType: id: must not be empty \[PODLUMI-INVALID\]$/,
    );
    const home = await podlumi.getDataCenter({ id: "EU-RO-1", include: ["CPU_AVAILABILITY"] });
    expect(home).toMatchObject({ region: "EUROPE", cpuAvailability: expect.any(Array) });
    await expect(podlumi.getDataCenter({ id: "EU-RO-2" })).rejects.toThrow(/did you mean "EU-RO-1"/);
  });

  test("lists CPU flavors, data centers and public templates by their filters", async () => {
    expect(ids(await podlumi.getCpuTypes())).toContain("cpu5m");
    const found = await podlumi.getDataCenters({
      regions: ["EUROPE", "ASIA"],
      networkVolumeTypes: ["STANDARD", "HIGH_PERFORMANCE"],
      compliance: ["GDPR"],
      globalNetwork: true,
    });
    expect(ids(found)).toEqual(["EU-RO-1", "EUR-NO-1"]);
    expect((await podlumi.getCatalogTemplates({ source: "verified" })).map(({ name }) => name)).toEqual([
      "ComfyUI",
    ]);
    expect((await podlumi.getCatalogTemplates()).map(({ name }) => name)).toEqual([
      "PyTorch",
      "Queue worker",
      "Ubuntu",
    ]);
  });
});

describe("the cheapest GPU", () => {
  test("is a ready argument of a pod, with its price and why", async () => {
    const found = await podlumi.cheapestGpu({ minMemory: 40, count: 2 });
    expect(found).toEqual({
      gpu: { id: expect.stringMatching(/^NVIDIA/), count: 2 },
      cloud: "SECURE",
      dataCenterIds: [],
      price: 0.96,
      placements: expect.arrayContaining([{ gpu: found.gpu, cloud: "SECURE", dataCenterIds: [] }]),
      why: expect.stringContaining(
        "from NVIDIA, in the SECURE cloud, with at least 40 GB, 2 in one machine, in stock",
      ),
    });
    const { gpu, cloud } = found;
    const { status } = account.emulator.service.pods.create({ name: "p", image: "i", gpu, cloud });
    expect(status).toBe("PROVISIONING");
  });

  test("is one that has room, in the data centers that were asked for", async () => {
    const { capacity } = account.emulator.service;
    const wish = { minMemory: 24, dataCenters: ["EU-RO-1", "EU-SE-1"] };
    const before = await podlumi.cheapestGpu(wish);
    capacity.set({ gpu: before.gpu.id, dataCenter: "EU-RO-1", free: 0 });
    expect((await podlumi.cheapestGpu(wish)).dataCenterIds).toEqual(["EU-SE-1"]);
    capacity.set({ gpu: before.gpu.id, free: 0 });
    expect((await podlumi.cheapestGpu(wish)).gpu.id).not.toBe(before.gpu.id);
    expect((await podlumi.cheapestGpu({ ...wish, available: false })).gpu).toEqual(before.gpu);
    capacity.set({ gpu: before.gpu.id, free: Number.POSITIVE_INFINITY });
    capacity.set({ gpu: before.gpu.id, dataCenter: "EU-RO-1", free: Number.POSITIVE_INFINITY });
  });

  test("comes with all that fit below a price, the cheapest first, which do not depend on the stock if it need not be", async () => {
    const { capacity } = account.emulator.service;
    const wish = { minMemory: 40, count: 2, maxPrice: 2 };
    const { gpu, placements } = await podlumi.cheapestGpu(wish);
    const types = await podlumi.getGpuTypes();
    const priceOf = (id: string) => 2 * Number(types.find((type) => type.id === id)?.price.secure);
    const prices = placements.map((place) => priceOf(place.gpu.id));
    expect(prices.length).toBeGreaterThan(3);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect([placements[0]?.gpu, prices.at(-1)]).toEqual([gpu, 1.92]);
    capacity.set({ gpu: gpu.id, free: 0 });
    const ids = async (args: podlumi.CheapestGpuArgs) =>
      (await podlumi.cheapestGpu(args)).placements.map((place) => place.gpu.id);
    expect(await ids(wish)).toEqual(placements.slice(1).map((place) => place.gpu.id));
    expect(await ids({ ...wish, available: false })).toEqual(placements.map((place) => place.gpu.id));
    capacity.set({ gpu: gpu.id, free: Number.POSITIVE_INFINITY });
    await expect(podlumi.cheapestGpu({ ...wish, maxPrice: 0.5 })).rejects.toThrow(
      /^cheapestGpu: no GPU type fits: .*2 in one machine, for at most 0\.5 USD an hour, in stock\. Of \d+ that met the conditions before, none is for at most 0\.5 USD an hour \[/,
    );
  });

  test("that does not exist is an error: what was looked for, and which wish left none", async () => {
    await expect(podlumi.cheapestGpu({ minMemory: 100, cloud: "COMMUNITY" })).rejects.toThrow(
      "cheapestGpu: no GPU type fits: from NVIDIA, in the COMMUNITY cloud, with at least 100 GB, 1 in one machine, in " +
        "stock. Of ",
    );
    await expect(podlumi.cheapestGpu({ minMemory: 280, dataCenters: ["EU-RO-1"] })).rejects.toThrow(
      "Of 1 that met the conditions before, none is in stock in EU-RO-1 [",
    );
    await expect(podlumi.cheapestGpu({ minMemory: 900 })).rejects.toThrow("none is with at least 900 GB [");
    await expect(podlumi.cheapestGpu({ dataCenters: ["EU-R0-1"] })).rejects.toThrow(
      'cheapestGpu: the catalog has no data center "EU-R0-1"; did you mean "EU-RO-1"',
    );
    expect((await podlumi.cheapestGpu({ manufacturer: "AMD" })).gpu.id).toBe("AMD Instinct MI300X OAM");
  });
});

type Call = (args: unknown) => Promise<unknown>;

// A program in JavaScript, or one that casts, has no compiler that would find these.
test.each<[string, unknown, RegExp]>([
  [
    "getPodBilling",
    { podIdd: "p1" },
    /^podIdd: unknown property "podIdd"; did you mean "podId"\?.*UNKNOWN-PROPERTY\]$/,
  ],
  ["cheapestGpu", { minMemory: Number.NaN }, /^minMemory: must be a number \[PODLUMI-INVALID\]$/],
  ["cheapestGpu", { count: 0, cloud: "COMUNITY" }, /^count: .*\[PODLUMI-INVALID\]\ncloud: must be "SECURE"/],
  ["getGpuType", null, /^id: is required \[PODLUMI-INVALID\]$/],
  ["getGpuType", "NVIDIA L4", /^must be an object.*: write \{ id: "NVIDIA L4" \} \[PODLUMI-INVALID\]$/],
  ["getPod", "lab", /^must be an object.*: write \{ id: "lab" \} or \{ name: "lab" \} \[PODLUMI-INVALID\]$/],
  ["getPod", { id: pulumi.output("p1") }, /^id: must be a string, not an output: use its value within apply/],
  ["getPod", { id: Promise.resolve("p1") }, /^id: must be a string, not a promise: use its value, by await/],
  ["getPodBilling", { startTime: new Date() }, /^startTime: must be a string: write it with toISOString\(\)/],
  ["cheapestGpu", { minMemory: "24" }, /^minMemory: must be a number: write it without quotes/],
  ["cheapestGpu", { dataCenters: "EU-RO-1" }, /^dataCenters: must be a list: write \[…\]/],
  ["startPod", { id: "p1" }, /^\/pods\/ needs an id, not a value of type object/],
  ["stopPod", undefined, /^\/pods\/ needs an id, not a value of type undefined: check where/],
  ["stopPod", pulumi.output("p1"), /^\/pods\/ needs an id, not an output: use its value within apply/],
  ["terminatePod", Promise.resolve("p1"), /^\/pods\/ needs an id, not a promise: use its value, by await/],
  ["getPod", { name: "" }, /^name: must not be empty \[PODLUMI-INVALID\]$/],
  [
    "getPod",
    { name: "Calling __str__ on an Output[T] is not supported." },
    /^name: an output has no value in a text: .*\[PODLUMI-INVALID\]$/,
  ],
])("%s refuses %j before it asks anything", async (name, args, reason) => {
  const before = account.emulator.requests.length;
  const { [name]: call } = podlumi as unknown as Record<string, Call>;
  const message = await call?.(args).catch((error: Error) => error.message);
  expect(message).toMatch(new RegExp(`^${name}: `));
  expect(String(message).slice(name.length + 2)).toMatch(reason);
  expect(account.emulator.requests).toHaveLength(before);
});
