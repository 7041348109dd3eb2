import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";
import type {
  Cloud,
  ContainerArgs,
  ContainerState,
  CpuArgs,
  CpuState,
  PersistentMountArgs,
  PersistentMountState,
} from "../container/types";

/** GPUs of a pod. */
export interface PodGpuArgs {
  /** GPU type, e.g. `NVIDIA GeForce RTX 4090`. */
  id: pulumi.Input<string>;
  /** How many. Default 1. */
  count?: pulumi.Input<number>;
  /** CUDA versions (`major.minor`) that the host may have, matched exactly. Not together with `minCudaVersion`. */
  allowedCudaVersions?: pulumi.Input<pulumi.Input<string>[]>;
  /** Lowest CUDA version (`major.minor`) that the host may have. Not together with `allowedCudaVersions`. */
  minCudaVersion?: pulumi.Input<string>;
}

/** A network volume in a pod. */
export interface NetworkMountArgs {
  /** Id of a {@link NetworkVolume} in the pod's data center. */
  volumeId: pulumi.Input<string>;
  /** Mount path inside the container, absolute. */
  path: pulumi.Input<string>;
}

/** Storage of a pod: one of the two kinds. */
export interface PodMountsArgs {
  /** Host-local storage, for GPU pods. Size and path change in place. */
  persistent?: pulumi.Input<PersistentMountArgs>;
  /** At most one network volume; Secure cloud only. The path changes in place, another volume replaces the pod. */
  network?: pulumi.Input<pulumi.Input<NetworkMountArgs>[]>;
}

/** A place where a pod may run. */
export interface PlacementArgs {
  /** GPUs: this or `cpu`. */
  gpu?: pulumi.Input<PodGpuArgs>;
  /** CPUs: this or `gpu`. */
  cpu?: pulumi.Input<CpuArgs>;
  /** The vendor's data centers or community hosts. Default `SECURE`. */
  cloud?: pulumi.Input<Cloud>;
  /** Data centers that may be chosen. Default: any. */
  dataCenterIds?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of a {@link Pod}. (API: Pods, create, update and actions) */
export interface PodArgs extends ContainerArgs, AdoptArgs {
  /** Name; need not be unique. Default: made up from the logical name and digits, and kept for life. */
  name?: pulumi.Input<string>;
  /** GPUs: this, `cpu` or `placements`. A change replaces the pod. */
  gpu?: pulumi.Input<PodGpuArgs>;
  /** CPUs of a pod without GPU: this, `gpu` or `placements`. A change replaces the pod. */
  cpu?: pulumi.Input<CpuArgs>;
  /** The vendor's data centers or community hosts. Default `SECURE`. A change replaces the pod. */
  cloud?: pulumi.Input<Cloud>;
  /** Data centers that may be chosen, e.g. `["EU-RO-1"]`. Default: any. A change replaces the pod. Order is free. */
  dataCenterIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Places to try in this order until one has room, instead of `gpu`, `cpu`, `cloud` and `dataCenterIds`. A pod stays
   * where it is while its place is in the list; otherwise it is replaced.
   */
  placements?: pulumi.Input<pulumi.Input<PlacementArgs>[]>;
  /**
   * Seconds for which the places are tried again when none has room, and a start when its host is full, 0 to 86400.
   * Default 0: the first refusal of the last place ends it.
   */
  capacityTimeout?: pulumi.Input<number>;
  /** Private network across data centers; NVIDIA GPUs only. Default false. A change restarts a pod that runs. */
  globalNetworking?: pulumi.Input<boolean>;
  /** Storage beside the container disk. Adding, removing or changing the kind replaces the pod. */
  mounts?: pulumi.Input<PodMountsArgs>;
  /** Put the account's SSH keys into the pod (`PUBLIC_KEY`). Default false. A change replaces the pod. */
  startSsh?: pulumi.Input<boolean>;
  /** Start JupyterLab (`JUPYTER_PASSWORD`). Default false. A change replaces the pod. */
  startJupyter?: pulumi.Input<boolean>;
  /** Id of a pod {@link Template} whose settings are copied at creation. A change replaces the pod. */
  templateId?: pulumi.Input<string>;
  /**
   * `revision` of that {@link Template}: when it changes, the pod is replaced, with all that is on its disks, since the
   * service cannot apply storage and SSH flags of a template to a pod that exists. Without it, an edit of the template
   * does not reach the pod. A pod that gets it for the first time stays.
   */
  templateRevision?: pulumi.Input<string>;
  /** Protect the pod from being stopped or reset. Default false. */
  locked?: pulumi.Input<boolean>;
  /** Whether the pod runs or is stopped: a stopped pod keeps its disks and costs no GPU. Default `RUNNING`. */
  desiredStatus?: pulumi.Input<"RUNNING" | "EXITED">;
  /** Whether `pulumi up` waits until a pod that is to run is RUNNING. Default `RUNNING`. */
  waitFor?: pulumi.Input<"RUNNING" | "NONE">;
  /** How long to wait for RUNNING, in seconds, 1 to 86400. Default 900. */
  waitTimeout?: pulumi.Input<number>;
}

/** Status of a pod. */
export type PodStatus = "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";

/** What can be done with a pod in its present status. */
export type PodAction = "start" | "stop" | "restart" | "terminate";

/** What a pod is to its cluster, where the cluster's type has roles. */
export type ClusterRole = "SLURM_CONTROLLER" | "SLURM_COMPUTE" | "RAY_HEAD" | "RAY_WORKER";

/** How to reach a pod by SSH. */
export interface PodSshEndpoint {
  /** Name or address. */
  host: string;
  /** TCP port; that of `direct` changes with every start. */
  port: number;
  /** For `proxy` a token that stands for the pod, no account on it. */
  username: string;
  /** The command to paste. */
  command: string;
}

/** A pod while it runs. Measurements are those of the last time that something else of the pod changed. */
export interface PodRuntime {
  /** Seconds since the container started. */
  uptime?: number;
  /** Use in percent. */
  gpus?: { util?: number; memoryUtil?: number }[];
  /** Use in percent. */
  cpu?: { util?: number };
  /** Use in percent. */
  memory?: { util?: number };
  /** Exposed ports: `private` is the container's, `public` that at `ip`; both are null for a port that has none. */
  ports?: { private?: number; public?: number | null; type?: string; ip?: string | null }[];
}

/** Outputs of a {@link Pod}. */
export interface PodState extends ContainerState {
  /** Not unique in the account. */
  name: string;
  /** Status when it was last looked at. */
  status: PodStatus;
  /** What the service lets one do in that status. */
  actions: PodAction[];
  /** Whether it is to run: `ERROR` when its container failed for good. */
  desiredStatus: "RUNNING" | "EXITED" | "ERROR";
  /** GPU type, and how many; undefined for a CPU pod. */
  gpu: { id: string; count: number } | undefined;
  /** Undefined for a GPU pod. */
  cpu: CpuState | undefined;
  /** The cloud that it is in, also where `placements` or the default decided. */
  cloud: Cloud;
  /** Where the scheduler placed it; null before. */
  dataCenterId: string | null;
  /** Data centers that the program allows; undefined where it allows any. */
  dataCenterIds: string[] | undefined;
  /** Which of `placements` it has, counted from 0; undefined without them. */
  placement: number | undefined;
  /** CUDA version of the host; null when unknown or for CPU pods. */
  cudaVersion: string | null;
  /** Storage beside the container disk; `{}` without any. */
  mounts: { persistent?: PersistentMountState; network?: { volumeId: string; path: string }[] };
  /**
   * How to reach it. `proxy`: a shell only, null until it has a machine. `direct`: also for files and port forwarding,
   * null unless it runs with `22/tcp` exposed.
   */
  ssh: { proxy: PodSshEndpoint | null; direct: PodSshEndpoint | null };
  /** Published ports and use; null unless it runs. */
  runtime: PodRuntime | null;
  /** `ip` and `internalDns`, its name on the private network, only where it is enabled. */
  globalNetworking: { enabled: boolean; ip?: string; internalDns?: string };
  /** Membership of a cluster; undefined for a pod of its own. */
  cluster: { id: string; rank: number | null; role?: ClusterRole; ip?: string } | undefined;
  /** Id of the template that the service names as its origin; null without one. */
  template: string | null;
  /** Id of the template of the program; undefined without one. */
  templateId: string | undefined;
  /** The revision of that template, as the program says it. */
  templateRevision: string | undefined;
  /** Whether it got the account's SSH keys; undefined where the program does not say. */
  startSsh: boolean | undefined;
  /** Whether it started JupyterLab; undefined where the program does not say. */
  startJupyter: boolean | undefined;
  /** USD an hour, 0 while it is stopped. */
  cost: number;
  /** Whether it is protected from being stopped or reset. */
  locked: boolean;
  /** RFC 3339. */
  createdAt: string;
  /** RFC 3339; null before the first start. */
  startedAt: string | null;
}
