import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const cluster = new podlumi.Cluster(
  "training",
  {
    type: "TRAINING",
    compute: {
      gpuTypeId: config.require("gpu"),
      gpuCountPerPod: 8,
      podCount: config.requireNumber("pods"),
    },
    image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
    disk: 100,
    ports: ["22/tcp"],
    startSsh: true,
    // The network between the machines. Without this, NCCL may take the interface to the internet, and time out.
    env: { NCCL_SOCKET_IFNAME: "ens1" },
    // Waits up to an hour for capacity for all machines at once.
    capacityTimeout: 3600,
  },
  // One cluster at a time, also while it is replaced.
  { deleteBeforeReplace: true },
);

export const addresses = cluster.members.apply((members) => members.map(({ rank, ip }) => ({ rank, ip })));
export const ssh = cluster.members.apply(([primary]) => primary?.ssh.direct?.command);
export const costPerHour = cluster.cost;
