import { createHash } from "node:crypto";
import { type Cloud, findCpu, findGpu } from "../catalog";
import { cpuPrice, gpuPrice } from "../prices";
import { type Container, type ContainerView, containerView } from "./container";
import { timestamp } from "./ids";
import type { ShownTag } from "./labels";
import type { Mounts } from "./mounts";
import { PER_GPU } from "./placement";
import type { Timeline } from "./timeline";

export type PodStatus = "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";
export type PodAction = "start" | "stop" | "restart" | "terminate";

export type ClusterRole = "SLURM_CONTROLLER" | "SLURM_COMPUTE" | "RAY_HEAD" | "RAY_WORKER";

interface Membership {
  id: string;
  rank: number;
  role?: ClusterRole;
}

/** The stored pod. {@link podView} turns it into an answer. */
export interface PodRecord {
  id: string;
  name: string;
  container: Container;
  gpu?: { id: string; count: number };
  cpu?: { id: string; vcpuCount: number; memory: number };
  cloud: Cloud;
  dataCenterId: string;
  cudaVersion: string | null;
  mounts: Mounts;
  cluster?: Membership;
  /** The template it was created from. */
  template: string | null;
  /** Answers name the template only of pods that GraphQL created. */
  showsTemplate: boolean;
  globalNetworking: { wanted: boolean; ip: string | null };
  locked: boolean;
  createdAt: number;
  status: Timeline<PodStatus>;
  /** Number of boots. Each boot maps the ports anew. */
  boots: number;
  /** The environment in the container, with the values that secrets had when it booted. */
  bootEnv: Record<string, string>;
}

export interface SshEndpoint {
  host: string;
  port: number;
  username: string;
  command: string;
}

export interface PodPort {
  private: number;
  public: number | null;
  type: string;
  ip: string | null;
}

/** A pod, as answers show it. */
export interface Pod extends ContainerView {
  id: string;
  name: string;
  status: PodStatus;
  actions: PodAction[];
  mounts: Mounts;
  /** vCPUs and GB of memory are those of all its GPUs. */
  gpu?: { id: string; count: number; vcpuCount: number; memory: number };
  cpu?: { id: string; vcpuCount: number; memory: number };
  cloud: Cloud;
  dataCenterId: string | null;
  cudaVersion: string | null;
  ssh: { proxy: SshEndpoint | null; direct: SshEndpoint | null };
  cluster?: Omit<Membership, "rank"> & { rank: number | null; ip?: string };
  template: string | null;
  /** USD an hour. */
  cost: number;
  locked: boolean;
  globalNetworking: { enabled: boolean; ip?: string; internalDns?: string };
  runtime: {
    uptime: number;
    gpus: { util: number; memoryUtil: number }[];
    cpu: { util: number };
    memory: { util: number };
    ports: PodPort[];
  } | null;
  createdAt: string;
  startedAt: string | null;
  tags: ShownTag[];
}

// assumes: value * /pods*: *actions
const ACTIONS: Record<PodStatus, PodAction[]> = {
  PROVISIONING: ["stop", "terminate"],
  STARTING: ["stop", "terminate"],
  RUNNING: ["stop", "restart", "terminate"],
  EXITED: ["start", "terminate"],
  ERROR: ["start", "terminate"],
  TERMINATED: [],
};

/** A locked pod can be neither stopped nor restarted (API: Pods, locked). */
export function actionsOf(pod: PodRecord, now: number): PodAction[] {
  const locked = (action: PodAction) => pod.locked && (action === "stop" || action === "restart");
  return ACTIONS[pod.status.at(now)].filter((action) => !locked(action));
}

/** USD an hour while the pod holds its compute. */
export function rateOf({ gpu, cpu, cloud }: Pick<PodRecord, "gpu" | "cpu" | "cloud">): number {
  const gpuType = gpu && findGpu(gpu.id);
  if (gpu && gpuType) return gpuPrice(gpuType, cloud) * gpu.count;
  const flavor = cpu && findCpu(cpu.id);
  return cpu && flavor ? cpuPrice(flavor, "SECURE") * cpu.vcpuCount : 0;
}

function startedAt(pod: PodRecord, now: number): number | null {
  return pod.status.past(now).findLast((step) => step.value === "RUNNING")?.at ?? null;
}

/** A pod as the REST interface shows it. */
// assumes: field, value * /pods*
export function podView(pod: PodRecord, now: number, platformEnv: Record<string, string>): Omit<Pod, "tags"> {
  const status = pod.status.at(now);
  const running = status === "RUNNING";
  const started = startedAt(pod, now);
  const ports = running ? pod.container.ports.map((port) => mapPort(pod, port)) : [];
  return {
    id: pod.id,
    name: pod.name,
    ...containerView(pod.container),
    env: { ...pod.container.env, ...platformEnv },
    status,
    actions: actionsOf(pod, now),
    mounts: structuredClone(pod.mounts),
    ...(pod.gpu && {
      gpu: {
        ...pod.gpu,
        vcpuCount: PER_GPU.vcpuCount * pod.gpu.count,
        memory: PER_GPU.memory * pod.gpu.count,
      },
    }),
    ...(pod.cpu && { cpu: { ...pod.cpu } }),
    cloud: pod.cloud,
    dataCenterId: pod.dataCenterId,
    cudaVersion: pod.cudaVersion,
    ssh: { proxy: sshProxy(pod), direct: sshDirect(ports) },
    ...(pod.cluster && { cluster: membershipView(pod.cluster, status) }),
    // assumes: value * /pods*: *template
    template: pod.showsTemplate ? pod.template : null,
    cost: status === "EXITED" || status === "TERMINATED" ? 0 : rateOf(pod),
    locked: pod.locked,
    globalNetworking: pod.globalNetworking.ip
      ? { enabled: true, ip: pod.globalNetworking.ip, internalDns: `${pod.id}.runpod.internal` }
      : { enabled: false },
    runtime: running
      ? {
          uptime: Math.floor((now - (started ?? now)) / 1000),
          gpus: Array.from({ length: pod.gpu?.count ?? 0 }, () => ({ util: 0, memoryUtil: 0 })),
          cpu: { util: 1 },
          memory: { util: 1 },
          ports,
        }
      : null,
    createdAt: timestamp(pod.createdAt),
    startedAt: started === null ? null : timestamp(started),
  };
}

/** A pod has neither rank nor address until it is provisioned (API: Pods, cluster). */
function membershipView(cluster: Membership, status: PodStatus): Pod["cluster"] {
  if (status === "PROVISIONING") return { ...cluster, rank: null };
  return { ...cluster, ip: `10.65.0.${cluster.rank + 2}` };
}

/**
 * http ports go through the service's proxy. Others get a public port that changes with every boot; from 70000 on, the container has
 * the same one (API: Pods, ports).
 */
function mapPort(pod: PodRecord, port: string): PodPort {
  const [number, type = "tcp"] = port.split("/");
  if (type === "http") return { private: Number(number), public: null, type, ip: null };
  const publicPort = 10_000 + (hash(`${pod.id} ${port} ${pod.boots}`).readUInt16BE() % 50_000);
  const isSame = Number(number) >= 70_000;
  return { private: isSame ? publicPort : Number(number), public: publicPort, type, ip: "203.0.113.7" };
}

function sshProxy(pod: PodRecord): SshEndpoint {
  const host = "ssh.runpod.io";
  const username = `${pod.id}-${hash(pod.id).toString("hex").slice(0, 8)}`;
  return { host, port: 22, username, command: `ssh ${username}@${host}` };
}

function sshDirect(ports: PodPort[]): SshEndpoint | null {
  const port = ports.find((port) => port.private === 22 && port.type === "tcp");
  if (!port?.ip || port.public === null) return null;
  const command = `ssh root@${port.ip} -p ${port.public}`;
  return { host: port.ip, port: port.public, username: "root", command };
}

const hash = (text: string) => createHash("sha256").update(text).digest();
