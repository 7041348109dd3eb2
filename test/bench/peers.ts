import type { EmulatorOptions } from "../../sdk/emulator/service";
import { mixed } from "./program";

/** Another provider, as a plugin of Pulumi. */
export interface Peer {
  /** A program that declares the same as `mixed(size)`, for an account with these environment variables. */
  program(size: number, account: Record<string, string>): string;
  /** What the emulator has to be like for it. */
  readonly features?: EmulatorOptions["features"];
}

/** The mixed stack in the words of the vendor's provider: the kinds stand in the order of `mixed`. */
const ofVendor = [
  (n: number) =>
    `const volume${n} = make("NetworkVolume", { name: "volume${n}", size: 50, dataCenterId: "EU-RO-1" });`,
  (n: number) =>
    `const login${n} = make("ContainerRegistryAuth", { name: "login${n}", username: "robot", password: "password ${n}" });`,
  (n: number) => `make("Secret", { name: "token${n}", value: "value ${n}" });`,
  (n: number) => `const worker${n} = make("Template", {
  name: "worker${n}",
  imageName: "runpod/worker-v1-vllm:v2.8.0stable-cuda12.1.0",
  containerRegistryAuthId: login${n}.id,
  containerDiskInGb: 20,
  volumeInGb: 0,
  isServerless: true,
  env: { MODEL_NAME: "Qwen/Qwen3-8B" },
});`,
  // Without workers: GraphQL deletes no endpoint that may have some, and this provider does not lower them by itself.
  (n: number) => `make("Endpoint", {
  name: "endpoint${n}",
  templateId: worker${n}.id,
  gpuIds: "AMPERE_24,ADA_24",
  workersMin: 0,
  workersMax: 0,
  idleTimeout: 5,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
});`,
  (n: number) => `make("Pod", {
  name: "pod${n}",
  imageName: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
  gpuTypeId: "NVIDIA GeForce RTX 4090",
  gpuCount: 1,
  cloudType: "SECURE",
  containerDiskInGb: 20,
  ports: "8888/http,22/tcp",
  networkVolumeId: volume${n}.id,
  volumeMountPath: "/workspace",
});`,
];

/**
 * The providers that `--peer` knows, by the name at the end of their executable, `pulumi-resource-<name>`. To compare another one, add
 * it here, with a program of the kinds that it has in common with podlumi.
 */
export const peers: Record<string, Peer> = {
  /** github.com/runpod/pulumi-runpod */
  runpod: {
    features: { templateArgs: "dockerArgs" },
    program: (size, { RUNPOD_API_KEY: apiKey, RUNPOD_GRAPHQL_URL: apiUrl }) => `
const pulumi = require("@pulumi/pulumi");
const provider = new pulumi.ProviderResource("runpod", "peer", ${JSON.stringify({ apiKey, apiUrl })});
const make = (type, args) => new pulumi.CustomResource("runpod:index:" + type, args.name, args, { provider });
${mixed(size, ofVendor)}`,
  },
  /** podlumi's own plugin: shows what the comparison itself adds. */
  podlumi: { program: (size) => `const sdk = require("podlumi/plugin");\n${mixed(size)}` },
};
