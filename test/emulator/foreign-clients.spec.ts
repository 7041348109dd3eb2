import { get } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { createEndpoint, createPod, emulate, GPU, POD } from "./client";

// What other clients of the service send.

test("no window of a bill takes long, however long it is", async () => {
  const client = await emulate();
  await createPod(client);
  client.clock.advance(3 * 3_600_000);
  const began = performance.now();
  for (const query of [
    "lastN=1000000000",
    "lastN=9007199254740991&bucketSize=hour",
    "lastN=1000000000&bucketSize=year",
    "startTime=0001-01-01T00:00:00Z&endTime=9999-12-31T23:00:00Z&bucketSize=hour",
  ]) {
    const { status, body } = await client.rest<{ records: object[]; metadata: { totals: object } }>(
      "GET",
      `/billing/pods?${query}`,
    );
    expect({ query, status }).toEqual({ query, status: 200 });
    expect(body.metadata.totals).toMatchObject({ totalAmount: expect.closeTo(0.72 + 3 * 20 * 0.0001, 6) });
  }
  expect(performance.now() - began).toBeLessThan(2_000);
  expect((await client.rest("GET", "/billing?lastN=9007199254740993")).status).toBe(422);
});

test("a catalog with its stock does not take longer with many pods", async () => {
  const client = await emulate({ balance: 100_000 });
  for (let number = 0; number < 300; number++) client.emulator.service.pods.create({ ...POD, gpu: GPU });
  const began = performance.now();
  const paths = [
    "/catalog/gpus?include=AVAILABILITY&product=POD,SERVERLESS",
    "/catalog/cpus?include=AVAILABILITY&product=POD",
    "/catalog/datacenters?include=GPU_AVAILABILITY,CPU_AVAILABILITY",
  ];
  for (const path of paths) expect((await client.rest("GET", path)).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(500);
});

test("/status-sync waits for a job", async () => {
  const client = await emulate();
  const { id } = await createEndpoint(client, { workers: { min: 1 } });
  client.emulator.setHandler(id, async () => "done");
  client.clock.advance(10_000);
  const { body: job } = await client.queue("POST", `/${id}/run`, { input: { a: 1 } });
  for (const method of ["GET", "POST"])
    expect((await client.queue(method, `/${id}/status-sync/${job.id}`)).body).toMatchObject({
      status: "COMPLETED",
      output: "done",
    });
  expect((await client.queue("GET", `/${id}/status-sync/nobody`)).status).toBe(404);
});

test.each(["TRACE", "QUERY"])("%s is answered 405, with what is allowed", async (method) => {
  const { emulator } = await emulate();
  const { port } = emulator;
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(
        `${method} /v2/pods HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\nAuthorization: Bearer key\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("end", () => resolve(text)).on("error", reject);
  });
  // The HTTP parser of Node.js 20 does not know QUERY, and answers before any program.
  if (method === "QUERY" && !require("node:http").METHODS.includes(method)) return;
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).toMatch(/^allow: GET, POST\r$/im);
});

test.each([undefined, "", "Python-urllib/3.12"])("who says %j of itself is turned away", async (name) => {
  const { emulator } = await emulate();
  const { port } = emulator;
  const sent = (path: string, userAgent: string | undefined) =>
    new Promise<{ status?: number; body: string }>((resolve, reject) => {
      const headers = {
        authorization: "Bearer key",
        ...(userAgent !== undefined && { "user-agent": userAgent }),
      };
      get({ port, path, headers }, async (answer) =>
        resolve({ status: answer.statusCode, body: await text(answer) }),
      ).on("error", reject);
    });
  for (const path of ["/v2/pods", "/v2/openapi.json", "/queue/v2/e1/health", "/graphql?api_key=key"])
    expect(await sent(path, name)).toEqual({ status: 403, body: "error code: 1010" });
  expect(await sent("/v2/pods", "curl/8.5.0")).toMatchObject({ status: 200 });
});

test("GraphQL takes an empty list of GPUs for none, and refuses what REST refuses", async () => {
  const { graphql, emulator } = await emulate();
  const deploy =
    "mutation ($input: PodFindAndDeployOnDemandInput) { podFindAndDeployOnDemand(input: $input) { id } }";
  const pod = { name: "p", imageName: "app:1", gpuCount: 1, gpuTypeId: GPU.id, gpuTypeIdList: [] };
  const refusals = async (query: string, input: object) =>
    (await graphql<{ errors?: { message: string }[] }>(query, { input })).body.errors?.map(
      ({ message }) => message,
    );
  expect(await refusals(deploy, pod)).toBeUndefined();
  expect(await refusals(deploy, { ...pod, containerDiskInGb: 0 })).toEqual([
    expect.stringContaining("containerDiskInGb must be at least 1"),
  ]);
  const volume = "mutation ($input: CreateNetworkVolumeInput!) { createNetworkVolume(input: $input) { id } }";
  const data = { name: "data", size: 10, dataCenterId: "EU-RO-1" };
  expect(await refusals(volume, data)).toBeUndefined();
  for (const [wrong, why] of [
    [{ name: "" }, "name must not be empty"],
    [{ size: 5000 }, "size must be from 10 to 4096"],
    [{ size: 0 }, "size must be from 10 to 4096"],
  ] as const)
    expect(await refusals(volume, { ...data, ...wrong })).toEqual([expect.stringContaining(why)]);
  expect(await refusals(volume, { ...data, name: null })).toEqual([expect.any(String)]);
  const template = "mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) { id } }";
  const worker = { name: "w", imageName: "app:1", containerDiskInGb: 5, volumeInGb: 0, env: [] };
  expect(await refusals(template, worker)).toBeUndefined();
  for (const wrong of [{ name: " " }, { containerDiskInGb: 0 }])
    expect(await refusals(template, { ...worker, ...wrong })).toHaveLength(1);
  expect(emulator.service.snapshot()).toMatchObject({
    pods: [{ name: "p" }],
    networkVolumes: [{ name: "data" }],
    templates: [{ name: "w" }],
  });
});

test("integers beyond what JSON numbers hold are refused", async () => {
  const { rest, emulator } = await emulate();
  for (const [path, body] of [
    [
      "/serverless",
      '{"name":"e","type":"QUEUE","image":"a:1","gpu":{"pools":["ADA_24"]},"scaling":{"type":"QUEUE_DELAY","queueDelay":4},"timeout":9007199254740993}',
    ],
    ["/network-volumes", '{"name":"v","size":90071992547409930,"dataCenter":"EU-RO-1"}'],
    ["/pods", '{"name":"p","image":"a:1","gpu":{"id":"NVIDIA L4","count":18014398509481985}}'],
  ] as const)
    expect((await rest("POST", path, body)).status).toBe(422);
  expect(emulator.service.isEmpty()).toBe(true);
});
