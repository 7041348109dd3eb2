import type { Emulator } from "../../sdk/emulator/service";

/** Values that no read returns, so only the owner knows them. The keys are the generated program's names for them. */
export const untold = {
  hfToken: "hf_AbCdEfGhIjKlMnOpQrStUv",
  ghcrUsername: "robot",
  ghcrPassword: "hunter22-hunter22",
};

/** All secrets of the account. */
const secrets = {
  ...untold,
  cmd: "python train.py --token hf_ZyXwVuTsRqPoNmLkJiHgFe",
  dbPassword: "correct-horse-battery",
  passphrase: "swordfish-swordfish",
};

export const secretNames = Object.keys(secrets);
export const secretValues = Object.values(secrets);

/** The arguments of `pulumi` that set them in the configuration. */
export const setSecrets = [
  ...["config", "set-all"],
  ...Object.entries(secrets).flatMap((entry) => ["--secret", entry.join("=")]),
];

/** Fills an account with objects that refer to each other. */
export function populate({ service }: Emulator): void {
  service.sshKeys.replace(["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample me@example.com"]);
  service.secrets.create({ name: "hf_token", value: untold.hfToken });
  const { ghcrUsername: username, ghcrPassword: password } = untold;
  const registry = service.registries.create({ name: "ghcr", username, password });
  service.delegations.create({
    name: "ecr",
    resource: "arn:aws:ecr:us-east-2:123456789012:repository/worker:v1",
  });
  const data = service.volumes.create({ name: "data", size: 50, dataCenter: "EU-RO-1" });
  const template = service.templates.create({
    name: "lab",
    image: "acme/lab:1",
    disk: 30,
    ports: ["8888/http"],
    env: { HF_TOKEN: "{{ RUNPOD_SECRET_hf_token }}", MODE: "fast" },
    registry: registry.id,
    mounts: { persistent: { size: 20, path: "/workspace" } },
  });
  const worker = service.templates.create({ name: "data", image: "acme/worker:1", serverless: true });
  service.pods.create({
    name: "trainer",
    image: "acme/trainer:1",
    entrypoint: ["sh", "-c"],
    cmd: [secrets.cmd],
    gpu: { id: "NVIDIA GeForce RTX 4090", count: 2 },
    disk: 50,
    env: { DB_PASSWORD: secrets.dbPassword, EPOCHS: "3" },
    mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
    globalNetworking: true,
    startSsh: true,
  });
  for (let n = 0; n < 2; n++) {
    service.pods.create({
      name: "notebook",
      templateId: template.id,
      gpu: { id: "NVIDIA GeForce RTX 4090", count: 1 },
    });
  }
  service.pods.create({ name: "2 cpus", image: "acme/web:1", cpu: { id: "cpu3c", vcpuCount: 2 } });
  service.endpoints.create({
    name: "llm",
    type: "QUEUE",
    templateId: worker.id,
    gpu: { pools: ["ADA_24", "AMPERE_24"], excludedTypes: ["NVIDIA RTX A5000"] },
    networkVolumes: [data.id],
    workers: { min: 0, max: 2, idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    env: { HF_TOKEN: "{{ RUNPOD_SECRET_hf_token }}", "weird.name": "x", DB_PASSWORD: secrets.dbPassword },
  });
  service.endpoints.create({
    name: "web",
    type: "LOAD_BALANCER",
    image: "acme/web:1",
    cpu: [{ id: "cpu3c", vcpuCount: 2 }],
    scaling: { type: "REQUEST_COUNT", requestCount: 2 },
  });
  service.clusters.create({
    name: "ring",
    type: "APPLICATION",
    templateId: template.id,
    compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 1, podCount: 2 },
  });
  service.clusters.create({
    name: "swarm",
    type: "TRAINING",
    image: "acme/train:1",
    compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
    env: { PASSPHRASE: secrets.passphrase },
  });
}
