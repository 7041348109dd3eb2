/** The programs of the benchmark, as text that is valid JavaScript and TypeScript. */

/** One group of the mixed stack: one resource of each kind, with typical references between them. */
const group = [
  (n: number) =>
    `const volume${n} = new sdk.NetworkVolume("volume${n}", { size: 50, dataCenter: "EU-RO-1" });`,
  (n: number) =>
    `const login${n} = new sdk.RegistryAuth("login${n}", { username: "robot", password: "password ${n}" });`,
  (n: number) => `new sdk.Secret("token${n}", { value: "value ${n}" });`,
  (n: number) => `const worker${n} = new sdk.Template("worker${n}", {
  image: "runpod/worker-v1-vllm:v2.8.0stable-cuda12.1.0",
  registry: login${n}.id,
  disk: 20,
  serverless: true,
  env: { MODEL_NAME: "Qwen/Qwen3-8B" },
});`,
  (n: number) => `new sdk.ServerlessEndpoint("endpoint${n}", {
  type: "QUEUE",
  templateId: worker${n}.id,
  image: "runpod/worker-v1-vllm:v2.8.0stable-cuda12.1.0",
  gpu: { pools: ["AMPERE_24", "ADA_24"] },
  workers: { min: 0, max: 1, idleTimeout: 5 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
});`,
  (n: number) => `new sdk.Pod("pod${n}", {
  image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
  gpu: { id: "NVIDIA GeForce RTX 4090" },
  disk: 20,
  ports: ["8888/http", "22/tcp"],
  mounts: { network: [{ volumeId: volume${n}.id, path: "/workspace" }] },
});`,
];

/** Number of kinds in the mixed stack. */
export const kinds = group.length;

/** Length of the longest chain of references in a stack of `size` resources: endpoint, template, credential. */
export function levels(size: number): number {
  if (size >= 5) return 3;
  return size >= 4 ? 2 : 1;
}

/** A stack of `size` resources, of the six kinds in turn; `ofKinds` has them in the words of another provider. */
export function mixed(size: number, ofKinds: readonly ((n: number) => string)[] = group): string {
  const all = Array.from({ length: size }, (_, index) => ofKinds[index % kinds]?.(Math.floor(index / kinds)));
  return all.join("\n");
}

/** A stack of `count` pods that do not refer to other resources. */
export function pods(count: number): string {
  return Array.from(
    { length: count },
    (_, n) => `new sdk.Pod("pod${n}", {
  image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
  gpu: { id: "NVIDIA GeForce RTX 4090" },
});`,
  ).join("\n");
}
