import type { Container } from "../state/container";
import type { Endpoint } from "../state/endpoint";
import type { Pod } from "../state/pod";
import type { Secret } from "../state/secrets";
import type { Template } from "../state/templates";
import type { Volume } from "../state/volumes";
import type { ReleaseList } from "../state/workers";
import type { Fact } from "./state";

const list = (items: string[]) => items.join(", ") || "none";
const yesNo = (is: boolean) => (is ? "yes" : "no");

/** Shows only the names of variables, and only whether there are arguments: both may contain secrets. */
const containerFacts = ({ image, args, disk, ports, env }: Container): Fact[] => [
  ["Image", image],
  ["Arguments", args === "" ? "none" : "set, not shown"],
  ["Disk", `${disk} GB`],
  ["Ports", list(ports)],
  ["Variables", list(Object.keys(env))],
];

const persistentFacts = (mount: { size: number; path: string } | undefined): Fact[] =>
  mount ? [["Storage", `${mount.size} GB at ${mount.path}`]] : [];

export const podFacts = (pod: Pod): Fact[] => [
  ...computeOfPod(pod),
  ["Cloud", `${pod.cloud}, ${pod.dataCenterId}`],
  ["Cost", `$${pod.cost.toFixed(2)} an hour`],
  ...containerFacts(pod),
  ...persistentFacts(pod.mounts.persistent),
  ...(pod.mounts.network ?? []).map(({ path }): Fact => ["Volume at", path]),
  ["Locked", yesNo(pod.locked)],
  ["Global network", pod.globalNetworking.internalDns ?? "off"],
  ["Actions", list(pod.actions)],
  ["Created", pod.createdAt],
  ["Started", pod.startedAt ?? "not yet"],
];

function computeOfPod({ gpu, cpu }: Pod): Fact[] {
  if (gpu) return [["GPU", `${gpu.count} × ${gpu.id}`]];
  return cpu ? [["CPU", `${cpu.vcpuCount} vCPU ${cpu.id}, ${cpu.memory} GB`]] : [];
}

export function endpointFacts(endpoint: Endpoint, { rollout, releases }: ReleaseList): Fact[] {
  const { type, gpu, cpu, workers, scaling, timeout, flashboot, requestUrls } = endpoint;
  const { workersOnLatest, workersTotal } = rollout;
  const [latest] = releases;
  return [
    ["Type", type],
    ...(gpu ? [["GPU", `${gpu.count} × ${gpu.pools.join(" or ")}`] as Fact] : []),
    ...(cpu ?? []).map((one): Fact => ["CPU", `${one.vcpuCount} vCPU ${one.id}, ${one.memory} GB`]),
    ["Workers", `${workers.min} to ${workers.max}`],
    ["Release", `version ${latest?.version ?? 1}, on ${workersOnLatest} of ${workersTotal} workers`],
    ["Changed in it", list((latest?.diff ?? []).map(({ field }) => field))],
    [
      "Scaling",
      scaling.type === "QUEUE_DELAY"
        ? `after ${scaling.queueDelay} s in the queue`
        : `${scaling.requestCount} requests a worker`,
    ],
    ["Idle for", workers.idleTimeout === undefined ? "does not apply" : `${workers.idleTimeout} s`],
    ["Time-out", timeout === 0 ? "none" : `${timeout / 1000} s`],
    ["FlashBoot", flashboot],
    ["Data centers", endpoint.dataCenterIds.join(", ") || "any"],
    ...containerFacts(endpoint),
    ["Address", requestUrls.runSync ?? requestUrls.base ?? ""],
    ["Created", endpoint.createdAt],
  ];
}

export const templateFacts = (template: Template): Fact[] => [
  ["For", template.serverless ? "endpoints" : "pods"],
  ...containerFacts(template),
  ...persistentFacts(template.mounts.persistent),
  ["Category", template.category],
  ["Public", yesNo(template.public)],
];

export const volumeFacts = ({ size, dataCenter, type }: Volume): Fact[] => [
  ["Size", `${size} GB`],
  ["Tier", type],
  ["Data center", dataCenter],
];

export const secretFacts = ({ description, createdAt, valueLastUpdatedAt }: Secret): Fact[] => [
  ["Description", description ?? "none"],
  ["Value", "never shown"],
  ["Created", createdAt],
  ["Value changed", valueLastUpdatedAt ?? "never"],
];
