import type { Endpoint } from "../../sdk/emulator/service/state/endpoint";
import type { ReleaseList, WorkerList } from "../../sdk/emulator/service/state/workers";
import { BALANCED, type Client, createEndpoint, emulate, endpointPath } from "./client";
import { INPUT, manual, settle } from "./queue-client";

describe("releases and workers", () => {
  const releases = async (client: Client, endpoint: Endpoint) =>
    (await client.rest<ReleaseList>("GET", `${endpointPath(endpoint)}/releases`)).body;
  const workers = async (client: Client, endpoint: Endpoint) =>
    (await client.rest<WorkerList>("GET", `${endpointPath(endpoint)}/workers`)).body;

  test("a change of what workers carry creates a release with its differences", async () => {
    const client = await emulate();
    const endpoint = await createEndpoint(client, { env: { A: "1" } });
    await client.rest("PATCH", endpointPath(endpoint), {
      image: "app:2",
      env: { A: "2" },
      workers: { max: 5 },
    });
    expect(await releases(client, endpoint)).toMatchObject({
      endpointVersion: 2,
      releases: [
        {
          version: 2,
          source: "MANUAL",
          diff: [
            { field: "workers.max", old: 3, new: 5 },
            { field: "template.imageName", old: "app:1", new: "app:2" },
            { field: "template.env", old: { A: "1" }, new: { A: "2" } },
          ],
        },
        { version: 1, diff: [] },
      ],
    });
  });

  test.each([
    ["a change of the autoscaler", { workers: { max: 5 }, name: "x", timeout: 1 }, 1],
    ["the same values again", { image: "app:1", env: {}, dataCenterIds: ["US-KS-2", "EU-RO-1"] }, 1],
    ["another order of a list", { dataCenterIds: ["EU-RO-1", "US-KS-2"] }, 2],
  ])("%s, %j, leads to version %i", async (_, change, version) => {
    const client = await emulate();
    const endpoint = await createEndpoint(client, { dataCenterIds: ["US-KS-2", "EU-RO-1"] });
    await client.rest("PATCH", endpointPath(endpoint), change);
    expect((await releases(client, endpoint)).endpointVersion).toBe(version);
  });

  test("workers start, and take over a release one after the other", async () => {
    const client = await emulate();
    const endpoint = await createEndpoint(client, { workers: { min: 2 } });
    expect((await workers(client, endpoint)).summary).toMatchObject({ initializing: 2, idle: 0, total: 2 });
    client.clock.advance(2_000);
    expect((await workers(client, endpoint)).summary).toMatchObject({ initializing: 0, idle: 2 });
    await client.rest("PATCH", endpointPath(endpoint), { image: "app:2" });
    const rollout = async () => (await releases(client, endpoint)).rollout;
    expect(await rollout()).toEqual({
      inProgress: true,
      workersOnLatest: 0,
      workersTotal: 2,
      percentOnLatest: 0,
    });
    client.clock.advance(2_000);
    expect(await rollout()).toMatchObject({ inProgress: true, percentOnLatest: 50 });
    expect(
      (await workers(client, endpoint)).workers.map(({ isStale, image }) => ({ isStale, image })),
    ).toEqual([
      { isStale: true, image: "app:1" },
      { isStale: false, image: "app:2" },
    ]);
    client.clock.advance(2_000);
    expect(await rollout()).toMatchObject({ inProgress: false, percentOnLatest: 100 });
  });

  test("a worker with a job is replaced when the job has ended, by one that starts then", async () => {
    const client = await emulate();
    const jobs = manual(client);
    const endpoint = await createEndpoint(client, { workers: { min: 1 } });
    client.clock.advance(2_000);
    await client.queue("POST", `/${endpoint.id}/run`, INPUT);
    await client.rest("PATCH", endpointPath(endpoint), { image: "app:2" });
    client.clock.advance(60_000);
    expect((await workers(client, endpoint)).workers).toMatchObject([{ status: "RUNNING", isStale: true }]);
    jobs[0]?.resolve("done");
    await settle();
    expect((await workers(client, endpoint)).workers).toMatchObject([
      { status: "INITIALIZING", isStale: false },
    ]);
  });

  test("workers are where one of their network volumes is", async () => {
    const client = await emulate();
    const size = 10;
    const { id } = client.emulator.service.volumes.create({ name: "v", size, dataCenter: "EU-RO-1" });
    const endpoint = await createEndpoint(client, { networkVolumes: [id], workers: { min: 1 } });
    expect((await workers(client, endpoint)).workers).toMatchObject([{ dataCenterId: "EU-RO-1" }]);
  });

  test("throttled workers hold their volume until there may be none", async () => {
    const client = await emulate();
    const { service } = client.emulator;
    const volume = service.volumes.create({ name: "v", size: 10, dataCenter: "US-KS-2" });
    const endpoint = await createEndpoint(client, { networkVolumes: [volume.id] });
    service.endpoints.throttle(endpoint.id);
    expect((await workers(client, endpoint)).workers).toMatchObject([
      { status: "THROTTLED", gpuTypeId: null },
    ]);
    expect((await client.rest("DELETE", `/network-volumes/${volume.id}`)).body).toMatchObject({
      status: 400,
      detail: "You must remove this network volume from all pods before deleting it.",
    });
    await client.rest("PATCH", endpointPath(endpoint), { workers: { max: 0 } });
    expect((await client.rest("DELETE", `/network-volumes/${volume.id}`)).status).toBe(204);
  });

  test("a load balancer is healthy once a worker is ready", async () => {
    const client = await emulate();
    const { requestUrls } = await createEndpoint(client, { ...BALANCED, workers: { min: 1 } });
    const health = async () =>
      (await fetch(requestUrls.health ?? "", { headers: { Authorization: "key" } })).status;
    expect(await health()).toBe(204);
    client.clock.advance(2_000);
    expect(await health()).toBe(200);
  });
});
