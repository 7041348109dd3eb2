import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { systemClock } from "../../provider/client/clock";
import { handler } from "../../provider/core/handler";
import type { Properties } from "../../provider/core/value";
import { cluster } from "../../provider/resources/cluster";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { registryDelegation } from "../../provider/resources/registry-delegation";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { template } from "../../provider/resources/template";
import { session } from "../../provider/session";
import { type Emulator, startEmulator } from "../emulator";
import { fast } from "../harness/account";

/** The service of the specification that runs. */
export let emulator: Emulator;
let home: string;

const { sleep } = systemClock;

beforeEach(async () => {
  // Time is as it is, but pauses are short: what is tried again is tried more often.
  jest.spyOn(systemClock, "sleep").mockImplementation((pause, signal) => sleep(pause / 20, signal));
  emulator = await startEmulator({ ...fast });
  home = mkdtempSync(join(tmpdir(), "podlumi-home-"));
  process.env.PULUMI_HOME = home;
});
afterEach(async () => {
  jest.restoreAllMocks();
  delete process.env.PULUMI_HOME;
  await emulator.close();
  rmSync(home, { recursive: true, force: true });
});

/** The provider as a process of its own would have it: with nothing remembered from before. */
export function provider(environment: NodeJS.ProcessEnv = {}) {
  const fresh = session({ ...emulator.env, ...environment });
  return {
    cluster: handler(cluster, fresh),
    networkVolume: handler(networkVolume, fresh),
    pod: handler(pod, fresh),
    registryAuth: handler(registryAuth, fresh),
    registryDelegation: handler(registryDelegation, fresh),
    secret: handler(secret, fresh),
    serverlessEndpoint: handler(serverlessEndpoint, fresh),
    template: handler(template, fresh),
  };
}

export type Kind = keyof ReturnType<typeof provider>;

export const inputs: Record<Kind, Properties> = {
  cluster: {
    name: "training",
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
    image: "org/train:1",
    env: { A: "1" },
  },
  networkVolume: { name: "data", size: 20, dataCenter: "EU-RO-1" },
  pod: {
    name: "trainer",
    image: "org/pod:1",
    gpu: { id: "NVIDIA L4" },
    env: { A: "1" },
    ports: ["22/tcp", "80/http"],
  },
  registryAuth: { name: "ghcr", username: "bot", password: "hunter22" },
  registryDelegation: { name: "ecr", resource: "arn:aws:ecr:us-east-2:123456789012:repository/app:v1" },
  secret: { name: "token", value: "hunter22" },
  serverlessEndpoint: {
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"], excludedTypes: [] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  },
  template: { name: "worker", image: "org/worker:1", env: { A: "1" } },
};

export const kinds = Object.keys(inputs) as Kind[];
export const urnOf = (kind: string, name = "it", stack = "dev") =>
  `urn:pulumi:${stack}::project::pulumi-nodejs:dynamic/podlumi:${kind}::${name}`;
export const create = (of: ResourceProvider, kind: Kind, changes: Properties = {}) =>
  of.create({ ...inputs[kind], __provider: "p", __urn: urnOf(kind), ...changes });

/** What the provider's notes of begun creations hold. */
export function notes(): string[] {
  const folder = join(home, "podlumi", "creating");
  return readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Ids of everything that exists. */
export const existing = () =>
  Object.values(emulator.service.snapshot()).flatMap((all) => all.map(({ id }) => id));

export const creations = [
  { match: { method: "POST", path: "/pods" } },
  { match: { method: "POST", path: "/clusters" } },
  { match: { method: "POST", path: "/registries/delegations" } },
  { match: { method: "POST", path: "/serverless" } },
  { match: { method: "POST", path: "/templates" } },
  { match: { method: "POST", path: "/network-volumes" } },
  { match: { method: "POST", path: "/registries" } },
  { match: { operation: "secretCreate" } },
];
