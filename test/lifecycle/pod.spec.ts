import { setTimeout } from "node:timers/promises";
import { Pod } from "podlumi";
import type { Emulator } from "../../sdk/emulator/service";
import { patch, send } from "../harness/account";
import { containerDrifts, containerEdits, timeLimitEdits } from "./container";
import { lifeCycle } from "./life-cycle";

const gpu = { id: "NVIDIA GeForce RTX 4090", count: 1 };
const persistent = (size: number, path: string) => ({ mounts: { persistent: { size, path } } });
const network = (volumeId: string, path: string) => ({ mounts: { network: [{ volumeId, path }] } });
const act = (action: string) => (emulator: Emulator, id: string) =>
  send(emulator, "POST", `pods/${id}/action`, { action });

lifeCycle({
  kind: "pod",
  collection: "pods",
  resource: Pod,
  base: { image: "runpod/base:1", gpu, dataCenterIds: ["EU-RO-1"], waitTimeout: 60 },
  prepare({ service }) {
    // startSsh has an effect only if the account has an SSH key.
    service.sshKeys.replace(["ssh-ed25519 AAAA somebody"]);
    const volume = (name: string) => service.volumes.create({ name, size: 10, dataCenter: "EU-RO-1" });
    return {
      registry: service.registries.create({ name: "ghcr", username: "robot", password: "hunter22" }),
      volume: volume("data"),
      otherVolume: volume("more"),
      template: service.templates.create({ name: "one", image: "org/one:1", args: "--one" }),
      otherTemplate: service.templates.create({ name: "two", image: "org/two:2", args: "--two" }),
    };
  },
  full: {
    args: {
      name: "everything",
      registry: "$registry",
      templateId: "$template",
      args: "sleep infinity",
      disk: 30,
      env: { MODEL: "llama" },
      ports: ["8888/http", "22/tcp"],
      gpu: { ...gpu, count: 2, allowedCudaVersions: ["12.8"] },
      cloud: "SECURE",
      globalNetworking: true,
      mounts: { persistent: { size: 20, path: "/workspace" } },
      startSsh: true,
      startJupyter: true,
      locked: true,
      desiredStatus: "RUNNING",
      expiresAfter: "7d",
      waitFor: "RUNNING",
      waitTimeout: 30,
    },
    holds: {
      name: "everything",
      status: "RUNNING",
      image: "runpod/base:1",
      args: "sleep infinity",
      disk: 30,
      gpu: { id: gpu.id, count: 2 },
      mounts: { persistent: { size: 20, path: "/workspace" } },
      locked: true,
      cloud: "SECURE",
      dataCenterId: "EU-RO-1",
      globalNetworking: { enabled: true },
    },
  },
  edits: [
    ...containerEdits,
    ...timeLimitEdits,
    {
      title: "a variable beside the platform's",
      from: { startSsh: true, env: { A: "1" } },
      to: { startSsh: true, env: { B: "2" } },
      op: "update",
      holds: { env: { B: "2", PUBLIC_KEY: expect.any(String) } },
    },
    { title: "a lock", to: { locked: true }, op: "update", shows: ["locked"], holds: { locked: true } },
    { title: "the lock taken off", from: { locked: true }, to: {}, op: "update", holds: { locked: false } },
    {
      title: "stopped",
      to: { desiredStatus: "EXITED" },
      op: "update",
      shows: ["desiredStatus"],
      holds: { status: "EXITED", cost: 0 },
    },
    {
      title: "started",
      from: { desiredStatus: "EXITED" },
      to: {},
      op: "update",
      holds: { status: "RUNNING" },
    },
    {
      title: "a locked pod stopped",
      from: { locked: true },
      to: { locked: true, desiredStatus: "EXITED" },
      op: "update",
      holds: { status: "EXITED", locked: true },
    },
    {
      title: "global networking",
      to: { globalNetworking: true },
      op: "update",
      holds: { globalNetworking: { enabled: true } },
    },
    {
      title: "global networking cleared",
      from: { globalNetworking: true },
      to: {},
      op: "update",
      holds: { globalNetworking: { enabled: false } },
    },
    {
      title: "another path",
      from: persistent(20, "/a"),
      to: persistent(20, "/b"),
      op: "update",
      holds: persistent(20, "/b"),
    },
    {
      title: "more storage",
      from: persistent(20, "/a"),
      to: persistent(30, "/a"),
      op: "update",
      holds: persistent(30, "/a"),
    },
    {
      title: "storage added",
      to: persistent(20, "/a"),
      op: "replace",
      shows: ["mounts"],
      holds: persistent(20, "/a"),
    },
    { title: "storage removed", from: persistent(20, "/a"), to: {}, op: "replace", holds: { mounts: {} } },
    {
      title: "another GPU",
      to: { gpu: { id: "NVIDIA A40" } },
      op: "replace",
      shows: ["gpu"],
      holds: { gpu: { id: "NVIDIA A40" } },
    },
    { title: "more GPUs", to: { gpu: { ...gpu, count: 2 } }, op: "replace", holds: { gpu: { count: 2 } } },
    { title: "the default number of GPUs left out", to: { gpu: { id: gpu.id } }, op: "same" },
    {
      title: "what its host has",
      to: { gpu: { ...gpu, minCudaVersion: "12.4", minRamPerGpu: 16, minVcpuCountPerGpu: 4 } },
      op: "update",
      shows: ["gpu"],
    },
    {
      title: "nothing of its host any more",
      from: { gpu: { ...gpu, minCudaVersion: "12.4", minRamPerGpu: 16 } },
      to: {},
      op: "update",
    },
    {
      title: "a CUDA floor that its host lacks",
      from: { gpu: { ...gpu, allowedCudaVersions: ["12.4"] } },
      to: { gpu: { ...gpu, allowedCudaVersions: ["12.8"] } },
      op: "replace",
      shows: ["gpu"],
      holds: { cudaVersion: "12.8" },
    },
    {
      title: "CPUs instead of GPUs",
      to: { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 4 } },
      op: "replace",
      holds: { cpu: { id: "cpu3c", vcpuCount: 4 } },
    },
    {
      title: "more CPUs",
      from: { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 2 } },
      to: { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 4 } },
      op: "replace",
    },
    {
      title: "the community cloud",
      from: { dataCenterIds: undefined },
      to: { dataCenterIds: undefined, cloud: "COMMUNITY" },
      op: "replace",
      holds: { cloud: "COMMUNITY" },
    },
    { title: "the default cloud written out", to: { cloud: "SECURE" }, op: "same" },
    {
      title: "another data center",
      to: { dataCenterIds: ["US-KS-2"] },
      op: "replace",
      holds: { dataCenterId: "US-KS-2" },
    },
    {
      title: "more data centers",
      to: { dataCenterIds: ["US-KS-2", "EU-RO-1"] },
      op: "update",
      shows: ["dataCenterIds"],
    },
    {
      title: "any data center",
      to: { dataCenterIds: undefined },
      op: "update",
      shows: ["dataCenterIds"],
    },
    { title: "SSH", to: { startSsh: true }, op: "replace", shows: ["startSsh"] },
    { title: "Jupyter", to: { startJupyter: true }, op: "replace" },
    { title: "no SSH, as before", to: { startSsh: false, startJupyter: false }, op: "same" },
    {
      title: "no SSH, which its template has",
      from: { templateId: "$template" },
      to: { templateId: "$template", startSsh: false },
      op: "replace",
      shows: ["startSsh"],
      holds: { env: expect.not.objectContaining({ PUBLIC_KEY: expect.anything() }) },
    },
    {
      title: "a flag left to its template",
      from: { templateId: "$template", startJupyter: false },
      to: { templateId: "$template" },
      op: "same",
      holds: { env: expect.not.objectContaining({ JUPYTER_PASSWORD: expect.anything() }) },
    },
    {
      title: "no longer waited for",
      to: { waitFor: "NONE", waitTimeout: 5 },
      op: "update",
      shows: ["waitFor", "waitTimeout"],
    },
    {
      title: "another path of a volume",
      from: network("$volume", "/a"),
      to: network("$volume", "/b"),
      op: "update",
      holds: network("$volume", "/b"),
    },
    {
      title: "another volume",
      from: network("$volume", "/a"),
      to: network("$otherVolume", "/a"),
      op: "replace",
      shows: ["mounts"],
      holds: network("$otherVolume", "/a"),
    },
    {
      title: "a volume instead of host storage",
      from: persistent(20, "/a"),
      to: network("$volume", "/a"),
      op: "replace",
      holds: network("$volume", "/a"),
    },
    {
      title: "the volume removed",
      from: network("$volume", "/a"),
      to: {},
      op: "replace",
      holds: { mounts: {} },
    },
    {
      title: "another template",
      from: { templateId: "$template" },
      to: { templateId: "$otherTemplate" },
      op: "replace",
      holds: { args: "--two" },
    },
    {
      title: "another revision of its template",
      from: { templateId: "$template", templateRevision: "1" },
      to: { templateId: "$template", templateRevision: "2" },
      op: "replace",
      shows: ["templateRevision"],
    },
    {
      title: "a revision of its template for the first time",
      from: { templateId: "$template" },
      to: { templateId: "$template", templateRevision: "1" },
      op: "update",
      shows: ["templateRevision"],
    },
    {
      title: "the template removed",
      from: { templateId: "$template" },
      to: {},
      op: "replace",
      holds: { args: "" },
    },
    {
      title: "defaults written out",
      to: { args: "", env: {}, ports: [], locked: false, globalNetworking: false, desiredStatus: "RUNNING" },
      op: "same",
    },
  ],
  drifts: [
    ...containerDrifts("runpod/base:1"),
    {
      title: "a lock",
      args: { locked: false },
      behind: { locked: true },
      shows: ["locked"],
      holds: { locked: false },
    },
    { title: "a stop", behind: act("stop"), shows: ["desiredStatus"], holds: { status: "RUNNING" } },
    {
      title: "a start",
      args: { desiredStatus: "EXITED" },
      behind: act("start"),
      shows: ["desiredStatus"],
      holds: { status: "EXITED" },
    },
    {
      title: "a failure",
      behind: ({ service }, id) => service.pods.fail(id, "out of memory"),
      shows: ["desiredStatus"],
      holds: { status: "RUNNING" },
    },
    {
      title: "global networking",
      args: { globalNetworking: true },
      behind: async (emulator, id) => {
        await patch(emulator, `pods/${id}`, { globalNetworking: false });
        await act("restart")(emulator, id);
        await setTimeout(100); // Until the pod runs again.
      },
      shows: ["globalNetworking"],
      holds: { globalNetworking: { enabled: true } },
    },
    {
      title: "the path of a volume",
      args: network("$volume", "/a"),
      behind: network("$volume", "/b"),
      shows: ["mounts"],
      holds: network("$volume", "/a"),
    },
    {
      title: "a path",
      args: persistent(20, "/a"),
      behind: persistent(20, "/b"),
      shows: ["mounts"],
      holds: persistent(20, "/a"),
    },
  ],
});
