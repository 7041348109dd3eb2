import type { Emulator } from "../../sdk/emulator/service";

export const gpu = { id: "NVIDIA L4", count: 1 };
const container = { image: "org/app:1", env: { TOKEN: "ENV-VALUE" } };
const endpoint = {
  ...container,
  type: "QUEUE" as const,
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY" as const, queueDelay: 4 },
};
const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 1, podCount: 2 };
export const arn = "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1";

/** Creates one object of each kind that a function finds, named after its kind. */
export function oneOfEach({ service }: Emulator) {
  return {
    Pod: service.pods.create({ name: "a-pod", ...container, gpu }),
    ServerlessEndpoint: service.endpoints.create({ name: "an-endpoint", ...endpoint }),
    Cluster: service.clusters.create({ name: "a-cluster", type: "TRAINING", compute, ...container }),
    NetworkVolume: service.volumes.create({ name: "a-volume", size: 20, dataCenter: "EU-RO-1" }),
    GlobalVolume: service.globalVolumes.create({ name: "a-shelf" }),
    Template: service.templates.create({ name: "a-template", ...container }),
    Secret: service.secrets.create({ name: "a_secret", value: "SECRET-VALUE" }),
    RegistryAuth: service.registries.create({
      name: "a-login",
      username: "USER-VALUE",
      password: "PASS-VALUE",
    }),
    RegistryDelegation: service.delegations.create({ name: "a-delegation", resource: arn }),
  };
}
