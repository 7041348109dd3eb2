import type * as pulumi from "@pulumi/pulumi";
import type { HasId } from "../../schema/arguments";
import type { RunningState } from "../container/types";
import type { DataCenterId, GpuTypeId } from "../known/types";
import type { ClusterRole, PodMountsArgs, PodState, PodStatus, PodsArgs } from "../pod/types";
import type { TemplateState } from "../template/types";

/** Purpose: `TRAINING` for distributed training, `SLURM` and `RAY` with that software, `APPLICATION` for anything else. */
export type ClusterType = "APPLICATION" | "TRAINING" | "SLURM" | "RAY";

/** GPUs of each pod and number of pods. All pods are alike. */
export interface ClusterComputeArgs {
  /** GPU type, e.g. `NVIDIA H100 80GB HBM3`. */
  gpuTypeId: pulumi.Input<GpuTypeId>;
  /** GPUs of each pod, at least 1. */
  gpuCountPerPod: pulumi.Input<number>;
  /** Number of pods, 2 to 250. */
  podCount: pulumi.Input<number>;
}

/**
 * Arguments of a {@link Cluster}. The container settings apply to every pod. Only `name` changes in place. (API:
 * Clusters, create and update)
 */
export interface ClusterArgs extends Omit<PodsArgs, "registry"> {
  /** Purpose. `SLURM` and `RAY` come with that software. */
  type: pulumi.Input<ClusterType>;
  /** GPUs of each pod and number of pods. All pods are alike. */
  compute: pulumi.Input<ClusterComputeArgs>;
  /** Allowed data centers in any order, e.g. `["US-TX-3"]`. A cluster is always in a single one. Default: any. */
  dataCenterIds?: pulumi.Input<pulumi.Input<DataCenterId>[] | undefined>;
  /** Storage of every pod besides the container disk. */
  mounts?: pulumi.Input<PodMountsArgs | undefined>;
  /**
   * Id of a pod {@link Template} in place of container settings, `mounts` and `expiresAfter`: the only way to an
   * image of a private registry.
   */
  templateId?: pulumi.Input<string | HasId<TemplateState> | undefined>;
}

/** A pod of a cluster. */
export interface ClusterMember {
  /** Id of the pod, e.g. for its logs; the service refuses to change or delete a member. */
  id: string;
  /** Name, chosen by the service. */
  name: string;
  /** Status at the last read of the cluster. */
  status: PodStatus;
  /** Rank, from 0 for the primary; null until the service has assigned it. */
  rank: number | null;
  /** Role; only in clusters of the types SLURM and RAY. */
  role?: ClusterRole;
  /** Address on the cluster's own network, once it is assigned. */
  ip?: string;
  /** How to reach it by SSH, as `ssh` of a {@link Pod}. */
  ssh: PodState["ssh"];
  /** USD per hour; 0 while the pod is stopped. */
  cost: number;
}

/** Outputs of a {@link Cluster}. The container settings are the program's, because the service does not return them. */
export interface ClusterState extends RunningState {
  /** Purpose; in `SLURM` and `RAY` clusters the pods have roles. */
  type: ClusterType;
  /** GPUs of each pod and number of pods. */
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
  /** Container image that the program gives; undefined when the cluster is only read. */
  image: string | undefined;
  /** Arguments of the containers' entrypoint; undefined when the program gives none. */
  args: string | undefined;
  /** Command in place of the image's entrypoint; undefined when the program gives none. */
  entrypoint: string[] | undefined;
  /** Arguments of the entrypoint, one per item; undefined when the program gives none. */
  cmd: string[] | undefined;
  /** Container disk of each pod in GB; undefined when the program never gave it. */
  disk: number | undefined;
  /** The variables that the program declares; undefined when it declares none. */
  env: Record<string, string> | undefined;
  /** Exposed ports of each pod as `port/protocol`; undefined when the program gives none. */
  ports: string[] | undefined;
  /** Storage of each pod besides the container disk; undefined when the program gives none. */
  mounts: PodState["mounts"] | undefined;
  /** The pods got the account's SSH keys; undefined when the program does not say. */
  startSsh: boolean | undefined;
  /** The pods started JupyterLab; undefined when the program does not say. */
  startJupyter: boolean | undefined;
  /** Data centers that the program allows; undefined when it allows any. */
  dataCenterIds: string[] | undefined;
  /** Id of the data center that the scheduler chose; undefined before that. */
  dataCenterId: string | undefined;
  /** Number of pods, in total and in each status. Statuses without pods are left out. */
  pods: { total: number; byStatus: Partial<Record<PodStatus, number>> };
  /** The network between the pods; undefined until it exists. `vxlanPort` is a UDP port. */
  network: { cidr: string; vxlanId?: number; vxlanPort?: number } | undefined;
  /** The pod of rank 0, once it is placed. `sshEndpoint`: `host:port`, present while it runs with `22/tcp` exposed. */
  primary: { podId: string; status: PodStatus; sshEndpoint?: string } | undefined;
  /** The pods, ordered by rank. */
  members: ClusterMember[];
  /** USD per hour for all pods. */
  cost: number;
  /** Id of the template from which it was created, as the service says; undefined without one. */
  template: string | undefined;
}
