import type { Definition } from "../../provider/core/kind";
import { cluster } from "../../provider/resources/cluster";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { registryDelegation } from "../../provider/resources/registry-delegation";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { template } from "../../provider/resources/template";
import { checker } from "../../provider/schema/check";
import type { Failure } from "../../provider/schema/failure";
import type { Properties } from "../../provider/value";

export const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
export const kinds = {
  cluster,
  networkVolume,
  pod,
  registryAuth,
  registryDelegation,
  secret,
  serverlessEndpoint,
  sshKeys,
  template,
};

/** The smallest valid arguments of each kind. */
export const valid: Record<keyof typeof kinds, Properties> = {
  cluster: { name: "training", type: "TRAINING", compute, image: "org/train:1" },
  networkVolume: { name: "data", size: 20, dataCenter: "EU-RO-1" },
  pod: { name: "trainer", image: "runpod/base:1.0", gpu: { id: "NVIDIA L4" } },
  registryAuth: { name: "ghcr", username: "bot", password: "hunter22" },
  registryDelegation: {
    name: "ecr",
    resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1",
  },
  secret: { name: "token", value: "hunter22" },
  serverlessEndpoint: {
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  },
  sshKeys: { keys: ["ssh-ed25519 AAAA ada@example.com\n", "sk-ssh-ed25519@openssh.com AAAA"] },
  template: { name: "worker", image: "org/worker:1" },
};

/** What the check says of arguments: the smallest valid ones with changes. */
export function check(kind: keyof typeof kinds, changes: Properties = {}): Failure[] {
  const { fields, rules } = kinds[kind] as Definition<Record<string, unknown>>;
  const inputs = { ...valid[kind], ...changes };
  for (const [key, value] of Object.entries(inputs)) if (value === undefined) delete inputs[key];
  return checker(fields, rules)(inputs);
}
