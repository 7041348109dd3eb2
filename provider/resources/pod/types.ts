import type * as pulumi from "@pulumi/pulumi";
import type { HasId } from "../../schema/arguments";
import type {
  Cloud,
  ContainerState,
  CpuArgs,
  CpuState,
  PersistentMountArgs,
  PersistentMountState,
  RunningArgs,
  RunningState,
} from "../container/types";
import type { DataCenterId, GpuTypeId } from "../known/types";
import type { NetworkVolumeState } from "../network-volume/types";
import type { TemplateState } from "../template/types";

/** GPUs of a pod. */
export interface PodGpuArgs {
  /** GPU type, e.g. `NVIDIA GeForce RTX 4090`. */
  id: pulumi.Input<GpuTypeId>;
  /** Number of GPUs. Default 1. */
  count?: pulumi.Input<number | undefined>;
  /** CUDA versions (`major.minor`) that the host may have, matched exactly. Not together with `minCudaVersion`. */
  allowedCudaVersions?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Lowest CUDA version (`major.minor`) that the host may have. Not together with `allowedCudaVersions`. */
  minCudaVersion?: pulumi.Input<string | undefined>;
  /** Memory in GB that the host must have for each GPU, at least 1. Only newer versions of the service take it. */
  minRamPerGpu?: pulumi.Input<number | undefined>;
  /** vCPUs that the host must have for each GPU, at least 1. Only newer versions of the service take it. */
  minVcpuCountPerGpu?: pulumi.Input<number | undefined>;
}

/** A network volume in a pod. */
export interface NetworkMountArgs {
  /** Id of a {@link NetworkVolume} in the pod's data center. */
  volumeId: pulumi.Input<string | HasId<NetworkVolumeState>>;
  /** Mount path inside the container, absolute. */
  path: pulumi.Input<string>;
}

/** Storage of a pod: `persistent` or `network`, not both. */
export interface PodMountsArgs {
  /** Host-local storage, for GPU pods. */
  persistent?: pulumi.Input<PersistentMountArgs | undefined>;
  /** At most one network volume; Secure cloud only. */
  network?: pulumi.Input<pulumi.Input<NetworkMountArgs>[] | undefined>;
}

/** A place where a pod may run. */
export interface PlacementArgs {
  /** GPUs. Give this or `cpu`. */
  gpu?: pulumi.Input<PodGpuArgs | undefined>;
  /** CPUs. Give this or `gpu`. */
  cpu?: pulumi.Input<CpuArgs | undefined>;
  /** `SECURE`: the vendor's data centers; `COMMUNITY`: community hosts. Default `SECURE`. */
  cloud?: pulumi.Input<Cloud | undefined>;
  /** Allowed data centers. Default: any. */
  dataCenterIds?: pulumi.Input<pulumi.Input<DataCenterId>[] | undefined>;
}

/** When a pod stops itself: after a time, when nothing works in it, or at what comes first. */
export interface SelfStopArgs {
  /** Time since the pod started, such as `90m`, `8h` or `7d`, at least `5m`. A restart of the container does not begin it again. */
  after?: pulumi.Input<string | undefined>;
  /**
   * Time without work, such as `30m`, at least `10m`: each NVIDIA GPU at 5 % or less, less than 0.2 cores of CPU, and no SSH connection to
   * port 22 of the container. What cannot be measured counts as work.
   */
  idle?: pulumi.Input<string | undefined>;
  /** `stop` keeps what is in `mounts`, which is still billed; `terminate` deletes the pod. Default `stop`. */
  action?: pulumi.Input<"stop" | "terminate" | undefined>;
}

/** Arguments of pods, single or in a cluster. */
export interface PodsArgs extends RunningArgs {
  /**
   * Put the account's SSH keys into each pod (`PUBLIC_KEY`). Default: false; with `templateId`, the template's. A change
   * replaces the pod or the cluster.
   */
  startSsh?: pulumi.Input<boolean | undefined>;
  /**
   * Start JupyterLab in each pod, from an image made for it, with `8888/http` among the `ports` and its password in the
   * variable `JUPYTER_PASSWORD`. Default: false; with `templateId`, the template's. A change replaces the pod or the
   * cluster.
   */
  startJupyter?: pulumi.Input<boolean | undefined>;
  /**
   * `revision` of the {@link Template}. A new one replaces the pod or the cluster, and deletes the disks; the first one
   * does not. Without it, edits of the template do not reach them.
   */
  templateRevision?: pulumi.Input<string | undefined>;
  /** Seconds to retry a creation while no place has room, and a start while the host is full, 0 to 86400. Default 0. */
  capacityTimeout?: pulumi.Input<number | undefined>;
  /** `RUNNING`: `pulumi up` waits until all pods run; `NONE`: it does not wait for that. Default `RUNNING`. */
  waitFor?: pulumi.Input<"RUNNING" | "NONE" | undefined>;
  /** Seconds to wait for the status that is asked for, 1 to 86400. Default 900. */
  waitTimeout?: pulumi.Input<number | undefined>;
}

/** Arguments of a {@link Pod}. (API: Pods, create, update and actions) */
export interface PodArgs extends PodsArgs {
  /** GPUs. Give this, `cpu` or `placements`. Another type or number replaces the pod, and so does what its host does not have. */
  gpu?: pulumi.Input<PodGpuArgs | undefined>;
  /** CPUs of a pod without GPU. Give this, `gpu` or `placements`. Another place replaces the pod. */
  cpu?: pulumi.Input<CpuArgs | undefined>;
  /** `SECURE`: the vendor's data centers; `COMMUNITY`: community hosts. Default `SECURE`. Another place replaces the pod. */
  cloud?: pulumi.Input<Cloud | undefined>;
  /** Allowed data centers, e.g. `["EU-RO-1"]`. Default: any. A pod stays while its data center is allowed; otherwise it is replaced. */
  dataCenterIds?: pulumi.Input<pulumi.Input<DataCenterId>[] | undefined>;
  /**
   * Places to try in this order, instead of `gpu`, `cpu`, `cloud` and `dataCenterIds`. A pod stays while its place is
   * in the list; otherwise it is replaced.
   */
  placements?: pulumi.Input<pulumi.Input<PlacementArgs>[] | undefined>;
  /**
   * Private network across data centers; NVIDIA GPUs only. Default false. A change restarts a running pod. A pod
   * where there is no such network is replaced.
   */
  globalNetworking?: pulumi.Input<boolean | undefined>;
  /** Storage besides the container disk. Its path changes in place, and so does a size that grows. Any other change replaces the pod. */
  mounts?: pulumi.Input<PodMountsArgs | undefined>;
  /** Id of a pod {@link Template} whose settings are copied at creation. A change replaces the pod. */
  templateId?: pulumi.Input<string | HasId<TemplateState> | undefined>;
  /** Protect the pod from being stopped or reset. Default false. */
  locked?: pulumi.Input<boolean | undefined>;
  /**
   * `EXITED` stops the pod: it keeps what is in `mounts`, loses its container disk, and pays for no GPU. Default
   * `RUNNING`.
   */
  desiredStatus?: pulumi.Input<"RUNNING" | "EXITED" | undefined>;
  /**
   * The pod stops itself, by a guard in its container that needs `/bin/sh`, the command in `entrypoint`, and curl or
   * `runpodctl`. A change restarts a running pod. Default: none.
   */
  selfStop?: pulumi.Input<SelfStopArgs | undefined>;
}

/** Status of a pod. */
export type PodStatus = "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";

/** An action that a pod allows in its present status. */
export type PodAction = "start" | "stop" | "restart" | "terminate";

/** Role of a pod in its cluster. Only SLURM and RAY clusters have roles. */
export type ClusterRole = "SLURM_CONTROLLER" | "SLURM_COMPUTE" | "RAY_HEAD" | "RAY_WORKER";

/** How to reach a pod by SSH. */
export interface PodSshEndpoint {
  /** Host name or address. */
  host: string;
  /** TCP port. The port of `direct` changes with every start. */
  port: number;
  /** User name. For `proxy` it is a token for the pod, not an account on the pod. */
  username: string;
  /** The complete command to run. */
  command: string;
}

/** Where a tcp port of a running pod is reached. */
export interface TcpAddress {
  /** IP address of the host. */
  host: string;
  /** Port of the host, in place of the one in the container. */
  port: number;
}

/** A running pod. Measurements are updated only when the ports change, so that they cause no drift. */
export interface PodRuntime {
  /** Seconds since the container started. */
  uptime?: number;
  /** Utilization in percent. */
  gpus?: { util?: number; memoryUtil?: number }[];
  /** Utilization in percent. */
  cpu?: { util?: number };
  /** Utilization in percent. */
  memory?: { util?: number };
  /** Exposed ports: `private` of the container, `public` at `ip`. `public` and `ip` are null for an unpublished one. */
  ports?: { private?: number; public?: number | null; type?: string; ip?: string | null }[];
}

/** When a pod stops itself, as its command says. */
export interface SelfStopState {
  /** Time since the pod started; undefined without one. */
  after?: string;
  /** Time without work; undefined without one. */
  idle?: string;
  /** The end of the pod. */
  action: "stop" | "terminate";
}

/** Outputs of a {@link Pod}. */
export interface PodState extends ContainerState, RunningState {
  /** Status at the last read. */
  status: PodStatus;
  /** Actions that the service allows in this status. */
  actions: PodAction[];
  /** The status that the pod is to have; `ERROR` when its container failed. */
  desiredStatus: "RUNNING" | "EXITED" | "ERROR";
  /**
   * GPU type and number; undefined for a CPU pod. `vcpuCount` and `memory` (GB) of all together; undefined where the
   * service is older.
   */
  gpu: { id: string; count: number; vcpuCount?: number; memory?: number } | undefined;
  /** CPU flavor and size; undefined for a GPU pod. */
  cpu: CpuState | undefined;
  /** The cloud that the pod is in. */
  cloud: Cloud;
  /** Id of the data center that the scheduler chose; null before that. */
  dataCenterId: string | null;
  /** Data centers that the program allows; undefined when it allows any. */
  dataCenterIds: string[] | undefined;
  /** Index in `placements` of the pod's place, from 0; undefined without `placements`. */
  placement: number | undefined;
  /** CUDA version of the host; null when unknown or for CPU pods. */
  cudaVersion: string | null;
  /** Storage besides the container disk; `{}` without any. */
  mounts: { persistent?: PersistentMountState; network?: { volumeId: string; path: string }[] };
  /**
   * How to reach the pod by SSH. `proxy`: shell only; null until it has a machine. `direct`: also files and ports;
   * null unless it runs with `22/tcp`.
   */
  ssh: { proxy: PodSshEndpoint | null; direct: PodSshEndpoint | null };
  /** The addresses of its http ports, by the port in the container: `urls["8888"]`. A preview knows them, except before the creation. */
  urls: Record<string, string>;
  /**
   * Where its tcp ports are reached, by the port in the container: `tcpAddresses["6379"].host` and `.port`. Other
   * ones after every start; `{}` unless it runs.
   */
  tcpAddresses: Record<string, TcpAddress>;
  /** Published ports and utilization; null unless the pod runs. */
  runtime: PodRuntime | null;
  /** Private network. `ip` and `internalDns`, the pod's address and name on it, are present only when it is enabled. */
  globalNetworking: { enabled: boolean; ip?: string; internalDns?: string };
  /** Membership in a cluster; undefined for a pod outside clusters. */
  cluster: { id: string; rank: number | null; role?: ClusterRole; ip?: string } | undefined;
  /** Id of the template from which the pod was created, as the service says; null without one. */
  template: string | null;
  /** The pod got the account's SSH keys; undefined when the program does not say. */
  startSsh: boolean | undefined;
  /** The pod started JupyterLab; undefined when the program does not say. */
  startJupyter: boolean | undefined;
  /** USD per hour; 0 while the pod is stopped. */
  cost: number;
  /** It is protected from being stopped or reset. */
  locked: boolean;
  /** When the pod stops itself; undefined where it does not. */
  selfStop: SelfStopState | undefined;
  /** Time of the start (RFC 3339); null before the first start. */
  startedAt: string | null;
}
