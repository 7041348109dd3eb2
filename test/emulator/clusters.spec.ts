import type { Cluster } from "../../sdk/emulator/service/state/clusters";
import type { Pod } from "../../sdk/emulator/service/state/pod";
import { type Client, emulate, NO_CAPACITY } from "./client";

const COMPUTE = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
const CLUSTER = { name: "c", type: "TRAINING", compute: COMPUTE, image: "app:1", ports: ["22/tcp"] };
const BOOT = 3_000;
const HOUR = 3_600_000;

async function createCluster(client: Client, more: object = {}): Promise<Cluster> {
  const { status, body } = await client.rest<Cluster>("POST", "/clusters", { ...CLUSTER, ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function members(client: Client, { id }: Cluster): Promise<Pod[]> {
  return (await client.rest<{ pods: Pod[] }>("GET", `/clusters/${id}/pods`)).body.pods;
}

describe("a cluster", () => {
  test("gets its network, its data center and its primary once its pods are placed", async () => {
    const client = await emulate();
    const created = await createCluster(client);
    expect(created).toEqual({
      id: created.id,
      name: "c",
      type: "TRAINING",
      compute: COMPUTE,
      pods: { total: 2, byStatus: { PROVISIONING: 2 } },
      createdAt: "2026-06-01T12:00:00Z",
    });
    expect((await members(client, created)).map(({ cluster }) => cluster)).toEqual(
      Array(2).fill({ id: created.id, rank: null }),
    );
    client.clock.advance(BOOT);
    const pods = await members(client, created);
    expect(pods.map(({ cluster }) => cluster)).toEqual([
      { id: created.id, rank: 0, ip: "10.65.0.2" },
      { id: created.id, rank: 1, ip: "10.65.0.3" },
    ]);
    const direct = pods[0]?.ssh.direct;
    expect((await client.rest<Cluster>("GET", `/clusters/${created.id}`)).body).toMatchObject({
      dataCenterId: pods[1]?.dataCenterId,
      pods: { total: 2, byStatus: { RUNNING: 2 } },
      network: { cidr: "10.65.0.0/16" },
      primary: { podId: pods[0]?.id, status: "RUNNING", sshEndpoint: `${direct?.host}:${direct?.port}` },
    });
  });

  test.each([
    ["TRAINING", [undefined, undefined]],
    ["SLURM", ["SLURM_CONTROLLER", "SLURM_COMPUTE"]],
    ["RAY", ["RAY_HEAD", "RAY_WORKER"]],
  ])("of type %s gives its pods the roles %j", async (type, roles) => {
    const client = await emulate();
    const pods = await members(client, await createCluster(client, { type }));
    expect(pods.map(({ cluster }) => cluster?.role)).toEqual(roles);
  });

  test("has no pods in the list of pods unless they are asked for", async () => {
    const client = await emulate();
    const { id } = await createCluster(client);
    expect((await client.rest("GET", "/pods")).body.pods).toEqual([]);
    expect((await client.rest("GET", "/pods?includeClusterPods=true")).body.pods).toHaveLength(2);
    expect((await client.rest("GET", "/pods?includeClusterPods=yes")).status).toBe(422);
    expect(client.emulator.service.snapshot()).toMatchObject({ pods: [], clusters: [{ id }] });
  });

  test("alone rules its pods: they can be neither changed nor deleted by themselves", async () => {
    const client = await emulate();
    const [pod] = await members(client, await createCluster(client));
    const path = `/pods/${pod?.id}`;
    expect((await client.rest("PATCH", path, { name: "mine" })).status).toBe(409);
    expect((await client.rest("DELETE", path)).status).toBe(409);
    expect((await client.rest("POST", `${path}/action`, { action: "terminate" })).status).toBe(409);
    expect((await client.rest("GET", path)).body).toMatchObject({ name: "c-0" });
  });

  test("can be renamed, and nothing else", async () => {
    const client = await emulate();
    const { id } = await createCluster(client);
    expect((await client.rest("PATCH", `/clusters/${id}`, { name: "new" })).body.name).toBe("new");
    expect((await client.rest("PATCH", `/clusters/${id}`, {})).status).toBe(422);
    expect((await client.rest("PATCH", `/clusters/${id}`, { image: "app:2" })).status).toBe(422);
  });

  test("takes its pods with it, which can be seen until they have stopped and hold their volume that long", async () => {
    const client = await emulate({ timings: { stopping: 500 } });
    const volume = await client.rest("POST", "/network-volumes", {
      name: "v",
      size: 10,
      dataCenter: "US-KS-2",
    });
    const mounts = { network: [{ volumeId: volume.body.id, path: "/data" }] };
    const { id } = await createCluster(client, { mounts });
    const left = async () => (await client.rest("GET", "/pods?includeClusterPods=true")).body.pods;
    expect((await client.rest("DELETE", `/clusters/${id}`)).status).toBe(204);
    expect((await client.rest("GET", `/clusters/${id}`)).status).toBe(404);
    expect((await client.rest("GET", `/clusters/${id}/pods`)).status).toBe(404);
    expect(await left()).toHaveLength(2);
    expect((await client.rest("DELETE", `/network-volumes/${volume.body.id}`)).status).toBe(400);
    client.clock.advance(500);
    expect(await left()).toEqual([]);
    expect((await client.rest("DELETE", `/network-volumes/${volume.body.id}`)).status).toBe(204);
  });

  test.each([
    ["one pod", { compute: { ...COMPUTE, podCount: 1 } }, 422],
    ["too many pods", { compute: { ...COMPUTE, podCount: 251 } }, 422],
    ["a credential", { registry: "r" }, 422],
    ["an unknown type", { type: "KUBERNETES" }, 422],
    ["a GPU that does not exist", { compute: { ...COMPUTE, gpuTypeId: "NVIDIA X" } }, 400],
    ["more GPUs than a machine has", { compute: { ...COMPUTE, gpuCountPerPod: 9 } }, 400],
    ["both kinds of storage", { mounts: { persistent: { size: 10, path: "/a" }, network: [] } }, 400],
    ["a template and settings of its own", { templateId: "t" }, 400],
    ["a template that does not exist", { image: undefined, ports: undefined, templateId: "t" }, 404],
  ])("with %s is refused", async (_title, more, status) => {
    const client = await emulate();
    expect((await client.rest("POST", "/clusters", { ...CLUSTER, ...more })).status).toBe(status);
    expect(client.emulator.service.isEmpty()).toBe(true);
  });

  test("is created whole in one data center, or not at all", async () => {
    const client = await emulate();
    const gpu = COMPUTE.gpuTypeId;
    client.emulator.service.capacity.set({ gpu, free: 15 });
    const { status, body } = await client.rest("POST", "/clusters", CLUSTER);
    expect({ status, detail: body.detail }).toEqual({
      status: 400,
      detail: expect.stringMatching(NO_CAPACITY),
    });
    client.emulator.service.capacity.set({ gpu, free: 100 });
    client.emulator.service.capacity.set({ gpu, dataCenter: "US-KS-2", free: 8 });
    const pods = await members(client, await createCluster(client));
    expect(new Set(pods.map(({ dataCenterId }) => dataCenterId))).toEqual(new Set(["US-KS-3"]));
  });

  test("that the balance does not pay for an hour is refused", async () => {
    const client = await emulate({ balance: 12 });
    expect((await client.rest("POST", "/clusters", CLUSTER)).status).toBe(402);
  });

  test("is billed as a cluster, and its pods not a second time", async () => {
    const client = await emulate();
    const { id } = await createCluster(client, { disk: 100 });
    client.clock.advance(2 * HOUR);
    await client.rest("DELETE", `/clusters/${id}`);
    client.clock.advance(HOUR);
    const { body } = await client.rest<{ records: object[] }>("GET", `/billing/clusters?clusterId=${id}`);
    expect(body.records).toMatchObject([
      {
        clusterId: id,
        gpuAmount: expect.closeTo(2 * 16 * 0.8),
        diskAmount: expect.closeTo(2 * 2 * 100 * 0.0001),
        networkingAmount: 0,
      },
    ]);
    expect((await client.rest("GET", "/billing/pods")).body.records).toEqual([]);
  });
});
