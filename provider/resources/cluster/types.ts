import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";
import type { ContainerArgs } from "../container/types";
import type { ClusterRole, PodMountsArgs, PodState, PodStatus } from "../pod/types";

/**
 * What a cluster is for: `TRAINING` for distributed training, `APPLICATION` for anything else on several nodes;
 * `SLURM` and `RAY` come with that software managed by the service.
 */
export type ClusterType = "APPLICATION" | "TRAINING" | "SLURM" | "RAY";

/** The shape of a cluster: all its pods are alike. */
export interface ClusterComputeArgs {
  /** GPU type, e.g. `NVIDIA H100 80GB HBM3`. */
  gpuTypeId: pulumi.Input<string>;
  /** GPUs of each pod, at least 1. */
  gpuCountPerPod: pulumi.Input<number>;
  /** Number of pods, 2 to 250. */
  podCount: pulumi.Input<number>;
}

/**
 * Arguments of a {@link Cluster}. The container settings are those of every pod; private registries are not supported.
 * A change of anything but `name` replaces the cluster. (API: Clusters, create and update)
 */
export interface ClusterArgs extends Omit<ContainerArgs, "registry">, AdoptArgs {
  /** Name; need not be unique. Default: made up from the logical name and digits, and kept for life. Changed in place. */
  name?: pulumi.Input<string>;
  /** `TRAINING`, `APPLICATION`, or `SLURM` and `RAY` with that software managed by the service. */
  type: pulumi.Input<ClusterType>;
  /** The shape of the pods, which are all alike, and their number. */
  compute: pulumi.Input<ClusterComputeArgs>;
  /** Data centers that may be chosen, e.g. `["US-TX-3"]`; a cluster is always in one. Default: any. Order is free. */
  dataCenterIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Storage of every pod beside the container disk. */
  mounts?: pulumi.Input<PodMountsArgs>;
  /** Put the account's SSH keys into every pod (`PUBLIC_KEY`). Default false. */
  startSsh?: pulumi.Input<boolean>;
  /** Start JupyterLab on every pod (`JUPYTER_PASSWORD`). Default false. */
  startJupyter?: pulumi.Input<boolean>;
  /** Seconds for which the creation is tried again while there is no room, 0 to 86400. Default 0. */
  capacityTimeout?: pulumi.Input<number>;
  /** Whether `pulumi up` waits until all pods are RUNNING. Default `RUNNING`. */
  waitFor?: pulumi.Input<"RUNNING" | "NONE">;
  /** How long to wait for RUNNING, in seconds, 1 to 86400. Default 900. */
  waitTimeout?: pulumi.Input<number>;
}

/** A pod of a cluster. */
export interface ClusterMember {
  /** Id of the pod, e.g. for its logs; the service refuses to change or delete a member. */
  id: string;
  /** Chosen by the service. */
  name: string;
  /** Status when the cluster was last looked at. */
  status: PodStatus;
  /** From 0, the primary; null until the service has assigned it. */
  rank: number | null;
  /** Only in clusters of the types SLURM and RAY. */
  role?: ClusterRole;
  /** Address on the cluster's own network, once it is assigned. */
  ip?: string;
  /** How to reach it, as `ssh` of a {@link Pod} says. */
  ssh: PodState["ssh"];
  /** USD an hour; 0 while it is stopped. */
  cost: number;
}

/** Outputs of a {@link Cluster}. The service does not answer the settings of its containers: they are the program's. */
export interface ClusterState {
  /** Not unique in the account. */
  name: string;
  /** What it is for; `SLURM` and `RAY` give its pods roles. */
  type: ClusterType;
  /** The shape of the pods and their number. */
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
  /** Container image of the program; undefined for a cluster that is only read. */
  image: string | undefined;
  /** Arguments of the containers' entrypoint; undefined where the program gives none. */
  args: string | undefined;
  /** Container disk of each pod in GB; undefined where the program leaves it to the service. */
  disk: number | undefined;
  /** The variables of the program; undefined where it declares none. */
  env: Record<string, string> | undefined;
  /** Exposed ports of each pod as `port/protocol`; undefined where the program gives none. */
  ports: string[] | undefined;
  /** Storage of each pod beside the container disk; undefined where the program gives none. */
  mounts: PodState["mounts"] | undefined;
  /** Whether the pods got the account's SSH keys; undefined where the program does not say. */
  startSsh: boolean | undefined;
  /** Whether the pods started JupyterLab; undefined where the program does not say. */
  startJupyter: boolean | undefined;
  /** Data centers that the program allows; undefined where it allows any. */
  dataCenterIds: string[] | undefined;
  /** Where the scheduler placed it; undefined before. */
  dataCenterId: string | undefined;
  /** How many pods there are, in all and in each status; a status that none has is left out. */
  pods: { total: number; byStatus: Partial<Record<PodStatus, number>> };
  /** The network between the pods, once there is one. `vxlanPort` is a UDP port. */
  network: { cidr: string; vxlanId?: number; vxlanPort?: number } | undefined;
  /** The pod of rank 0, once it is placed. `sshEndpoint` is `host:port`, while it runs with `22/tcp` exposed. */
  primary: { podId: string; status: PodStatus; sshEndpoint?: string } | undefined;
  /** The pods by their rank. */
  members: ClusterMember[];
  /** USD an hour, of all pods. */
  cost: number;
  /** Id of the template that the service names as its origin; undefined without one. */
  template: string | undefined;
  /** RFC 3339. */
  createdAt: string;
}
