import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();
const dataCenterIds = ["EU-RO-1"];

// Data and checkpoints outlive the pod. `protect` keeps them from a `pulumi destroy` by mistake.
const data = new podlumi.NetworkVolume(
  "datasets",
  { size: config.requireNumber("volumeSize"), dataCenter: "EU-RO-1" },
  { protect: pulumi.getStack() === "production" },
);

const trainer = new podlumi.Pod("trainer", {
  image: config.require("image"),
  disk: 40,
  ports: ["22/tcp"],
  startSsh: true,
  mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
  // Tried in this order, for up to half an hour. The pod stays where it is while that place is in the list.
  placements: [
    { gpu: { id: "NVIDIA H100 80GB HBM3" }, dataCenterIds },
    { gpu: { id: "NVIDIA A100-SXM4-80GB" }, dataCenterIds },
    { gpu: { id: "NVIDIA L40S", count: 2 }, dataCenterIds },
  ],
  capacityTimeout: 1800,
  desiredStatus: config.requireBoolean("running") ? "RUNNING" : "EXITED",
});

export const gpu = trainer.gpu.apply((gpu) => gpu?.id);
export const ssh = trainer.ssh.apply(({ direct, proxy }) => (direct ?? proxy)?.command);
export const costPerHour = trainer.cost;
