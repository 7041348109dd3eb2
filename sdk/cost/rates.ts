import type { Unwrap } from "@pulumi/pulumi";
import type { CpuType } from "../../provider/functions/catalog/types";
import type { ClusterArgs } from "../../provider/resources/cluster/types";
import type { CpuArgs } from "../../provider/resources/container/types";
import type { NetworkVolumeArgs } from "../../provider/resources/network-volume/types";
import type { PodArgs } from "../../provider/resources/pod/types";
import { defaultWorkers } from "../../provider/resources/serverless-endpoint/outputs";
import type { ServerlessEndpointArgs } from "../../provider/resources/serverless-endpoint/types";
import type { CostKind, Prices } from "./basis";
import { storage } from "./storage";

/** Hours of a month, in every estimate. */
export const month = 730;

/** USD an hour, and the parts that it counts. */
interface Rate {
  readonly atLeast: number;
  readonly atMost: number;
  readonly counted: readonly string[];
}

/** A part without a price. The message says why. */
export class NoPrice extends Error {}

/** Properties of an object from a program or a state: plain values, all of them optional. */
type Said<Args> = Partial<Unwrap<Args>> & {
  "mounts.persistent"?: { size: number } | null;
  adopts?: boolean;
};

export const rates: Record<CostKind, (basis: object, prices: Prices) => Rate> = {
  /** Clusters have no price of their own in the catalog. (API: Catalog, GPUs) */
  Cluster({ compute, disk, "mounts.persistent": persistent, adopts }: Said<ClusterArgs>, prices) {
    if (compute === undefined) throw new NoPrice("it names no compute");
    if (adopts) mustBeKnown({ mounts: persistent });
    const { gpuTypeId, gpuCountPerPod, podCount } = compute;
    const gpu = podCompute({ gpu: { id: gpuTypeId, count: gpuCountPerPod } }, prices);
    const pod = sum(gpu, ...disks(disk, sizeOf(persistent)));
    return sum(
      times(podCount, podCount, "pods", pod),
      stored(0, "by the prices of pods, without the network between them"),
    );
  },

  NetworkVolume({ size, type }: Said<NetworkVolumeArgs>) {
    if (size === undefined) throw new NoPrice("it names no size");
    const tiers = type === undefined ? (["STANDARD", "HIGH_PERFORMANCE"] as const) : [type];
    const unknownTier = tiers.find((tier) => !Object.hasOwn(storage.network, tier));
    if (unknownTier !== undefined) throw new NoPrice(`podlumi knows no price of ${unknownTier} storage`);
    return oneOf(tiers.map((tier) => stored(storage.network[tier](size), `${size} GB of ${tier} storage`)));
  },

  /** The state says where a pod is. Before that, each place that the program allows is possible. */
  Pod(
    {
      gpu,
      cpu,
      cloud,
      placements,
      disk,
      desiredStatus,
      "mounts.persistent": persistent,
      adopts,
    }: Said<PodArgs>,
    prices,
  ) {
    if (adopts) {
      mustBeKnown({
        ...(gpu && { "gpu.count": gpu.count }),
        // A pod has to fit one of the places, in which a default is a value like any other.
        ...(placements === undefined && { cloud }),
        ...(cpu === undefined && { mounts: persistent }),
      });
    }
    if (desiredStatus === "EXITED") {
      const size = sizeOf(persistent) ?? 0;
      return stored(size * storage.stopped, `stopped: ${size} GB of persistent storage`);
    }
    const places = gpu || cpu ? [{ gpu, cpu, cloud }] : (placements ?? []);
    const compute = oneOf(places.map((place) => podCompute(place, prices)));
    return sum(compute, ...disks(disk, sizeOf(persistent)));
  },

  ServerlessEndpoint({ gpu, cpu, workers, disk, adopts }: Said<ServerlessEndpointArgs>, prices) {
    if (adopts) mustBeKnown({ ...(gpu && { "gpu.count": gpu.count }), "workers.max": workers?.max });
    const machines = gpu
      ? gpu.pools.map((pool) => poolCompute(gpu, pool, prices))
      : (cpu ?? []).map((choice) => cpuCompute(choice, "serverlessPerVcpu", prices));
    const worker = sum(oneOf(machines), ...disks(disk));
    const min = workers?.min ?? defaultWorkers.min;
    return times(min, workers?.max ?? Math.max(min, defaultWorkers.max), "workers", worker);
  },
};

type Cpu = Unwrap<CpuArgs>;
type Place = NonNullable<Unwrap<PodArgs["placements"]>>[number];
type Pools = NonNullable<Unwrap<ServerlessEndpointArgs["gpu"]>>;

/** Defaults hold for what podlumi creates. An adopted object keeps what the program leaves out, which only its outputs tell. */
function mustBeKnown(properties: Readonly<Record<string, unknown>>): void {
  const open = Object.keys(properties).filter((name) => properties[name] === undefined);
  if (open.length > 0)
    throw new NoPrice(`an adopted object keeps what the program leaves out: declare ${open.join(", ")}`);
}

function podCompute({ gpu, cpu, cloud = "SECURE" }: Place, prices: Prices): Rate {
  if (cpu) {
    // The catalog has only one price for CPU pods: the price in the Secure cloud. (API: Catalog, CPUs)
    if (cloud !== "SECURE") throw new NoPrice(`the catalog has no price of CPUs in the ${cloud} cloud`);
    return cpuCompute(cpu, "securePerVcpu", prices);
  }
  if (!gpu) throw new NoPrice("it names neither gpu nor cpu");
  const type = prices.gpus.find(({ id }) => id === gpu.id);
  const price = type?.price[cloud === "SECURE" ? "secure" : "community"];
  // A price of 0 means that the cloud does not have the type. (API: Catalog, GPUs)
  if (!price) throw new NoPrice(`the catalog has no price of "${gpu.id}" in the ${cloud} cloud`);
  return rented(gpu.count ?? 1, [price], gpu.id);
}

function cpuCompute({ id, vcpuCount }: Cpu, price: keyof CpuType["price"], { cpus }: Prices): Rate {
  const usd = cpus.find((flavor) => flavor.id === id)?.price[price];
  if (!usd) throw new NoPrice(`the catalog has no price of the CPU flavor "${id}"`);
  return rented(vcpuCount, [usd], `vCPU of ${id}`);
}

/** A worker may get any GPU type of the pool that is not excluded. */
function poolCompute({ count, excludedTypes }: Pools, pool: string, { gpus }: Prices): Rate {
  const types = gpus.filter((gpu) => gpu.pool === pool && !excludedTypes?.includes(gpu.id));
  const usd = types.flatMap(({ price }) => price.serverless || []);
  if (usd.length === 0) throw new NoPrice(`the catalog has no price of workers in the pool "${pool}"`);
  return rented(count ?? 1, [...new Set(usd)], `${pool} GPU`);
}

/** The container disk and the host-local storage of a running pod or worker. */
function disks(disk: number | undefined, persistent?: number): Rate[] {
  const container =
    disk === undefined
      ? stored(0, "without its container disk, whose size is not known yet")
      : stored(disk * storage.running, `${disk} GB of container disk`);
  if (persistent === undefined) return [container];
  return [container, stored(persistent * storage.running, `${persistent} GB of persistent storage`)];
}

/** Undefined without storage. */
function sizeOf(mount: { size: number } | null | undefined): number | undefined {
  return mount ? Number(mount.size) : undefined;
}

/** At one of several prices. */
function rented(count: number, prices: readonly number[], what: string): Rate {
  const usd = prices.map((price) => count * price);
  return rate(usd, `${count} × ${what} at ${prices.join(" or ")} USD an hour`);
}

function stored(monthly: number, what: string): Rate {
  return rate([monthly / month], what);
}

function sum(...parts: Rate[]): Rate {
  const usd = (end: "atLeast" | "atMost") => parts.reduce((all, part) => all + part[end], 0);
  return { atLeast: usd("atLeast"), atMost: usd("atMost"), counted: parts.flatMap(({ counted }) => counted) };
}

function oneOf(choices: Rate[]): Rate {
  if (choices.length === 0) throw new NoPrice("it names neither gpu nor cpu");
  const usd = choices.flatMap(({ atLeast, atMost }) => [atLeast, atMost]);
  return rate(usd, choices.map(({ counted }) => counted.join(", ")).join(" or "));
}

function times(min: number, max: number, of: string, { atLeast, atMost, counted }: Rate): Rate {
  const many = min === max ? `${max} ${of}` : `${min} to ${max} ${of}`;
  return rate([min * atLeast, max * atMost], `${many} of ${counted.join(", ")}`);
}

function rate(usd: readonly number[], what: string): Rate {
  return { atLeast: Math.min(...usd), atMost: Math.max(...usd), counted: [what] };
}
