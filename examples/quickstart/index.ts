import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();
const dataCenter = "EU-RO-1";

const data = new podlumi.NetworkVolume("data", { size: config.requireNumber("volumeSize"), dataCenter });

const registry = new podlumi.RegistryAuth("registry", {
  username: config.require("registryUsername"),
  password: config.requireSecret("registryPassword"),
});

const token = new podlumi.Secret("model_token", { value: config.requireSecret("modelToken") });

const worker = new podlumi.Template("worker", {
  image: config.require("image"),
  registry: registry.id,
  disk: 20,
  serverless: true,
  env: { HF_TOKEN: token.reference, MODEL_NAME: "Qwen/Qwen3-8B" },
});

const endpoint = new podlumi.ServerlessEndpoint("inference", {
  type: "QUEUE",
  templateId: worker.id,
  image: worker.image,
  gpu: { pools: ["AMPERE_24", "ADA_24"] },
  workers: { min: 0, max: config.requireNumber("maxWorkers"), idleTimeout: 5 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
});

const notebook = new podlumi.Pod("notebook", {
  image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
  gpu: { id: "NVIDIA GeForce RTX 4090" },
  disk: 20,
  ports: ["8888/http", "22/tcp"],
  startJupyter: true,
  startSsh: true,
  mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
});

export const runSync = endpoint.requestUrls.runSync;
export const ssh = notebook.ssh.apply((ssh) => ssh.proxy?.command);
