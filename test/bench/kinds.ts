import type { KindName } from "../../provider/resources";

/** The arguments of one resource of each kind, and the same after a typical change. */
export const samples: Record<KindName, { made: object; changed: object }> = {
  Cluster: {
    made: {
      image: "org/train:1",
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    },
    changed: {
      name: "evaluation",
      image: "org/train:1",
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    },
  },
  GlobalVolume: { made: { name: "models" }, changed: { name: "weights" } },
  NetworkVolume: {
    made: { size: 50, dataCenter: "EU-RO-1" },
    changed: { size: 60, dataCenter: "EU-RO-1" },
  },
  Pod: {
    made: { image: "org/app:1", gpu: { id: "NVIDIA L4" }, env: { LEVEL: "info" } },
    changed: { image: "org/app:2", gpu: { id: "NVIDIA L4" }, env: { LEVEL: "info" } },
  },
  RegistryAuth: {
    made: { username: "robot", password: "first password" },
    changed: { username: "robot", password: "second password" },
  },
  // Nothing of it changes in place, so the change replaces it.
  RegistryDelegation: {
    made: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1" },
    changed: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v2" },
  },
  Secret: { made: { value: "first value" }, changed: { value: "second value" } },
  ServerlessEndpoint: {
    made: {
      type: "QUEUE",
      image: "org/worker:1",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    },
    changed: {
      type: "QUEUE",
      image: "org/worker:2",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    },
  },
  SshKeys: {
    made: { keys: ["ssh-ed25519 AAAA ada@example.com"] },
    changed: { keys: ["ssh-ed25519 BBBB ada@example.com"] },
  },
  Template: {
    made: { image: "org/worker:1", serverless: true, env: { LEVEL: "info" } },
    changed: { image: "org/worker:2", serverless: true, env: { LEVEL: "info" } },
  },
};

export const kindNames = Object.keys(samples) as KindName[];

/** What a person does with a resource, in this order. `again` is an up without a change, `update` one with a change. */
export const steps = ["preview", "up", "again", "update", "refresh", "destroy"] as const;
export type Step = (typeof steps)[number];
