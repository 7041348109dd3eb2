import type { Api } from "../../provider/client/api";
import { functions } from "../../provider/functions";
import type { KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import type { Prices } from "../../sdk/cost/basis";
import { basisOf, isCostKind } from "../../sdk/cost/basis";
import { type CostEstimate, estimate } from "../../sdk/cost/estimate";

/** The life of one object, and what it may cost. */
export interface Step {
  /** Such as `CPU pod`. */
  readonly name: string;
  readonly kind: Exclude<KindName, "SshKeys" | "Cluster" | "RegistryDelegation" | "GlobalVolume">;
  readonly inputs: Properties;
  /** What changes in the middle of its life. */
  readonly change: Properties;
  /** The longest time that it may take. */
  readonly minutes: number;
  /** By the prices of the catalog. */
  readonly cost: CostEstimate;
}

/** The most that a step can cost, in USD: what it makes is there for its longest time. */
export function most({ cost, minutes }: Step): number {
  if (cost.hourly === undefined) return Number.POSITIVE_INFINITY;
  return (cost.hourly.atMost * minutes) / 60;
}

type Plan = Omit<Step, "cost">;

const container = { image: "ubuntu:22.04", args: "sleep infinity", disk: 5, env: { LIFE: "1" } };

/** All steps, the cheapest kinds first. Hardware and places come from the catalog of the account. */
export async function stepsFor(api: Api): Promise<Step[]> {
  const [gpus, cpus, dataCenters] = await Promise.all([
    functions.getGpuTypes.ask(api, {}),
    functions.getCpuTypes.ask(api, {}),
    functions.getDataCenters.ask(api, {}),
  ]);
  const prices: Prices = { gpus, cpus };
  const [cpu] = [...cpus].sort((a, b) => a.price.securePerVcpu - b.price.securePerVcpu);
  const dataCenter = dataCenters.find(({ networkVolumeTypes }) => networkVolumeTypes?.includes("STANDARD"));
  const cpuChoice = { id: String(cpu?.id), vcpuCount: 2 };
  const { gpu } = await functions.cheapestGpu
    .ask(api, {})
    .catch(() => ({ gpu: { id: "none in stock", count: 1 } }));
  const plans: Plan[] = [
    {
      name: "registry credential",
      kind: "RegistryAuth",
      inputs: { username: "podlumi", password: "acceptance" },
      change: { password: "changed" },
      minutes: 30,
    },
    {
      name: "template",
      kind: "Template",
      inputs: { image: container.image, env: container.env, ports: ["8888/http"] },
      change: { args: "sleep 1" },
      minutes: 30,
    },
    {
      name: "secret",
      kind: "Secret",
      inputs: { value: "acceptance" },
      change: { value: "changed" },
      minutes: 30,
    },
    {
      name: "network volume",
      kind: "NetworkVolume",
      inputs: { size: 10, dataCenter: String(dataCenter?.id) },
      change: { size: 11 },
      // A volume bills by the hour.
      minutes: 60,
    },
    {
      name: "tags and cost center",
      kind: "NetworkVolume",
      inputs: {
        size: 10,
        dataCenter: String(dataCenter?.id),
        tags: { podlumi: "acceptance", note: "" },
        costCenter: "podlumi-acceptance",
      },
      change: { tags: { podlumi: "changed" } },
      minutes: 60,
    },
    {
      name: "CPU pod",
      kind: "Pod",
      inputs: { ...container, cpu: cpuChoice, ports: ["22/tcp"], waitTimeout: 300 },
      change: { env: { LIFE: "2" } },
      minutes: 15,
    },
    {
      name: "endpoint",
      kind: "ServerlessEndpoint",
      inputs: {
        ...container,
        type: "QUEUE",
        cpu: [cpuChoice],
        workers: { min: 0, max: 1 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
        waitTimeout: 300,
      },
      change: { workers: { min: 0, max: 1, idleTimeout: 20 } },
      minutes: 15,
    },
    {
      name: "GPU pod",
      kind: "Pod",
      inputs: { ...container, gpu, ports: ["8888/http"], waitTimeout: 300 },
      change: { desiredStatus: "EXITED" },
      minutes: 15,
    },
  ];
  return plans.map((plan) => ({ ...plan, cost: costOf(plan, prices) }));
}

function costOf({ kind, inputs }: Plan, prices: Prices): CostEstimate {
  const nothing = { atLeast: 0, atMost: 0 };
  if (!isCostKind(kind)) return { currency: "USD", hourly: nothing, monthly: nothing, why: "costs nothing" };
  return estimate(kind, basisOf(kind, inputs), prices);
}
