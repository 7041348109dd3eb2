import { findGpu } from "../catalog";
import { gpuPrice } from "../prices";
import type { ContainerInput } from "./container";
import { newId, timestamp } from "./ids";
import type { Mounts } from "./mounts";
import { place } from "./placement";
import type { ClusterRole, Pod, PodRecord, PodStatus } from "./pod";
import { badRequest, notFound } from "./problem";
import type { Service } from "./service";

export type ClusterType = "APPLICATION" | "TRAINING" | "SLURM" | "RAY";

/** Every pod of a cluster has the same compute. */
export interface ClusterCompute {
  gpuTypeId: string;
  gpuCountPerPod: number;
  podCount: number;
}

export interface CreateCluster extends Omit<ContainerInput, "registry"> {
  name: string;
  type: ClusterType;
  compute: ClusterCompute;
  dataCenterIds?: string[];
  mounts?: Mounts;
  startSsh?: boolean;
  startJupyter?: boolean;
  templateId?: string;
}

/** A template gives these to every pod, so a request with one must not have them. */
const OF_TEMPLATE = ["image", "args", "entrypoint", "cmd", "disk", "env", "ports", "mounts"] as const;

interface ClusterRecord {
  id: string;
  name: string;
  type: ClusterType;
  compute: ClusterCompute;
  template?: string;
  createdAt: number;
  vxlanId: number;
}

/** A cluster, as answers show it. */
export interface Cluster {
  id: string;
  name: string;
  type: ClusterType;
  compute: ClusterCompute;
  template?: string;
  dataCenterId?: string;
  pods: { total: number; byStatus: Partial<Record<PodStatus, number>> };
  network?: { cidr: string; vxlanId: number; vxlanPort: number };
  primary?: { podId: string; status: PodStatus; sshEndpoint?: string };
  createdAt: string;
}

/** The roles of the pod with rank 0 and of the other pods. */
const ROLES: Partial<Record<ClusterType, [ClusterRole, ClusterRole]>> = {
  SLURM: ["SLURM_CONTROLLER", "SLURM_COMPUTE"],
  RAY: ["RAY_HEAD", "RAY_WORKER"],
};

/** Equal pods in one data center, on a network of their own. A create makes all of them or none. */
export class Clusters {
  private readonly records = new Map<string, ClusterRecord>();
  private networks = 0;

  constructor(private readonly service: Service) {}

  list(): Cluster[] {
    return [...this.records.values()].map((record) => this.view(record));
  }

  get(id: string): Cluster {
    return this.view(this.record(id));
  }

  create({ type, compute, dataCenterIds = [], ...settings }: CreateCluster): Cluster {
    const { gpuTypeId, gpuCountPerPod, podCount } = compute;
    const { templateId } = settings;
    const beside = OF_TEMPLATE.filter((name) => settings[name] !== undefined);
    if (templateId !== undefined && beside.length > 0)
      throw badRequest(`templateId excludes ${beside.join(", ")}`);
    const model = findGpu(gpuTypeId);
    const gpu = { id: gpuTypeId, count: gpuCountPerPod };
    const volumeId = settings.mounts?.network?.[0]?.volumeId;
    const where = { cloud: "SECURE" as const, dataCenterIds, volumeId, globalNetworking: false };
    const { dataCenterId } = place(this.service, { ...where, gpu, pods: podCount });
    if (model) this.service.allowance.check(gpuPrice(model, "SECURE") * gpuCountPerPod * podCount);
    const id = newId();
    const roles = ROLES[type];
    for (let rank = 0; rank < podCount; rank++) {
      const role = roles?.[rank === 0 ? 0 : 1];
      const cluster = { id, rank, ...(role && { role }) };
      const pod = { ...settings, name: `${settings.name}-${rank}`, gpu, dataCenterIds: [dataCenterId] };
      this.service.pods.create(pod, { cluster });
    }
    const createdAt = this.service.clock.now();
    this.records.set(id, {
      id,
      name: settings.name,
      type,
      compute,
      ...(templateId !== undefined && { template: templateId }),
      createdAt,
      vxlanId: ++this.networks,
    });
    return this.get(id);
  }

  /** Only the name can change (API: Clusters, update). */
  update(id: string, { name }: { name?: string }): Cluster {
    const record = this.record(id);
    if (name !== undefined) record.name = name;
    return this.view(record);
  }

  /** The cluster is gone at once, its pods some time later. */
  delete(id: string): void {
    this.record(id);
    for (const pod of this.service.pods.records())
      if (pod.cluster?.id === id) this.service.pods.end(pod, this.service.timings.stopping);
    this.records.delete(id);
  }

  /** The pods, ordered by rank. */
  pods(id: string): Pod[] {
    this.record(id);
    return this.service.pods.ofCluster(id);
  }

  /** The pods of every cluster that ever existed, by cluster id. */
  history(): Map<string, PodRecord[]> {
    const byCluster = new Map<string, PodRecord[]>();
    for (const pod of this.service.pods.history())
      if (pod.cluster) byCluster.set(pod.cluster.id, [...(byCluster.get(pod.cluster.id) ?? []), pod]);
    return byCluster;
  }

  /** Until its first pod is placed, a cluster has neither data center nor network (API: Clusters). */
  private view({ createdAt, vxlanId, ...cluster }: ClusterRecord): Cluster {
    const members = this.service.pods.ofCluster(cluster.id);
    const byStatus: Cluster["pods"]["byStatus"] = {};
    for (const { status } of members) byStatus[status] = (byStatus[status] ?? 0) + 1;
    const primary = members.find((pod) => pod.cluster?.rank === 0);
    const direct = primary?.ssh.direct;
    return {
      ...structuredClone(cluster),
      pods: { total: members.length, byStatus },
      ...(primary && {
        dataCenterId: primary.dataCenterId ?? undefined,
        network: { cidr: "10.65.0.0/16", vxlanId, vxlanPort: 4789 },
        primary: {
          podId: primary.id,
          status: primary.status,
          ...(direct && { sshEndpoint: `${direct.host}:${direct.port}` }),
        },
      }),
      createdAt: timestamp(createdAt),
    };
  }

  private record(id: string): ClusterRecord {
    const record = this.records.get(id);
    if (!record) throw notFound("Cluster not found");
    return record;
  }
}
