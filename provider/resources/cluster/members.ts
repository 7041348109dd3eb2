import type { Api } from "../../client/api";
import { path } from "../../client/rest";
import type { Observed, ServiceObject } from "../../core/kind";
import { expiryOutputs } from "../../core/state/expiry";

interface Membership {
  rank: number | null;
  role?: string;
  ip?: string;
}

/** A cluster with its pods. */
export async function complete(api: Api, id: string, cluster: Observed): Promise<Observed> {
  return withMembers(cluster, await podsOf(api, id));
}

export function podsOf(api: Api, id: string): Promise<ServiceObject[]> {
  return api.rest.list<ServiceObject>(path`/clusters/${id}/pods`, "pods");
}

/** The same, where its pods are known. */
export function withMembers(cluster: Observed, pods: readonly ServiceObject[]): Observed {
  const members = pods.map(({ id, name, status, cluster, ssh, cost }) => {
    const { rank, role, ip } = Object(cluster) as Membership;
    return { id, name, status, rank, role, ip, ssh, cost: Number(cost) };
  });
  return {
    ...cluster,
    ...expiryOutputs({ env: pods[0]?.env, name: cluster.name }),
    members: members.sort((a, b) => (a.rank ?? members.length) - (b.rank ?? members.length)),
    cost: members.reduce((sum, { cost }) => sum + cost, 0),
  };
}
