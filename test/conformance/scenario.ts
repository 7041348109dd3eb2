import type { Emulator, ManualClock } from "../../sdk/emulator/service";
import { build } from "./build";
import { billing, catalog, errors } from "./reads";
import type { Recorder } from "./recorder";

const GPU = { id: "NVIDIA GeForce RTX 4090", count: 1 };
const CPU = { id: "cpu3c", vcpuCount: 4 };
const MINUTE = 60_000;

export interface Context {
  api: Recorder;
  emulator: Emulator;
  clock: ManualClock;
}

/** Sends every operation of the REST interface, in every state that changes its answers. */
export async function drive(context: Context): Promise<void> {
  await errors(context);
  await account(context);
  await templates(context);
  await volumes(context);
  await pods(context);
  await clusters(context);
  await endpoints(context);
  await labels(context);
  await catalog(context);
  await billing(context);
}

async function account({ api }: Context): Promise<void> {
  const key = "ssh-ed25519 AAAAC3Nza me@example";
  await api.send("PUT", "/account/ssh-keys", { body: { keys: [key] }, expect: 200 });
  await api.send("GET", "/account/ssh-keys", { expect: 200 });

  const credentials = { name: "hub", username: "me", password: "pw" };
  const { id } = await api.send("POST", "/registries", { body: credentials, expect: 201 });
  await api.send("POST", "/registries", { body: credentials, expect: 400 });
  await api.send("GET", `/registries/${id}`, { expect: 200 });
  await api.send("GET", "/registries", { expect: 200 });
  await api.send("PATCH", `/registries/${id}`, { body: { password: "new" }, expect: 200 });
  await api.send("DELETE", `/registries/${id}`, { expect: 204 });

  const resource = "arn:aws:ecr:us-east-1:123456789012:repository/app";
  const delegation = await api.send("POST", "/registries/delegations", { body: { resource }, expect: 201 });
  await api.send("GET", "/registries/delegations", { expect: 200 });
  await api.send("DELETE", `/registries/delegations/${delegation.id}`, { expect: 204 });

  const secret = await api.send("POST", "/account/secrets", {
    body: { name: "token", value: "v" },
    expect: 201,
  });
  await api.send("POST", "/account/secrets", { body: { name: "token", value: "v" }, expect: 409 });
  await api.send("GET", "/account/secrets?name=TOKEN", { expect: 200 });
  await api.send("PATCH", `/account/secrets/${secret.id}`, { body: { description: "d" }, expect: 200 });
  await api.send("GET", `/account/secrets/${secret.id}`, { expect: 200 });
  await api.send("DELETE", `/account/secrets/${secret.id}`, { expect: 204 });

  for (const path of ["/account", "/account/limits", "/billing/balance"])
    await api.send("GET", path, { expect: 200 });
}

async function templates({ api }: Context): Promise<void> {
  const mounts = { persistent: { size: 20, path: "/workspace" } };
  const body = { name: "base", image: "app:1", env: { A: "1" }, ports: ["8888/http"], mounts };
  const { id } = await api.send("POST", "/templates", { body, expect: 201 });
  await api.send("POST", "/templates", { body, expect: 400 });
  await api.send("GET", `/templates/${id}`, { expect: 200 });
  await api.send("GET", "/templates", { expect: 200 });
  await api.send("PATCH", `/templates/${id}`, { body: {}, expect: 200 });
  const changes = { env: {}, ports: [], registry: null, category: "CPU", public: true, serverless: true };
  await api.send("PATCH", `/templates/${id}`, { body: changes, expect: 200 });
  await api.send("PATCH", `/templates/${id}`, { body: { mounts: { network: [] } }, expect: 422 });
  await api.send("DELETE", `/templates/${id}`, { expect: 204 });
  for (const source of ["official", "verified", "community"])
    await api.send("GET", `/catalog/templates?source=${source}`, { expect: 200 });
}

async function volumes({ api }: Context): Promise<void> {
  const body = { name: "data", size: 50, dataCenter: "US-KS-2" };
  const { id } = await api.send("POST", "/network-volumes", { body, expect: 201 });
  const fast = { ...body, type: "HIGH_PERFORMANCE" };
  const other = await api.send("POST", "/network-volumes", { body: fast, expect: 201 });
  await api.send("POST", "/network-volumes", { body: { ...body, dataCenter: "NOWHERE" }, expect: 400 });
  await api.send("GET", `/network-volumes/${id}`, { expect: 200 });
  await api.send("GET", "/network-volumes", { expect: 200 });
  await api.send("PATCH", `/network-volumes/${id}`, { body: { name: "more", size: 60 }, expect: 200 });
  await api.send("PATCH", `/network-volumes/${id}`, { body: { size: 50 }, expect: 400 });
  await api.send("PATCH", `/network-volumes/${id}`, { body: {}, expect: 422 });
  await api.send("DELETE", `/network-volumes/${id}`, { expect: 204 });
  await api.send("DELETE", `/network-volumes/${other.id}`, { expect: 204 });

  const everywhere = await api.send("POST", "/global-volumes", { body: { name: "data" }, expect: 201 });
  await api.send("GET", "/global-volumes", { expect: 200 });
  await api.send("PATCH", `/global-volumes/${everywhere.id}`, { body: { name: "more" }, expect: 200 });
  await api.send("DELETE", `/global-volumes/${everywhere.id}`, { expect: 204 });
}

async function pods({ api, emulator, clock }: Context): Promise<void> {
  const { timings } = emulator.service;
  const volume = { name: "data", size: 50, dataCenter: "US-KS-2" };
  const { id: volumeId } = await api.send("POST", "/network-volumes", { body: volume, expect: 201 });
  const template = { name: "pods", image: "app:1", env: { A: "1" } };
  const { id: templateId } = await api.send("POST", "/templates", { body: template, expect: 201 });
  const ports = ["22/tcp", "8888/http"];
  const kinds = [
    { name: "gpu", image: "app:1", gpu: GPU, ports, startSsh: true, globalNetworking: true },
    { name: "cpu", image: "app:1", cpu: CPU, ports },
    { name: "disk", image: "app:1", gpu: GPU, mounts: { persistent: { size: 20, path: "/data" } } },
    { name: "net", image: "app:1", gpu: GPU, mounts: { network: [{ volumeId, path: "/data" }] } },
    { name: "amd", image: "app:1", gpu: { id: "AMD Instinct MI300X OAM", count: 1 }, env: { A: "1" } },
    { name: "from template", templateId, gpu: { ...GPU, minCudaVersion: "12.6" }, cloud: "COMMUNITY" },
  ];
  for (const body of kinds) {
    const { id } = await api.send("POST", "/pods", { body, expect: 201 });
    const pod = `/pods/${id}`;
    await api.send("GET", pod, { expect: 200 });
    clock.advance(timings.provisioning);
    await api.send("GET", pod, { expect: 200 });
    await api.send("POST", `${pod}/action`, { body: { action: "restart" }, expect: 409 });
    clock.advance(timings.starting + MINUTE);
    await api.send("GET", pod, { expect: 200 });
    await api.send("GET", `${pod}/logs?tail=5`, { expect: 200 });
    await api.send("PATCH", pod, {
      body: { name: "new", args: "--fast", env: {}, ports: ["80/http"] },
      expect: 200,
    });
    await api.send("POST", `${pod}/action`, { body: { action: "stop" }, expect: 200 });
    clock.advance(timings.stopping);
    await api.send("GET", pod, { expect: 200 });
    await api.send("POST", `${pod}/action`, { body: { action: "start" }, expect: 200 });
    emulator.service.pods.fail(id);
    await api.send("GET", pod, { expect: 200 });
    await api.send("GET", "/pods?includeClusterPods=true", { expect: 200 });
    await api.send("DELETE", "/network-volumes/missing", { expect: 404 });
    if (body.name === "net") await api.send("DELETE", `/network-volumes/${volumeId}`, { expect: 400 });
    if (body.name === "cpu")
      await api.send("POST", `${pod}/action`, { body: { action: "terminate" }, expect: 204 });
    else await api.send("DELETE", pod, { expect: 204 });
    await api.send("GET", pod, { expect: 404 });
  }
  await api.send("POST", "/pods", { body: { name: "x", image: "a", gpu: GPU, cpu: CPU }, expect: 400 });
  await api.send("POST", "/pods", { body: { name: "x", templateId: "missing", gpu: GPU }, expect: 404 });
  await api.send("DELETE", `/templates/${templateId}`, { expect: 400 });
  clock.advance(timings.templateRelease);
  await api.send("DELETE", `/templates/${templateId}`, { expect: 204 });
}

async function clusters({ api, emulator, clock }: Context): Promise<void> {
  const { timings } = emulator.service;
  const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
  for (const type of ["APPLICATION", "TRAINING", "SLURM", "RAY"]) {
    const body = { name: "c", type, compute, image: "app:1", ports: ["22/tcp"], startSsh: true };
    const { id } = await api.send("POST", "/clusters", { body, expect: 201 });
    const cluster = `/clusters/${id}`;
    await api.send("GET", cluster, { expect: 200 });
    await api.send("GET", `${cluster}/pods`, { expect: 200 });
    clock.advance(timings.provisioning);
    await api.send("GET", cluster, { expect: 200 });
    clock.advance(timings.starting + MINUTE);
    await api.send("GET", cluster, { expect: 200 });
    const { pods } = await api.send<{ pods: { id: string }[] }>("GET", `${cluster}/pods`, { expect: 200 });
    const member = `/pods/${pods[0]?.id}`;
    await api.send("GET", member, { expect: 200 });
    await api.send("GET", `${member}/logs`, { expect: 200 });
    await api.send("PATCH", member, { body: { name: "x" }, expect: 409 });
    await api.send("DELETE", member, { expect: 409 });
    await api.send("POST", `${member}/action`, { body: { action: "terminate" }, expect: 409 });
    await api.send("GET", "/pods?includeClusterPods=true", { expect: 200 });
    await api.send("PATCH", cluster, { body: { name: "renamed" }, expect: 200 });
    await api.send("PATCH", cluster, { body: {}, expect: 422 });
    await api.send("PATCH", cluster, { body: { compute }, expect: 422 });
    await api.send("GET", "/clusters", { expect: 200 });
    await api.send("DELETE", cluster, { expect: 204 });
    await api.send("GET", cluster, { expect: 404 });
    clock.advance(timings.stopping);
  }
  const tooMany = { ...compute, gpuCountPerPod: 9 };
  await api.send("POST", "/clusters", { body: { name: "x", type: "RAY", compute: tooMany }, expect: 400 });
  await api.send("POST", "/clusters", {
    body: { name: "x", type: "RAY", compute, registry: "r" },
    expect: 422,
  });
}

async function endpoints({ api, emulator, clock }: Context): Promise<void> {
  const { timings } = emulator.service;
  const volume = { name: "models", size: 50, dataCenter: "EU-RO-1" };
  const { id: volumeId } = await api.send("POST", "/network-volumes", { body: volume, expect: 201 });
  const queueDelay = { type: "QUEUE_DELAY", queueDelay: 4 };
  const requestCount = { type: "REQUEST_COUNT", requestCount: 2 };
  const gpu = { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40"], count: 2, minCudaVersion: "12.6" };
  const kinds = [
    { name: "queue", type: "QUEUE", image: "app:1", gpu, scaling: queueDelay, networkVolumes: [volumeId] },
    { name: "count", type: "QUEUE", image: "app:1", gpu: { pools: ["ADA_24"] }, scaling: requestCount },
    { name: "balanced", type: "LOAD_BALANCER", image: "app:1", cpu: [CPU], scaling: requestCount },
    { name: "public", type: "QUEUE", templateId: "pubworker1", cpu: [CPU], scaling: queueDelay },
  ];
  for (const body of kinds) {
    const created = await api.send("POST", "/serverless", {
      body: { ...body, workers: { min: 2 } },
      expect: 201,
    });
    const endpoint = `/serverless/${created.id}`;
    await api.send("GET", endpoint, { expect: 200 });
    await api.send("GET", `${endpoint}/workers`, { expect: 200 });
    clock.advance(timings.starting + MINUTE);
    const { workers } = await api.send<{ workers: { id: string }[] }>("GET", `${endpoint}/workers`, {
      expect: 200,
    });
    await api.send("GET", `${endpoint}/workers/${workers[0]?.id}/logs`, { expect: 200 });
    await api.send("PATCH", endpoint, {
      body: { image: "app:2", env: { A: "1" }, workers: { max: 4 } },
      expect: 200,
    });
    clock.advance(timings.starting + 1);
    await api.send("GET", `${endpoint}/releases`, { expect: 200 });
    emulator.service.builds.add(created.id, build);
    await api.send("GET", `${endpoint}/builds`, { expect: 200 });
    await api.send("GET", `${endpoint}/builds/${build.id}`, { expect: 200 });
    await api.send("GET", `${endpoint}/builds/nobody`, { expect: 404 });
    await api.send("GET", `${endpoint}/workers`, { expect: 200 });
    emulator.service.endpoints.throttle(created.id);
    await api.send("GET", `${endpoint}/workers`, { expect: 200 });
    await api.send("PATCH", endpoint, { body: { type: "QUEUE" }, expect: 422 });
    await api.send("PATCH", endpoint, { body: { workers: { min: 9, max: 1 } }, expect: 400 });
    await api.send("GET", "/serverless", { expect: 200 });
    await api.send("DELETE", endpoint, { expect: 204 });
  }
  await api.send("DELETE", `/network-volumes/${volumeId}`, { expect: 204 });
}

async function labels({ api }: Context): Promise<void> {
  const volume = { name: "tagged", size: 10, dataCenter: "EU-RO-1" };
  const { id: volumeId } = await api.send("POST", "/network-volumes", { body: volume, expect: 201 });
  for (const [root, body] of [
    ["/tags", { key: "team", value: "ml" }],
    ["/cost-centers", { value: "ml" }],
  ] as const) {
    const { id } = await api.send("POST", root, { body, expect: 201 });
    await api.send("POST", root, { body, expect: 409 });
    await api.send("POST", root, { body: { value: "" }, expect: 422 });
    await api.send("GET", root, { expect: 200 });
    await api.send("GET", `${root}/${id}`, { expect: 200 });
    const attached = `${root}/${id}/resources/NETWORK_VOLUME/${volumeId}`;
    await api.send("PUT", attached, { expect: 204 });
    await api.send("PUT", `${root}/${id}/resources/NETWORK_VOLUME/missing`, { expect: 404 });
    await api.send("GET", `/network-volumes/${volumeId}`, { expect: 200 });
    if (root === "/cost-centers") await api.send("GET", `${root}/${id}/resources`, { expect: 200 });
    await api.send("DELETE", attached, { expect: 204 });
    await api.send("DELETE", `${root}/${id}`, { expect: 204 });
    await api.send("GET", `${root}/${id}`, { expect: 404 });
  }
  await api.send("DELETE", `/network-volumes/${volumeId}`, { expect: 204 });
}
