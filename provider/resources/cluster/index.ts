import * as z from "zod";
import type { Api } from "../../client/api";
import { ExpectedError, isAnswered } from "../../client/errors";
import { situations } from "../../client/policy";
import { path } from "../../client/rest";
import { lastLines } from "../../core/apply/last-lines";
import { gone, NotReadyError } from "../../core/errors";
import { define, type Observed, type ServiceObject } from "../../core/kind/definition";
import { expiryField, expiryOutputs } from "../../core/kind/expiry";
import { type Field, replace, setting, timeout, update } from "../../core/kind/field";
import { withoutPlatform } from "../../core/kind/platform";
import { at } from "../../core/path";
import type { Properties } from "../../core/value";
import { poll, waitTimeoutOf } from "../../core/wait";
import { clusterTakes } from "../allowance";
import { clusterWarnings } from "../catalog";
import {
  containerFields,
  dataCenterId,
  mountKeys,
  name,
  podFlag,
  podMounts,
  podRules,
  variablesRule,
} from "../container";
import { availability, retryUntilRoom } from "../pod/placement";
import { clusterReferences } from "../references";
import { pods } from "../users";
import type { ClusterArgs } from "./types";

/** Seconds that the pods of a deleted cluster may take to disappear. */
const endTimeout = 300;

/** The service cannot change this field and never answers it, so the state keeps the program's. (API: Clusters) */
const fixed = (field: Field): Field => ({ ...field, change: "replace", writeOnly: true });

/** (API: Clusters) */
export const cluster = define<ClusterArgs>({
  type: "Cluster",
  noun: "cluster",
  bills: true,
  fields: {
    name: update(name),
    type: replace(z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"])),
    compute: replace(
      z.strictObject({
        gpuTypeId: z.string().min(1),
        gpuCountPerPod: z.int().min(1),
        podCount: z.int().min(2).max(250),
      }),
    ),
    image: fixed(containerFields.image),
    args: fixed(containerFields.args),
    disk: fixed(containerFields.disk),
    env: fixed(containerFields.env),
    ports: fixed(containerFields.ports),
    dataCenterIds: replace(z.array(dataCenterId).optional(), { cleared: [], writeOnly: true }),
    mounts: replace(podMounts.optional(), { cleared: undefined, writeOnly: true, keys: mountKeys }),
    startSsh: podFlag,
    startJupyter: podFlag,
    expiresAfter: expiryField("replace"),
    capacityTimeout: timeout(0),
    waitFor: setting(z.enum(["RUNNING", "NONE"]).optional()),
    waitTimeout: timeout(),
  },
  rules: [...podRules, variablesRule(false)],
  warnings: clusterWarnings,
  references: clusterReferences,
  takes: clusterTakes,
  dataHeld: () => "what its pods hold",
  create: (api, body) => api.clusters.create(body),
  alternatives: whenThereIsRoom,
  list: (api, age) => api.clusters.list(age),
  async read(api, id, _state, age) {
    // A refresh reads the pods of all clusters with one list, at the same time.
    const listed = age === Number.POSITIVE_INFINITY ? pods(api, age) : undefined;
    const [found, all = []] = await Promise.all([api.clusters.find(id, age), listed]);
    if (found === undefined) return undefined;
    const members = all.filter((pod) => at(pod, "cluster", "id") === id);
    return members.length === at(found, "pods", "total")
      ? withMembers(found, members)
      : complete(api, id, found);
  },
  // The service answers the container settings of a cluster's pods, but not those of the cluster.
  async written(api, id) {
    const [pod] = await api.rest.list<ServiceObject>(path`/clusters/${id}/pods`, "pods");
    if (pod === undefined) return {};
    const { image, args, disk, env, ports, mounts } = pod;
    return { image, args, disk, env: withoutPlatform(env), ports, mounts };
  },
  stable: ["createdAt"],
  repeats: { members: "name" },
  update: (api, id, patch) => api.clusters.update(id, patch),
  async delete(api, id) {
    const wasThere = await api.clusters.delete(id);
    await waitForEnd(api, id);
    return wasThere;
  },
  isReady: (found) => at(found, "pods", "byStatus", "RUNNING") === at(found, "compute", "podCount"),
  async makeReady(api, id, wanted, present) {
    return complete(
      api,
      id,
      wanted.waitFor === "NONE" ? present : await waitForPods(api, id, wanted, present),
    );
  },
});

/** The service makes a cluster whole or not at all, and answers 400 both to "no room" and to a broken rule. */
async function whenThereIsRoom(
  api: Api,
  inputs: Properties,
  send: (inputs: Properties) => Promise<ServiceObject>,
): Promise<ServiceObject> {
  const refused = (error: unknown) => isAnswered(error, situations.hostFull);
  try {
    return await retryUntilRoom(api, inputs, () => send(inputs), refused);
  } catch (error) {
    if (!refused(error)) throw error;
    const available = await availability(api, "CLUSTER", new Set([at(inputs, "compute", "gpuTypeId")]));
    throw new ExpectedError(
      `${(error as Error).message}${available} If it is for want of room, give it time with capacityTimeout, or more ` +
        "dataCenterIds",
      "PODLUMI-NO-ROOM",
      { cause: error },
    );
  }
}

interface Membership {
  rank: number | null;
  role?: string;
  ip?: string;
}

/** A cluster with its pods. */
async function complete(api: Api, id: string, cluster: Observed): Promise<Observed> {
  return withMembers(cluster, await api.rest.list<ServiceObject>(path`/clusters/${id}/pods`, "pods"));
}

function withMembers(cluster: Observed, pods: readonly ServiceObject[]): Observed {
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

/** Statuses from which a pod of a cluster does not recover. */
const endedStatuses = ["ERROR", "EXITED", "TERMINATED"];

/** Waits until all pods run or one fails. A failed pod ends the wait, because members cannot be started one by one. */
async function waitForPods(api: Api, id: string, wanted: Properties, present: Observed): Promise<Observed> {
  const seconds = waitTimeoutOf(wanted);
  let last = present;
  let looks = 0;
  const count = (status: string) => Number(at(last, "pods", "byStatus", status) ?? 0);
  const total = Number(at(present, "compute", "podCount"));
  const outcome = await poll(
    api.clock,
    seconds * 1000,
    () => `its pods, ${count("RUNNING")} of ${total} run`,
    async (age) => {
      // The answer to the create or the update is the first look.
      const found = looks++ === 0 ? present : await api.clusters.find(id, age);
      if (found === undefined) throw new NotReadyError(gone, "PODLUMI-GONE", last);
      last = found;
      if (endedStatuses.some((status) => count(status) > 0)) return "failed";
      return count("RUNNING") === total ? "running" : undefined;
    },
  );
  if (outcome === "running") return last;
  const seen = await complete(api, id, last);
  const statuses = `${count("RUNNING")} of its ${total} pods are RUNNING`;
  throw new NotReadyError(
    outcome === undefined
      ? `${statuses} after ${seconds} s. Run \`pulumi up\` again to continue waiting, or give it more time with waitTimeout.`
      : `${statuses}, and ${await describeFailure(api, seen)}`,
    outcome === undefined ? "PODLUMI-NOT-READY" : "PODLUMI-CLUSTER-FAILED",
    seen,
  );
}

/** Names the failed pod, with its last lines. */
async function describeFailure(api: Api, { members }: Observed): Promise<string> {
  const [pod] = (members as ServiceObject[]).filter(({ status }) => endedStatuses.includes(String(status)));
  const told = pod === undefined ? "" : await saidBy(api, pod.id);
  return (
    `pod ${String(pod?.name)} (${String(pod?.id)}) is ${String(pod?.status)}. A cluster cannot be repaired in part: ` +
    `replace it by \`pulumi up --replace\` and its URN.${told}`
  );
}

/** The last lines of a pod, for the end of a message. */
async function saidBy(api: Api, id: string): Promise<string> {
  const present = await api.pods.find(id).catch(() => undefined);
  return lastLines(api, { title: "Its last lines", path: path`/pods/${id}/logs`, id, env: present?.env });
}

/** Waits until all pods are gone, because each costs money and holds its volume until then. */
async function waitForEnd(api: Api, id: string): Promise<void> {
  let left: string[] = [];
  const gone = await poll(
    api.clock,
    endTimeout * 1000,
    () => `the end of its pods, ${left.length} are left`,
    async (age) => {
      const members = (await pods(api, age)).filter((pod) => at(pod, "cluster", "id") === id);
      left = members.filter(({ status }) => status !== "TERMINATED").map((pod) => pod.id);
      return left.length === 0 || undefined;
    },
  );
  if (gone) return;
  throw new ExpectedError(
    `the service has deleted it, but ${left.length} of its pods are still there after ${endTimeout} s, and may cost ` +
      `money: ${left.join(", ")}. Run the command again to look once more, or ask the service's support`,
    "PODLUMI-PODS-LEFT",
  );
}
