import type { Context } from "./scenario";

export async function errors({ api }: Context): Promise<void> {
  await api.send("GET", "/pods", { headers: { Authorization: "" }, expect: 401 });
  for (const kind of ["pods", "clusters", "serverless", "templates", "network-volumes", "registries"]) {
    await api.send("GET", `/${kind}/missing`, { expect: 404 });
    await api.send("DELETE", `/${kind}/missing`, { expect: 404 });
    await api.send("POST", `/${kind}`, { body: { bogus: 1 }, expect: 422 });
    if (kind !== "registries")
      await api.send("PATCH", `/${kind}/missing`, { body: { name: "x" }, expect: 404 });
  }
  await api.send("DELETE", "/registries/delegations/missing", { expect: 404 });
  await api.send("POST", "/registries/delegations", { body: { resource: "bogus" }, expect: 400 });
  await api.send("GET", "/pods/missing/logs", { expect: 404 });
  await api.send("GET", "/clusters/missing/pods", { expect: 404 });
  await api.send("GET", "/serverless/missing/workers", { expect: 404 });
  await api.send("GET", "/serverless/missing/releases", { expect: 404 });
  await api.send("GET", "/serverless/missing/workers/missing/logs", { expect: 404 });
  await api.send("PUT", "/account/ssh-keys", { body: { keys: ["bogus"] }, expect: 422 });
  for (const kind of ["gpus", "cpus", "datacenters"])
    await api.send("GET", `/catalog/${kind}/missing`, { expect: 404 });
}

export async function catalog({ api, emulator }: Context): Promise<void> {
  emulator.service.capacity.set({ gpu: "NVIDIA L4", free: 0 });
  emulator.service.capacity.set({ gpu: "NVIDIA A40", dataCenter: "US-KS-2", free: 2 });
  const stock = "include=AVAILABILITY&product=POD,SERVERLESS";
  await api.send("GET", "/catalog/gpus", { expect: 200 });
  await api.send("GET", `/catalog/gpus?${stock}&count=2&cloud=SECURE&countryCodes=RO,IS&minCudaVersion=12`, {
    expect: 200,
  });
  await api.send("GET", `/catalog/gpus?${stock}&cudaVersions=12.8&cloud=COMMUNITY`, { expect: 200 });
  await api.send("GET", "/catalog/gpus?product=POD", { expect: 400 });
  await api.send("GET", "/catalog/gpus?include=AVAILABILITY", { expect: 400 });
  await api.send("GET", "/catalog/gpus?include=BOGUS", { expect: 422 });
  for (const id of ["NVIDIA GeForce RTX 4090", "NVIDIA L4", "NVIDIA A40", "AMD Instinct MI300X OAM"])
    await api.send("GET", `/catalog/gpus/${encodeURIComponent(id)}?${stock}`, { expect: 200 });
  await api.send("GET", "/catalog/cpus", { expect: 200 });
  await api.send("GET", `/catalog/cpus?${stock}&vcpuCount=8`, { expect: 200 });
  await api.send("GET", "/catalog/cpus/cpu3c", { expect: 200 });
  await api.send("GET", "/catalog/datacenters?include=GPU_AVAILABILITY,CPU_AVAILABILITY", { expect: 200 });
  const filters = "regions=EUROPE&networkVolumeTypes=STANDARD&compliance=GDPR&globalNetwork=true";
  await api.send("GET", `/catalog/datacenters?${filters}`, { expect: 200 });
  await api.send("GET", "/catalog/datacenters/US-KS-2", { expect: 200 });
}

export async function billing({ api }: Context): Promise<void> {
  const reports = ["", "/pods", "/serverless", "/endpoints", "/network-volumes", "/clusters"];
  for (const report of reports)
    for (const bucketSize of ["hour", "day", "week", "month", "year"])
      await api.send("GET", `/billing${report}?bucketSize=${bucketSize}&lastN=2`, { expect: 200 });
  await api.send("GET", "/billing/pods?podId=missing", { expect: 200 });
  await api.send("GET", "/billing?lastN=1&startTime=2026-01-01T00:00:00Z", { expect: 400 });
}
