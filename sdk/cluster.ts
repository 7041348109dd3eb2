import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "./adopt";
import type { ContainerArgs } from "./container";
import type { CostEstimate } from "./cost/estimate";
import { estimatedCost } from "./cost/output";
import type { ClusterRole, PodMountsArgs, PodState, PodStatus } from "./pod";
import { Resource, type Shape } from "./resource";

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
  /** Name; need not be unique. Default: the resource's logical name. Changed in place. */
  name?: pulumi.Input<string>;
  type: pulumi.Input<ClusterType>;
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
  id: string;
  name: string;
  status: PodStatus;
  /** From 0, the primary; null until the service has assigned it. */
  rank: number | null;
  role?: ClusterRole;
  /** Address on the cluster's own network, once it is assigned. */
  ip?: string;
  /** `proxy` always, `direct` while it runs with `22/tcp` exposed. */
  ssh: PodState["ssh"];
  /** USD an hour. */
  cost: number;
}

/** Outputs of a {@link Cluster}. The service does not answer the settings of its containers: they are the program's. */
export interface ClusterState {
  name: string;
  type: ClusterType;
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
  image: string | undefined;
  args: string | undefined;
  disk: number | undefined;
  env: Record<string, string> | undefined;
  ports: string[] | undefined;
  mounts: PodState["mounts"] | undefined;
  startSsh: boolean | undefined;
  startJupyter: boolean | undefined;
  dataCenterIds: string[] | undefined;
  dataCenterId: string | undefined;
  pods: { total: number; byStatus: Partial<Record<PodStatus, number>> };
  network: { cidr: string; vxlanId?: number; vxlanPort?: number } | undefined;
  primary: { podId: string; status: PodStatus; sshEndpoint?: string } | undefined;
  members: ClusterMember[];
  cost: number;
  template: string | undefined;
  createdAt: string;
}

const shape: Shape<ClusterState> = {
  outputs: {
    name: undefined,
    type: undefined,
    compute: undefined,
    image: undefined,
    args: undefined,
    disk: undefined,
    env: undefined,
    ports: undefined,
    mounts: undefined,
    startSsh: undefined,
    startJupyter: undefined,
    dataCenterIds: undefined,
    dataCenterId: undefined,
    pods: undefined,
    network: undefined,
    primary: undefined,
    members: undefined,
    cost: undefined,
    template: undefined,
    createdAt: undefined,
  },
};

/**
 * Several pods alike in one data center with a fast private network between them, billed by the second. They are made
 * and deleted together, and cannot be changed one by one.
 *
 * While a cluster is replaced there are two of them; with the resource option `deleteBeforeReplace` there is one at a
 * time. `pulumi destroy` waits until the pods are gone.
 *
 * @example
 * ```ts
 * const cluster = new podlumi.Cluster("training", {
 *   type: "TRAINING",
 *   compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
 *   image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
 *   ports: ["22/tcp"],
 *   startSsh: true,
 * });
 * export const ips = cluster.members.apply((members) => members.map(({ ip }) => ip));
 * ```
 */
export class Cluster extends Resource<ClusterState> {
  declare readonly name: pulumi.Output<string>;
  declare readonly type: pulumi.Output<ClusterType>;
  declare readonly compute: pulumi.Output<ClusterState["compute"]>;
  declare readonly image: pulumi.Output<string | undefined>;
  declare readonly args: pulumi.Output<string | undefined>;
  declare readonly disk: pulumi.Output<number | undefined>;
  declare readonly env: pulumi.Output<Record<string, string> | undefined>;
  declare readonly ports: pulumi.Output<string[] | undefined>;
  declare readonly mounts: pulumi.Output<ClusterState["mounts"]>;
  declare readonly startSsh: pulumi.Output<boolean | undefined>;
  declare readonly startJupyter: pulumi.Output<boolean | undefined>;
  declare readonly dataCenterIds: pulumi.Output<string[] | undefined>;
  /** Where the scheduler placed it; undefined before. */
  declare readonly dataCenterId: pulumi.Output<string | undefined>;
  /** How many pods there are, in all and in each status. */
  declare readonly pods: pulumi.Output<ClusterState["pods"]>;
  /** The network between the pods, once there is one. */
  declare readonly network: pulumi.Output<ClusterState["network"]>;
  /** The pod of rank 0, once it is placed. `sshEndpoint` is `host:port`, while it runs with `22/tcp` exposed. */
  declare readonly primary: pulumi.Output<ClusterState["primary"]>;
  /** The pods by their rank. */
  declare readonly members: pulumi.Output<ClusterMember[]>;
  /** USD an hour, of all pods. */
  declare readonly cost: pulumi.Output<number>;
  /** The template that the service names as its origin. */
  declare readonly template: pulumi.Output<string | undefined>;
  /** RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;

  constructor(name: string, args: ClusterArgs, opts?: pulumi.CustomResourceOptions) {
    super("Cluster", shape, name, args, opts);
  }

  /**
   * What it costs by the list prices of pods with these GPUs, since the catalog has none for clusters; the network
   * between the pods is not counted. `cost` is what the service says once the pods run. The catalog is asked only when
   * this is read.
   *
   * @example
   * ```ts
   * export const anHour = cluster.estimatedCost.hourly.apply((usd) => usd?.atMost);
   * ```
   */
  get estimatedCost(): pulumi.Output<CostEstimate> {
    return estimatedCost("Cluster", this);
  }

  /** Reads an existing cluster by its id. Fails when there is none. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Cluster {
    return new Cluster(name, undefined as never, { ...opts, id });
  }
}
