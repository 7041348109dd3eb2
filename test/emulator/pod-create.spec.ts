import { CPU, createPod, emulate, GPU, NO_CAPACITY, POD, runningPod } from "./client";

describe("creating a pod", () => {
  test.each([
    [{ cpu: CPU }, "exactly one of gpu or cpu"],
    [{ gpu: undefined }, "exactly one of gpu or cpu"],
    [{ gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 6 } }, "power of two"],
    [{ gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 64 } }, "must be 2 to 32"],
    [
      { gpu: undefined, cpu: CPU, mounts: { persistent: { size: 20, path: "/x" } } },
      "not supported on CPU pods",
    ],
    [
      { mounts: { persistent: { size: 20, path: "/x" }, network: [{ volumeId: "v", path: "/x" }] } },
      "mutually exclusive",
    ],
    [{ mounts: { network: [{ volumeId: "missing", path: "/x" }] } }, "was not found"],
    [{ gpu: { ...GPU, allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" } }, "mutually exclusive"],
    [{ registry: "missing" }, "was not found"],
    [{ args: "serve", cmd: ["other"] }, "says otherwise"],
    [{ ports: ["8888"] }, "invalid port"],
    [{ globalNetworking: true, gpu: { id: "AMD Instinct MI300X OAM", count: 1 } }, "requires an NVIDIA GPU"],
  ])("with %j breaks a rule, which is a 400", async (more, detail) => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/pods", { ...POD, ...more });
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringContaining(detail) });
  });

  test.each([
    ["an unknown GPU", { gpu: { id: "No Such GPU", count: 1 } }],
    ["an unknown CPU flavor", { gpu: undefined, cpu: { id: "cpu9", vcpuCount: 2 } }],
    ["no GPU count", { gpu: { id: GPU.id } }],
    ["more GPUs than a machine has", { gpu: { ...GPU, count: 9 } }],
    ["an unknown data center", { dataCenterIds: ["MOON-1"] }],
    ["a data center in lower case", { dataCenterIds: ["us-ks-2"] }],
    [
      "a GPU that the data center lacks",
      { gpu: { id: "NVIDIA H200 NVL", count: 1 }, dataCenterIds: ["US-KS-2"] },
    ],
    ["more memory than a host has", { gpu: { ...GPU, minRamPerGpu: 33 } }],
    ["more vCPUs than a host has", { gpu: { ...GPU, minVcpuCountPerGpu: 9 } }],
    ["a CUDA version that no host has", { gpu: { ...GPU, allowedCudaVersions: ["9.9"] } }],
    ["a GPU that the cloud lacks", { gpu: { id: "NVIDIA L4", count: 1 }, cloud: "COMMUNITY" }],
  ])("with %s finds no capacity, which is a 400 too", async (_, more) => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/pods", { ...POD, ...more });
    expect({ status, detail: body.detail }).toEqual({
      status: 400,
      detail: expect.stringMatching(NO_CAPACITY),
    });
  });

  test("needs an image unless a template gives one", async () => {
    const { rest, emulator } = await emulate();
    expect((await rest("POST", "/pods", { name: "p", gpu: GPU })).body.errors).toEqual([
      "$: missing property 'image'",
    ]);
    const { id: templateId } = emulator.service.templates.create({ name: "t", image: "from-template" });
    expect((await rest("POST", "/pods", { name: "p", gpu: GPU, templateId })).body.image).toBe(
      "from-template",
    );
  });

  test("refuses an image that its registry does not know with 422", async () => {
    const { rest, emulator } = await emulate();
    emulator.service.containers.missingImages.add(POD.image);
    expect((await rest("POST", "/pods", POD)).status).toBe(422);
  });

  test("refuses a pod that the balance does not cover with 402", async () => {
    const { rest } = await emulate({ balance: 0.1 });
    expect((await rest("POST", "/pods", POD)).status).toBe(402);
  });

  test("goes to the data center of its network volume, and only there", async () => {
    const client = await emulate();
    const volume = client.emulator.service.volumes.create({ name: "v", size: 10, dataCenter: "EU-RO-1" });
    const mounts = { network: [{ volumeId: volume.id, path: "/x" }] };
    expect(await createPod(client, { mounts })).toMatchObject({ dataCenterId: "EU-RO-1", mounts });
    for (const more of [{ dataCenterIds: ["US-KS-2"] }, { cloud: "COMMUNITY" }])
      expect((await client.rest("POST", "/pods", { ...POD, mounts, ...more })).status).toBe(400);
  });

  test("takes up capacity until it is stopped", async () => {
    const client = await emulate();
    client.emulator.service.capacity.set({ gpu: GPU.id, free: 1 });
    const pod = await runningPod(client);
    expect((await client.rest("POST", "/pods", POD)).body.detail).toMatch(NO_CAPACITY);
    await client.rest("POST", `${pod}/action`, { action: "stop" });
    await createPod(client);
    const { status, body } = await client.rest("POST", `${pod}/action`, { action: "start" });
    expect(status).toBe(400);
    expect(body.detail).toBe("There are not enough free GPUs on the host machine to start this pod.");
  });

  test("falls back to another data center when one is full", async () => {
    const client = await emulate();
    client.emulator.service.capacity.set({ gpu: GPU.id, dataCenter: "US-KS-2", free: 0 });
    expect((await createPod(client, { dataCenterIds: ["US-KS-2", "EU-RO-1"] })).dataCenterId).toBe("EU-RO-1");
  });

  test("takes the newest CUDA version that it accepts", async () => {
    const client = await emulate();
    const cuda = async (more: object) => (await createPod(client, { gpu: { ...GPU, ...more } })).cudaVersion;
    expect(await cuda({ allowedCudaVersions: ["12.4", "12.6"] })).toBe("12.6");
    expect(await cuda({ minCudaVersion: "12.11", allowedCudaVersions: [] })).toBe("13.0");
  });

  test("tells the vCPUs and the memory of all its GPUs", async () => {
    const client = await emulate();
    const gpu = { ...GPU, count: 2, minRamPerGpu: 32, minVcpuCountPerGpu: 8 };
    const held = { id: GPU.id, count: 2, vcpuCount: 16, memory: 64 };
    expect((await createPod(client, { gpu })).gpu).toEqual(held);
  });

  test.each([
    [
      { entrypoint: ["sh", "-c"], cmd: ["a b"] },
      { entrypoint: ["sh", "-c"], cmd: ["a b"] },
    ],
    [{ args: '{"entrypoint":["sh"]}' }, { args: '{"entrypoint":["sh"]}', entrypoint: ["sh"], cmd: [] }],
    [{ args: "serve it" }, { args: "serve it", entrypoint: [], cmd: ["serve", "it"] }],
    [{ args: "serve it", cmd: ["serve", "it"], entrypoint: [] }, { args: "serve it" }],
    [{ args: '{"other":1}' }, { args: '{"other":1}', entrypoint: [], cmd: ['{"other":1}'] }],
    [
      { entrypoint: [], cmd: [] },
      { args: "", entrypoint: [], cmd: [] },
    ],
  ])("returns the command %j in both forms", async (command, held) => {
    expect(await createPod(await emulate(), command)).toMatchObject(held);
  });

  test("derives the memory of a CPU pod", async () => {
    const client = await emulate();
    expect((await createPod(client, { gpu: undefined, cpu: CPU })).cpu).toEqual({ ...CPU, memory: 8 });
  });
});

describe("a pod's template", () => {
  const TEMPLATE = {
    name: "t",
    image: "base",
    args: "serve",
    env: { A: "template", B: "template" },
    mounts: { persistent: { size: 30, path: "/data" } },
    startJupyter: false,
    allowedCudaVersions: ["12.4"],
  };

  test("gives what the body leaves out, env key by key", async () => {
    const client = await emulate({ injectEnv: false });
    const { id: templateId } = client.emulator.service.templates.create(TEMPLATE);
    expect(await createPod(client, { templateId, image: "own", env: { B: "own" } })).toMatchObject({
      image: "own",
      args: "serve",
      env: { A: "template", B: "own" },
      mounts: TEMPLATE.mounts,
      cudaVersion: "12.4",
      template: null,
    });
  });

  test("gives CPU pods no persistent mount", async () => {
    const client = await emulate();
    const { id: templateId } = client.emulator.service.templates.create(TEMPLATE);
    expect((await createPod(client, { templateId, gpu: undefined, cpu: CPU })).mounts).toEqual({});
  });

  test("must exist and be a pod template", async () => {
    const { rest, emulator } = await emulate();
    const { id: templateId } = emulator.service.templates.create({ ...TEMPLATE, serverless: true });
    expect((await rest("POST", "/pods", { ...POD, templateId })).status).toBe(422);
    expect((await rest("POST", "/pods", { ...POD, templateId: "missing" })).status).toBe(404);
  });
});
