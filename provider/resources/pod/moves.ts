import type { Api } from "../../client/api";
import { isAnswered, leavingOpen, mayHaveActed } from "../../client/errors";
import { situations } from "../../client/policy";
import { NotReadyError } from "../../core/errors";
import type { Observed } from "../../core/kind";
import { poll } from "../../core/wait";
import { at } from "../../path";
import type { Properties } from "../../value";
import { retryUntilRoom } from "../room";
import { failAsSeen, lag, onItsWay, waitForStatus, withDesiredStatus } from "./status";

/** Moves a pod to a status. */
type Move = (api: Api, id: string, wanted: Properties, pod: Observed) => Promise<Observed>;

export const stay: Move = async (_api, _id, _wanted, pod) => pod;

/** What moves a pod to a status. With `ignoreChanges`, that may be ERROR, to which nothing has to move it. */
export function moveTo(desiredStatus: unknown): Move | undefined {
  return desiredStatus === "EXITED" ? stop : desiredStatus === "ERROR" ? undefined : run;
}

/** Whether no action is left that a lock forbids. */
export function atRest(wanted: Properties, pod: Observed): boolean {
  return wanted.desiredStatus === "EXITED" ? pod.status === "EXITED" : hasNetworkSetting(wanted, pod);
}

/** A change of global networking takes effect when the pod starts again. (API: Pods, update) */
function hasNetworkSetting(wanted: Properties, pod: Observed): boolean {
  const enabled = at(wanted, "globalNetworking", "enabled");
  return enabled === undefined || enabled === at(pod, "globalNetworking", "enabled");
}

/** Stops a pod. The service stops no failed one, so that one is started first. (API: Pods, status) */
async function stop(api: Api, id: string, wanted: Properties, pod: Observed): Promise<Observed> {
  if (pod.status === "EXITED") return pod;
  if (pod.status === "ERROR") await start(api, id, wanted);
  return waitForStatus(api, id, wanted, await act(api, id, "stop"), "EXITED");
}

/** Key in the state of a pod that failed again after podlumi started it. */
export const failedAgain = "__unrecoverable";

/** Starts a failed pod once. If it fails again, its state notes that. */
async function run(api: Api, id: string, wanted: Properties, pod: Observed): Promise<Observed> {
  const started = onItsWay.includes(String(pod.status)) ? pod : await start(api, id, wanted);
  if (wanted.waitFor === "NONE") return restartForNetwork(api, id, wanted, started);
  const former = started === pod ? undefined : pod.status;
  try {
    const up = await waitForStatus(api, id, wanted, started, "RUNNING", former);
    const current = await restartForNetwork(api, id, wanted, up);
    return await waitForStatus(api, id, wanted, current, "RUNNING");
  } catch (error) {
    const again =
      pod.status === "ERROR" && error instanceof NotReadyError && error.observed.status === "ERROR";
    if (!again) throw error;
    const failed = { ...error.observed, [failedAgain]: true };
    throw new NotReadyError(error.message, error.code, failed, { cause: error });
  }
}

/** Restarts a running pod if its global networking waits for that. */
async function restartForNetwork(api: Api, id: string, wanted: Properties, pod: Observed): Promise<Observed> {
  if (pod.status !== "RUNNING" || hasNetworkSetting(wanted, pod)) return pod;
  return act(api, id, "restart").catch(failAsSeen(pod));
}

/** Starts a stopped pod, which needs room on the host that holds its disks. (API: Pods, status) */
function start(api: Api, id: string, wanted: Properties): Promise<Observed> {
  const isFull = (error: unknown) => isAnswered(error, situations.hostFull);
  return retryUntilRoom(api, wanted, () => act(api, id, "start"), isFull);
}

/** Statuses that show that an action was done. */
const done = { start: onItsWay, stop: ["EXITED"], restart: ["STARTING"] };

/** Requests an action. When that fails, reads decide whether the action is done already. */
export async function act(api: Api, id: string, action: keyof typeof done): Promise<Observed> {
  try {
    return withDesiredStatus(await api.pods.act(id, action));
  } catch (error) {
    const look = async () => {
      const pod = await api.pods.find(id).catch(() => undefined);
      return pod !== undefined && done[action].includes(String(pod.status)) ? pod : undefined;
    };
    const pod = await (mayHaveActed(error) ? untilSeen(api, action, look) : look());
    if (pod !== undefined) return withDesiredStatus(pod);
    throw error;
  }
}

/** Looks for a while for what an action without a clear answer has done. */
function untilSeen<T>(api: Api, action: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
  const what = () => `the ${action} to show, which had no clear answer`;
  return poll(api, lag, what, look).catch((error) => {
    throw leavingOpen(error, `Before that, the ${action} had no clear answer, and may still take effect`);
  });
}

/** Locks or unlocks a pod. */
export async function lock(api: Api, id: string, locked: boolean): Promise<Observed> {
  return withDesiredStatus(await api.pods.update(id, { locked }));
}
