import type { KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";

const image = "org/app:1";
const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const endpoint = { image, type: "QUEUE", scaling };
const path = "/data";
const persistent = { size: 20, path };

/** Resources that leave out all that they can, each with a change in place and one that replaces. */
export const resources: Record<
  string,
  { kind: KindName; args: Properties; change: Properties; replace: Properties }
> = {
  cluster: {
    kind: "Cluster",
    args: {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image,
      mounts: { persistent },
    },
    change: { name: "renamed" },
    replace: { image: "org/app:2" },
  },
  pod: {
    kind: "Pod",
    args: { image, gpu: { id: "NVIDIA L4" }, globalNetworking: true, mounts: { persistent } },
    change: { image: "org/app:2" },
    replace: { gpu: { id: "NVIDIA A40" } },
  },
  cpus: {
    kind: "Pod",
    args: { image, cpu: { id: "cpu3c", vcpuCount: 2 }, entrypoint: ["serve"], selfStop: { after: "8h" } },
    change: { image: "org/app:2" },
    replace: { cpu: { id: "cpu3c", vcpuCount: 4 } },
  },
  llm: {
    kind: "ServerlessEndpoint",
    args: { ...endpoint, gpu: { pools: ["ADA_24"] }, workers: { max: 2 } },
    change: { image: "org/app:2" },
    replace: { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
  },
  small: {
    kind: "ServerlessEndpoint",
    args: { ...endpoint, cpu: [{ id: "cpu3c", vcpuCount: 2 }], workers: { idleTimeout: 5 } },
    change: { image: "org/app:2" },
    replace: { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
  },
  template: {
    kind: "Template",
    args: { image, mounts: { persistent } },
    change: { image: "org/app:2" },
    replace: { mounts: {} },
  },
};

const arn = "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker";

/** Those whose outputs are no objects. */
export const others: typeof resources = {
  data: {
    kind: "NetworkVolume",
    args: { size: 20, dataCenter: "EU-RO-1" },
    change: { size: 30 },
    replace: { dataCenter: "US-KS-2" },
  },
  bucket: { kind: "GlobalVolume", args: {}, change: { name: "renamed" }, replace: {} },
  login: {
    kind: "RegistryAuth",
    args: { username: "bot", password: "hunter22" },
    change: { password: "hunter23" },
    replace: {},
  },
  ecr: {
    kind: "RegistryDelegation",
    args: { resource: `${arn}:v1` },
    change: {},
    replace: { resource: `${arn}:v2` },
  },
  token: { kind: "Secret", args: { value: "hunter24" }, change: { value: "hunter25" }, replace: {} },
  keys: {
    kind: "SshKeys",
    args: { keys: ["ssh-ed25519 AAAA ada"] },
    change: { keys: ["ssh-ed25519 AAAA ada", "ssh-ed25519 BBBB bob"] },
    replace: {},
  },
};
