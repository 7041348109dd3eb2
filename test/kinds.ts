import type { KindName } from "../provider/resources";
import type { Properties } from "../provider/value";

/** What a person does with a resource, in this order. `again` is an up without a change, `update` one with a change. */
export const steps = ["preview", "up", "again", "update", "refresh", "destroy"] as const;
export type Step = (typeof steps)[number];

/** One resource of a kind, for specifications and measurements that go through all kinds. */
interface Sample {
  readonly args: Properties;
  /** A change in place. */
  readonly change?: Properties;
  /** A change that replaces. */
  readonly replace?: Properties;
  /** An id of the form that the kind has. */
  readonly missing: string;
  /** The arguments of a typical resource, and the same after a typical change. Default: `args`, and with `change`. */
  readonly typical?: { readonly made: object; readonly changed: object };
  /** The most requests that the typical resource takes: test/bench/kinds.spec.ts has the rules. */
  readonly most: Readonly<Record<Step, number>>;
  /** The address of its objects in the service's contract, and the name of their list. */
  readonly contract: readonly [address: string, list?: string];
}

const container = {
  image: "org/app:1",
  args: "--fast",
  disk: 30,
  env: { MODE: "fast" },
  ports: ["80/http"],
};
const missing = "abcdefghij";

export const samples: Record<KindName, Sample> = {
  Cluster: {
    args: {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: "org/app:1",
      env: { MODE: "fast" },
    },
    change: { name: "renamed" },
    replace: { image: "org/app:2" },
    missing,
    typical: {
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
    most: { preview: 3, up: 7, again: 0, update: 4, refresh: 2, destroy: 3 },
    contract: ["/v2/clusters", "clusters"],
  },
  GlobalVolume: {
    args: { deleteTimeout: 60 },
    change: { name: "renamed" },
    missing,
    typical: { made: { name: "models" }, changed: { name: "weights" } },
    most: { preview: 2, up: 3, again: 0, update: 3, refresh: 1, destroy: 2 },
    contract: ["/v2/global-volumes", "globalVolumes"],
  },
  NetworkVolume: {
    args: { size: 50, dataCenter: "EU-RO-1", deleteTimeout: 60 },
    change: { size: 60 },
    replace: { dataCenter: "US-KS-2" },
    missing,
    typical: {
      made: { size: 50, dataCenter: "EU-RO-1" },
      changed: { size: 60, dataCenter: "EU-RO-1" },
    },
    most: { preview: 2, up: 4, again: 0, update: 3, refresh: 1, destroy: 2 },
    contract: ["/v2/network-volumes", "networkVolumes"],
  },
  Pod: {
    args: {
      ...container,
      gpu: { id: "NVIDIA L4", count: 1 },
      mounts: { persistent: { size: 20, path: "/data" } },
      dataCenterIds: ["EU-RO-1"],
      locked: true,
    },
    change: { image: "org/app:2", env: { MODE: "slow" } },
    replace: { gpu: { id: "NVIDIA A40" } },
    missing: "abcdefghijklmn",
    typical: {
      made: { image: "org/app:1", gpu: { id: "NVIDIA L4" }, env: { LEVEL: "info" } },
      changed: { image: "org/app:2", gpu: { id: "NVIDIA L4" }, env: { LEVEL: "info" } },
    },
    most: { preview: 3, up: 6, again: 0, update: 3, refresh: 1, destroy: 2 },
    contract: ["/v2/pods", "pods"],
  },
  RegistryAuth: {
    args: { username: "bot-of-acme", password: "hunter22" },
    change: { password: "hunter23" },
    missing,
    typical: {
      made: { username: "robot", password: "first password" },
      changed: { username: "robot", password: "second password" },
    },
    most: { preview: 1, up: 3, again: 0, update: 4, refresh: 1, destroy: 6 },
    contract: ["/v2/registries", "registries"],
  },
  RegistryDelegation: {
    args: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1" },
    replace: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v2" },
    missing,
    typical: {
      made: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1" },
      changed: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v2" },
    },
    most: { preview: 1, up: 3, again: 0, update: 4, refresh: 1, destroy: 2 },
    contract: ["/v2/registries/delegations", "delegations"],
  },
  Secret: {
    args: { value: "hunter24" },
    change: { value: "hunter25" },
    missing,
    typical: { made: { value: "first value" }, changed: { value: "second value" } },
    most: { preview: 1, up: 3, again: 0, update: 3, refresh: 1, destroy: 6 },
    contract: ["/v2/account/secrets", "secrets"],
  },
  ServerlessEndpoint: {
    args: {
      ...container,
      type: "QUEUE",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      workers: { min: 0, max: 2, idleTimeout: 5 },
      timeout: 60_000,
    },
    change: { image: "org/app:2", workers: { min: 0, max: 1, idleTimeout: 5 } },
    replace: { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
    missing: "abcdefghijklmn",
    typical: {
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
    most: { preview: 3, up: 6, again: 0, update: 3, refresh: 1, destroy: 2 },
    contract: ["/v2/serverless", "endpoints"],
  },
  SshKeys: {
    args: { keys: ["ssh-ed25519 AAAA ada@example.com"] },
    change: { keys: ["ssh-ed25519 AAAA ada@example.com", "ssh-ed25519 BBBB bob@example.com"] },
    missing: "no-such-keys",
    typical: {
      made: { keys: ["ssh-ed25519 AAAA ada@example.com"] },
      changed: { keys: ["ssh-ed25519 BBBB ada@example.com"] },
    },
    most: { preview: 2, up: 4, again: 0, update: 4, refresh: 1, destroy: 0 },
    contract: ["/v2/account/ssh-keys"],
  },
  Template: {
    args: { ...container, readme: "# Worker" },
    change: { image: "org/app:2", readme: "# Other" },
    missing,
    typical: {
      made: { image: "org/worker:1", serverless: true, env: { LEVEL: "info" } },
      changed: { image: "org/worker:2", serverless: true, env: { LEVEL: "info" } },
    },
    most: { preview: 1, up: 3, again: 0, update: 3, refresh: 1, destroy: 2 },
    contract: ["/v2/templates", "templates"],
  },
};

export const kindNames = Object.keys(samples) as KindName[];
