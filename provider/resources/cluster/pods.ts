import type { Api } from "../../client/api";
import { ExpectedError } from "../../client/errors";
import { path } from "../../client/rest";
import { HalfDoneError } from "../../core/errors";
import type { Observed, ServiceObject } from "../../core/kind";
import { poll, waitTimeoutOf } from "../../core/poll";
import { expiryOutputs } from "../../core/state/expiry";
import { describe } from "../../core/telling";
import { at } from "../../path";
import type { Properties } from "../../value";
import { gone } from "../../words/requests";
import { clusterFailed, clusterNotReady, podsLeft } from "../../words/waits";
import { lastLinesOfPod } from "../last-lines";
import type { PodState } from "../pod/types";

/** All pods, including those of clusters, at most `age` milliseconds old; without `age`, from a new request. */
export function allPods(api: Api, age?: number): Promise<ServiceObject[]> {
  const all = () => api.rest.list<ServiceObject>("/pods?includeClusterPods=true", "pods");
  return api.shared<ServiceObject>("all pods", { all }).list(age);
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
    const { rank, role, ip } = Object(cluster) as NonNullable<PodState["cluster"]>;
    return { id, name, status, rank, role, ip, ssh, cost: Number(cost) };
  });
  return {
    ...cluster,
    ...expiryOutputs({ env: pods[0]?.env, name: cluster.name }),
    members: members.sort((a, b) => (a.rank ?? members.length) - (b.rank ?? members.length)),
    cost: members.reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** Statuses from which a pod of a cluster does not recover. */
const endedStatuses = ["ERROR", "EXITED", "TERMINATED"];

function count(cluster: Observed, status: string): number {
  return Number(at(cluster, "pods", "byStatus", status) ?? 0);
}

export function isRunning(cluster: Observed): boolean {
  return count(cluster, "RUNNING") === at(cluster, "compute", "podCount");
}

function hasFailed(cluster: Observed): boolean {
  return endedStatuses.some((status) => count(cluster, status) > 0);
}

/** Waits until all pods run or one fails. A failed pod ends the wait, because members cannot be started one by one. */
export async function waitForPods(
  api: Api,
  id: string,
  wanted: Properties,
  present: Observed,
): Promise<Observed> {
  const seconds = waitTimeoutOf(wanted);
  const total = at(present, "compute", "podCount");
  // The response to the create or the update is the first look.
  let [last, isFirst] = [present, true];
  const what = () => `its pods, ${count(last, "RUNNING")} of ${total} run`;
  const isOver = await poll(api, seconds * 1000, what, async (age) => {
    const found = isFirst ? present : await api.clusters.find(id, age);
    if (found === undefined) throw new HalfDoneError(gone, "PODLUMI-GONE", last);
    [last, isFirst] = [found, false];
    return isRunning(last) || hasFailed(last) || undefined;
  });
  if (isOver && !hasFailed(last)) return last;
  const seen = await complete(api, id, last);
  const [why, code] = isOver
    ? [await describeFailure(api, seen), "PODLUMI-CLUSTER-FAILED"]
    : [clusterNotReady(count(last, "RUNNING"), total, seconds), "PODLUMI-NOT-READY"];
  throw new HalfDoneError(why, code, seen);
}

/** Names the failed pod, with its last lines. */
async function describeFailure(api: Api, { members }: Observed): Promise<string> {
  const pod = (members as ServiceObject[]).find(({ status }) => endedStatuses.includes(String(status)));
  const failed = clusterFailed(describe({ noun: "pod" }, pod ?? { id: "?" }), pod?.status);
  if (pod === undefined) return failed;
  const present = await api.pods.find(pod.id).catch(() => undefined);
  return failed + (await lastLinesOfPod(api, pod.id, present?.env));
}

/** Seconds that the pods of a deleted cluster may take to disappear. */
const endTimeout = 300;

/** Waits until all pods are gone, because each costs money and holds its volume until then. */
export async function waitForEnd(api: Api, id: string): Promise<void> {
  let left: string[] = [];
  const what = () => `the end of its pods, ${left.length} are left`;
  const isOver = await poll(api, endTimeout * 1000, what, async (age) => {
    const members = (await allPods(api, age)).filter((pod) => at(pod, "cluster", "id") === id);
    left = members.filter(({ status }) => status !== "TERMINATED").map((pod) => pod.id);
    return left.length === 0 || undefined;
  });
  if (isOver) return;
  throw new ExpectedError(podsLeft(left, endTimeout), "PODLUMI-PODS-LEFT");
}
