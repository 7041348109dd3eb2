import type * as classes from "podlumi";
import type { KindName } from "../../provider/resources";

/** One resource of each kind. Releases of any age run this program, so it has to stay as it is. */
export function declare(podlumi: Pick<typeof classes, KindName>): void {
  const image = "org/app:1";
  const data = new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
  new podlumi.GlobalVolume("models", { name: "models" });
  const login = new podlumi.RegistryAuth("ghcr", { username: "bot", password: "hunter22" });
  const token = new podlumi.Secret("token", { value: "hunter23" });
  new podlumi.RegistryDelegation("ecr", {
    resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1",
  });
  new podlumi.SshKeys("keys", { keys: ["ssh-ed25519 AAAA ada@example.com"] });
  const worker = new podlumi.Template("worker", {
    image,
    serverless: true,
    readme: "# Worker",
    env: { TOKEN: token.reference },
  });
  new podlumi.Pod("trainer", {
    image,
    gpu: { id: "NVIDIA L4" },
    registry: login.id,
    env: { MODE: "fast" },
    ports: ["22/tcp", "8888/http"],
    mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
    dataCenterIds: ["EU-RO-1"],
    locked: true,
  });
  new podlumi.Pod("keeper", {
    image,
    gpu: { id: "NVIDIA L4" },
    mounts: { persistent: { size: 20, path: "/data" } },
  });
  new podlumi.ServerlessEndpoint("llm", {
    type: "QUEUE",
    templateId: worker.id,
    gpu: { pools: ["ADA_24"] },
    workers: { min: 0, max: 2, idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
  new podlumi.Cluster("training", {
    image,
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
  });
}
