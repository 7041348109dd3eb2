import { BALANCED, CPU, createEndpoint, ENDPOINT, emulate, endpointPath, REQUEST_COUNT } from "./client";

describe("creating an endpoint", () => {
  test("fills in the defaults", async () => {
    const client = await emulate();
    expect(await createEndpoint(client)).toMatchObject({
      args: "",
      env: {},
      ports: [],
      registry: null,
      gpu: { pools: ["ADA_24"], count: 1, allowedCudaVersions: [], minCudaVersion: null },
      workers: { min: 0, max: 3, idleTimeout: 10 },
      timeout: 300_000,
      flashboot: "OFF",
      dataCenterIds: [],
      networkVolumes: [],
    });
  });

  test("publishes the addresses of its queue", async () => {
    const client = await emulate();
    const { id, requestUrls } = await createEndpoint(client);
    expect(requestUrls).toMatchObject({
      run: `${client.emulator.queueUrl}/v2/${id}/run`,
      status: `${client.emulator.queueUrl}/v2/${id}/status/{job_id}`,
    });
  });

  test("publishes the base address and the health check of a load balancer", async () => {
    const client = await emulate();
    const { requestUrls } = await createEndpoint(client, { ...BALANCED, env: { HEALTH_CHECK_PATH: "/ok" } });
    expect(requestUrls).toEqual({ base: requestUrls.base, health: `${requestUrls.base}/ok` });
  });

  test("adds its ports to the environment of a load balancer, once", async () => {
    const client = await emulate();
    const { id, env } = await createEndpoint(client, { ...BALANCED, env: { PORT: "8000" } });
    expect(env).toEqual({ PORT: "8000", PORT_HEALTH: "80" });
    expect((await client.rest("PATCH", `/serverless/${id}`, { env: {} })).body.env).toEqual({});
  });

  test.each([
    [{ gpu: undefined }, "exactly one of gpu or cpu"],
    [{ cpu: [CPU] }, "exactly one of gpu or cpu"],
    [{ gpu: { pools: ["NO_POOL"] } }, "'NO_POOL' was not found"],
    [
      { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA L40"] } },
      "'NVIDIA L40' is not a GPU type of the pools",
    ],
    [{ gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA GeForce RTX 4090"] } }, "leaves no GPU type"],
    [
      { gpu: { pools: ["ADA_24"], allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" } },
      "mutually exclusive",
    ],
    [{ workers: { min: 4 } }, "workers.min must not exceed workers.max"],
    [{ networkVolumes: ["missing"] }, "was not found"],
    [{ dataCenterIds: ["MOON-1"] }, "no longer any instances"],
    [{ gpu: undefined, cpu: [{ id: "cpu3c", vcpuCount: 6 }] }, "power of two"],
  ])("with %j breaks a rule, which is a 400", async (more, detail) => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/serverless", { ...ENDPOINT, ...more });
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringContaining(detail) });
  });

  test.each([
    [{ flashboot: true }, "$.flashboot: value must be one of 'OFF', 'FLASHBOOT', 'PRIORITY_FLASHBOOT'"],
    [{ cpu: [CPU, CPU], gpu: undefined }, "$.cpu: items must be unique"],
    [{ scaling: { type: "QUEUE_DELAY", requestCount: 1 } }, "$.scaling: missing property 'queueDelay'"],
    [{ scaling: {} }, "$.scaling: missing property 'type'"],
    [{ scaling: { type: "OTHER" } }, "$.scaling.type: value must be one of 'QUEUE_DELAY', 'REQUEST_COUNT'"],
    [{ type: "LOAD_BALANCER" }, "$.scaling.type: value must be 'REQUEST_COUNT'"],
    [{ workers: { idleTimeout: 0 } }, "$.workers.idleTimeout: minimum: got 0, want 1"],
    [{ image: undefined }, "$: missing property 'image'"],
  ])("with %j breaks the schema, which is a 422", async (more, fault) => {
    const { rest } = await emulate();
    const { status, body } = await rest("POST", "/serverless", { ...ENDPOINT, ...more });
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: expect.arrayContaining([fault]) });
  });

  test("knows no idle timeout for queues that scale on requests", async () => {
    const client = await emulate();
    const { workers } = await createEndpoint(client, { scaling: REQUEST_COUNT });
    expect(workers).toEqual({ min: 0, max: 3 });
    const refused = { ...ENDPOINT, scaling: REQUEST_COUNT, workers: { idleTimeout: 5 } };
    const { status, body } = await client.rest("POST", "/serverless", refused);
    expect(status).toBe(422);
    expect(body.detail).toContain("idleTimeout does not apply");
  });

  test("trims excluded types", async () => {
    const client = await emulate();
    const { gpu } = await createEndpoint(client, {
      gpu: { pools: ["ADA_48_PRO"], excludedTypes: [" NVIDIA L40 "] },
    });
    expect(gpu?.excludedTypes).toEqual(["NVIDIA L40"]);
  });

  test("takes one volume a data center", async () => {
    const client = await emulate();
    const volume = (dataCenter: string) =>
      client.emulator.service.volumes.create({ name: "v", size: 10, dataCenter }).id;
    const [a, b, c] = [volume("US-KS-2"), volume("US-KS-2"), volume("EU-RO-1")];
    expect((await createEndpoint(client, { networkVolumes: [a, c] })).networkVolumes).toEqual([a, c]);
    for (const more of [{ networkVolumes: [a, b] }, { networkVolumes: [a], dataCenterIds: ["EU-RO-1"] }])
      expect((await client.rest("POST", "/serverless", { ...ENDPOINT, ...more })).status).toBe(400);
  });

  test("takes a serverless template as the source of what the body leaves out", async () => {
    const client = await emulate();
    const { templates } = client.emulator.service;
    const base = { image: "base", env: { A: "1", B: "1" }, allowedCudaVersions: ["12.4"] };
    const { id: templateId } = templates.create({ ...base, name: "s", serverless: true });
    const endpoint = await createEndpoint(client, { image: undefined, templateId, env: { B: "2" } });
    expect(endpoint).toMatchObject({
      image: "base",
      env: { A: "1", B: "2" },
      gpu: { allowedCudaVersions: ["12.4"] },
    });
    const { id: podTemplate } = templates.create({ ...base, name: "p" });
    const status = async (id: string) =>
      (await client.rest("POST", "/serverless", { ...ENDPOINT, templateId: id })).status;
    expect(await status(podTemplate)).toBe(422);
    expect(await status("missing")).toBe(404);
  });

  test("is limited by the account's quota of workers", async () => {
    const client = await emulate({ workersQuota: 5 });
    const first = await createEndpoint(client);
    const { status, body } = await client.rest("POST", "/serverless", ENDPOINT);
    expect(status).toBe(400);
    expect(body.detail).toMatch(/must not exceed your workers quota \(5\)\..* to at most 2\.$/);
    expect((await client.rest("PATCH", endpointPath(first), { workers: { max: 6 } })).status).toBe(400);
    expect((await client.rest("PATCH", endpointPath(first), { workers: { max: 5 } })).status).toBe(200);
  });
});
