import { Cluster, type ClusterArgs, NetworkVolume } from "podlumi";
import type { Emulator } from "../../sdk/emulator/service";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { attached, labelEdits, labels } from "./labels";
import { lifeCycle } from "./life-cycle";

const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
const base: ClusterArgs = { type: "TRAINING", compute, image: "org/train:1" };
const persistent = (size: number, path: string) => ({ mounts: { persistent: { size, path } } });

/** A cluster and its first pod, which has the settings that all its pods share. */
const look = ({ service }: Emulator, id: string) => {
  const found = service.clusters.list().find((cluster) => cluster.id === id);
  return found && { ...found, pod: service.clusters.pods(id)[0] };
};

lifeCycle({
  kind: "cluster",
  collection: "clusters",
  resource: Cluster,
  base: { ...base, waitTimeout: 60 },
  look,
  prepare({ service }) {
    service.sshKeys.replace(["ssh-ed25519 AAAA somebody"]);
    return {
      volume: service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" }),
      template: service.templates.create({ name: "one", image: "org/one:1", args: "--one" }),
    };
  },
  full: {
    args: {
      ...labels,
      name: "everything",
      type: "SLURM",
      args: "sleep infinity",
      disk: 30,
      env: { MODEL: "llama" },
      ports: ["8888/http", "22/tcp"],
      dataCenterIds: ["EU-RO-1"],
      mounts: { network: [{ volumeId: "$volume", path: "/data" }] },
      startSsh: true,
      startJupyter: true,
      expiresAfter: "7d",
      capacityTimeout: 5,
      waitFor: "RUNNING",
      waitTimeout: 30,
    },
    holds: {
      ...attached,
      name: "everything",
      type: "SLURM",
      compute,
      dataCenterId: "EU-RO-1",
      pods: { total: 2, byStatus: { RUNNING: 2 } },
      pod: {
        image: "org/train:1",
        args: "sleep infinity",
        disk: 30,
        env: {
          MODEL: "llama",
          PUBLIC_KEY: "ssh-ed25519 AAAA somebody",
          JUPYTER_PASSWORD: expect.any(String),
          PODLUMI_EXPIRES: expect.stringContaining("Z 7d "),
        },
        ports: ["8888/http", "22/tcp"],
        mounts: { network: [{ volumeId: "$volume", path: "/data" }] },
      },
    },
  },
  edits: [
    ...labelEdits,
    {
      title: "a time limit",
      to: { expiresAfter: "8h" },
      op: "replace",
      shows: ["expiresAfter"],
      holds: {
        pod: {
          env: expect.objectContaining({
            PODLUMI_EXPIRES: expect.stringMatching(/^2\d{3}-.*Z 8h [0-9a-f]{7}$/),
          }),
        },
      },
    },
    {
      title: "another time limit",
      from: { expiresAfter: "8h" },
      to: { expiresAfter: "90m" },
      op: "replace",
      shows: ["expiresAfter"],
    },
    {
      title: "no time limit any more",
      from: { expiresAfter: "8h" },
      to: {},
      op: "replace",
      shows: ["expiresAfter"],
      holds: { pod: { env: expect.not.objectContaining({ PODLUMI_EXPIRES: expect.anything() }) } },
    },
    {
      title: "another name",
      to: { name: "renamed" },
      op: "update",
      shows: ["name"],
      holds: { name: "renamed" },
    },
    { title: "another type", to: { type: "RAY" }, op: "replace", shows: ["type"], holds: { type: "RAY" } },
    {
      title: "more pods",
      to: { compute: { ...compute, podCount: 3 } },
      op: "replace",
      shows: ["compute"],
      holds: { pods: { total: 3, byStatus: { RUNNING: 3 } } },
    },
    {
      title: "another image",
      to: { image: "org/train:2" },
      op: "replace",
      shows: ["image"],
      holds: { pod: { image: "org/train:2" } },
    },
    { title: "arguments cleared", from: { args: "-v" }, to: {}, op: "replace", holds: { pod: { args: "" } } },
    {
      title: "a list in place of one text",
      from: { args: "-v" },
      to: { entrypoint: ["sh", "-c"], cmd: ["a b"] },
      op: "replace",
      shows: ["args", "cmd", "entrypoint"],
      holds: { pod: { entrypoint: ["sh", "-c"], cmd: ["a b"] } },
    },
    {
      title: "a template",
      to: { image: undefined, templateId: "$template" },
      op: "replace",
      shows: ["image", "templateId"],
      holds: { template: "$template", pod: { image: "org/one:1", args: "--one" } },
    },
    {
      title: "another revision of its template",
      from: { image: undefined, templateId: "$template", templateRevision: "1" },
      to: { image: undefined, templateId: "$template", templateRevision: "2" },
      op: "replace",
      shows: ["templateRevision"],
    },
    {
      title: "another variable",
      from: { env: { A: "1" } },
      to: { env: { A: "2" } },
      op: "replace",
      shows: ["env"],
      holds: { pod: { env: { A: "2" } } },
    },
    {
      title: "a variable removed",
      from: { env: { A: "1", B: "2" } },
      to: { env: { A: "1" } },
      op: "replace",
      holds: { pod: { env: expect.not.objectContaining({ B: "2" }) } },
    },
    { title: "the disk no longer declared", from: { disk: 15 }, to: {}, op: "same" },
    {
      title: "ports in another order",
      from: { ports: ["80/http", "22/tcp"] },
      to: { ports: ["22/tcp", "80/http"] },
      op: "same",
    },
    {
      title: "another data center",
      from: { dataCenterIds: ["EU-RO-1"] },
      to: { dataCenterIds: ["US-KS-2"] },
      op: "replace",
      holds: { dataCenterId: "US-KS-2" },
    },
    {
      title: "another path",
      from: persistent(20, "/a"),
      to: persistent(20, "/b"),
      op: "replace",
      shows: ["mounts"],
      holds: { pod: persistent(20, "/b") },
    },
    { title: "SSH", to: { startSsh: true }, op: "replace", shows: ["startSsh"] },
    {
      title: "no longer waited for",
      to: { waitFor: "NONE", waitTimeout: 5, capacityTimeout: 9 },
      op: "update",
      shows: ["capacityTimeout", "waitFor", "waitTimeout"],
    },
    {
      title: "defaults written out",
      to: { args: "", env: {}, ports: [], dataCenterIds: [], startSsh: false, startJupyter: false },
      op: "same",
    },
  ],
  drifts: [
    {
      title: "a name",
      behind: { name: "theirs" },
      shows: ["name"],
      holds: { name: expect.stringMatching(/^r0-/) },
    },
  ],
});

describe("a cluster", () => {
  emulatedStack("each");

  const program =
    (args: Partial<ClusterArgs> = {}) =>
    () => {
      const { id, members, cost } = new Cluster("training", { ...base, ...args });
      return { id, members, cost };
    };

  testLong(
    "that does not run in time stays in the state, and the next up continues to wait for it",
    async () => {
      emulator.service.timings.starting = 5_000;
      await expect(stack.up(program({ waitTimeout: 1 }))).rejects.toThrow(
        /exists but is not ready: 0 of its 2 pods are RUNNING after 1 s\. Run `pulumi up` again/,
      );
      const [made] = emulator.service.clusters.list();
      const { outputs } = await stack.up(program({ waitTimeout: 20 }));
      expect(outputs.id).toBe(made?.id);
      expect(emulator.service.clusters.list()).toMatchObject([{ pods: { byStatus: { RUNNING: 2 } } }]);
    },
  );

  testLong(
    "of which a pod fails is told with that pod and its last lines, and stays in the state",
    async () => {
      const { service } = emulator;
      emulator.on("after", { method: "POST", path: "/clusters" }, () => {
        const [pod] = service.pods.list({ clusterPods: true });
        service.pods.fail(pod?.id ?? "", "NCCL found no network");
      });
      await expect(stack.up(program())).rejects.toThrow(
        /pod "training-[0-9a-f-]+-0" \(\w+\) is ERROR\. A cluster cannot be repaired in part.*NCCL found no network/s,
      );
      const [made] = service.clusters.list();
      expect(await stack.resources()).toContainEqual(expect.objectContaining({ id: made?.id }));
    },
  );

  testLong(
    "for which there is no room is told with the stock, and created once there is room in time",
    async () => {
      const { capacity } = emulator.service;
      capacity.set({ gpu: compute.gpuTypeId, free: 15 });
      await expect(stack.up(program())).rejects.toThrow(
        /no longer any instances.*If there is no capacity \(by the catalog .*NVIDIA H100 80GB HBM3 MEDIUM\), allow more dataCenterIds/s,
      );
      emulator.on("after", { method: "POST", path: "/clusters" }, () =>
        capacity.set({ gpu: compute.gpuTypeId, free: 16 }),
      );
      await stack.up(program({ capacityTimeout: 30 }));
      expect(emulator.service.clusters.list()).toHaveLength(1);
    },
  );

  testLong(
    "tells its pods by rank and what they cost, and is deleted before its volume, when they are gone",
    async () => {
      const { service } = emulator;
      const { outputs } = await stack.up(() => {
        const volume = new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1", deleteTimeout: 1 });
        return program({ type: "RAY", mounts: { network: [{ volumeId: volume.id, path: "/data" }] } })();
      });
      const [head, worker] = service.clusters.pods(String(outputs.id));
      expect(outputs).toMatchObject({
        members: [
          { id: head?.id, rank: 0, role: "RAY_HEAD", ip: "10.65.0.2", status: "RUNNING" },
          { id: worker?.id, rank: 1, role: "RAY_WORKER", ip: "10.65.0.3", status: "RUNNING" },
        ],
        cost: expect.closeTo(2 * 8 * 0.8),
      });

      service.timings.stopping = 3_000;
      const { progress } = await stack.destroy();
      expect(service.isEmpty()).toBe(true);
      expect(service.pods.list({ clusterPods: true })).toEqual([]);
      expect(progress.join("\n")).toMatch(/waiting for the end of its pods, 2 are left/);
    },
  );

  testLong("that holds a volume is named when the volume cannot be deleted", async () => {
    const { service } = emulator;
    const { outputs } = await stack.up(() => ({
      volume: new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1", deleteTimeout: 1 }).id,
    }));
    const mounts = { network: [{ volumeId: String(outputs.volume), path: "/data" }] };
    const { id } = service.clusters.create({
      name: "theirs",
      type: "TRAINING",
      compute,
      image: "i:1",
      mounts,
    });
    await expect(stack.destroy()).rejects.toThrow(new RegExp(`cluster ${id} still uses it`));
  });
});
