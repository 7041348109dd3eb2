import type { Endpoint } from "../../sdk/emulator/service/state/endpoint";
import { BALANCED, CPU, createEndpoint, emulate, endpointPath, QUEUE_DELAY, REQUEST_COUNT } from "./client";

describe("updating an endpoint", () => {
  test("touches only what the body has", async () => {
    const client = await emulate();
    const before = await createEndpoint(client, {
      env: { A: "1" },
      workers: { max: 2 },
      dataCenterIds: ["US-KS-2"],
    });
    expect((await client.rest("PATCH", endpointPath(before), {})).body).toEqual(before);
    const { body } = await client.rest("PATCH", endpointPath(before), {
      workers: { min: 1 },
      dataCenterIds: [],
    });
    expect(body).toEqual({ ...before, workers: { min: 1, max: 2, idleTimeout: 10 }, dataCenterIds: [] });
  });

  test.each([
    ["registry", "/registries", { name: "r", username: "u", password: "p" }, (id: string) => id],
    [
      "networkVolumes",
      "/network-volumes",
      { name: "v", size: 10, dataCenter: "US-KS-2" },
      (id: string) => [id],
    ],
    ["globalVolumes", "/global-volumes", { name: "g" }, (id: string) => [id]],
  ])("looks up what it names, and nothing else: of %s that are gone", async (field, path, body, value) => {
    const client = await emulate();
    const { id } = (await client.rest("POST", path, body)).body;
    const endpoint = await createEndpoint(client, { [field]: value(id) });
    expect((await client.rest("DELETE", `${path}/${id}`)).status).toBe(204);
    const patch = async (change: object) =>
      (await client.rest("PATCH", endpointPath(endpoint), change)).status;
    expect(await patch({ name: "other", dataCenterIds: ["US-KS-2"] })).toBe(200);
    expect(await patch({ [field]: value(id) })).toBe(400);
    expect(await patch({ [field]: field === "registry" ? null : [] })).toBe(200);
  });

  test("cannot change the type or the compute family", async () => {
    const client = await emulate();
    const endpoint = await createEndpoint(client);
    expect((await client.rest("PATCH", endpointPath(endpoint), { type: "QUEUE" })).body).toMatchObject({
      status: 422,
      errors: ["$: additional properties 'type' not allowed"],
    });
    expect((await client.rest("PATCH", endpointPath(endpoint), { cpu: [CPU] })).status).toBe(400);
  });

  test("treats pools and excluded types as one selection", async () => {
    const client = await emulate();
    const gpu = { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"] };
    const endpoint = await createEndpoint(client, { gpu });
    const patch = async (change: object) =>
      (await client.rest<Endpoint>("PATCH", endpointPath(endpoint), { gpu: change })).body.gpu;
    expect(await patch({ count: 2 })).toMatchObject({ ...gpu, count: 2 });
    expect(await patch({ pools: ["ADA_48_PRO"] })).not.toHaveProperty("excludedTypes");
    const alone = await client.rest("PATCH", endpointPath(endpoint), {
      gpu: { excludedTypes: ["NVIDIA L40"] },
    });
    expect(alone.status).toBe(422);
  });

  test("clears a CUDA constraint only when asked to", async () => {
    const client = await emulate();
    const endpoint = await createEndpoint(client, { gpu: { pools: ["ADA_24"], minCudaVersion: "12.4" } });
    const status = async (gpu: object) =>
      (await client.rest("PATCH", endpointPath(endpoint), { gpu })).status;
    expect(await status({ allowedCudaVersions: ["12.8"] })).toBe(400);
    expect(await status({ allowedCudaVersions: ["12.8"], minCudaVersion: "" })).toBe(200);
    expect((await client.rest("GET", endpointPath(endpoint))).body.gpu).toMatchObject({
      allowedCudaVersions: ["12.8"],
      minCudaVersion: null,
    });
  });

  test("switches the scaler, within what the type allows", async () => {
    const client = await emulate();
    const queue = await createEndpoint(client);
    const { body } = await client.rest<Endpoint>("PATCH", endpointPath(queue), { scaling: REQUEST_COUNT });
    expect(body).toMatchObject({ scaling: REQUEST_COUNT, workers: { min: 0, max: 3 } });
    expect((await client.rest("PATCH", endpointPath(queue), { workers: { idleTimeout: 5 } })).status).toBe(
      422,
    );
    const balanced = await createEndpoint(client, BALANCED);
    expect((await client.rest("PATCH", endpointPath(balanced), { scaling: QUEUE_DELAY })).status).toBe(400);
  });
});
