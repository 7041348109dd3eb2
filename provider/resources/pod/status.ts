import type { Api } from "../../client/api";
import { ExpectedError, isAnswered, mayHaveActed } from "../../client/errors";
import { situations } from "../../client/policy";
import { path } from "../../client/rest";
import type { Observed } from "../../core/definition";
import { differences } from "../../core/diff";
import { gone, NotReadyError } from "../../core/errors";
import { at } from "../../core/path";
import { unready } from "../../core/state";
import { hasUnknown, type Properties } from "../../core/value";
import { poll, waitTimeoutOf } from "../../core/wait";
import { logHere } from "../../engine/log";
import { containerFields, lostWithPod } from "../container";
import { retryUntilRoom } from "./placement";

/** Key in the state of a pod that failed again after podlumi started it. */
export const failedAgain = "__unrecoverable";

/** Adds `desiredStatus`: the status of a stopped or failed pod, and RUNNING for every other pod. */
export function withDesiredStatus<Pod extends Observed>(pod: Pod): Pod {
  const stopped = pod.status === "EXITED" || pod.status === "ERROR";
  return { ...pod, desiredStatus: stopped ? pod.status : "RUNNING" };
}

/** Whether the program's settings of the container are other ones than the state's. An unknown one may turn out to be equal. */
export async function isMended(state: Properties, inputs: Properties, api: () => Api): Promise<boolean> {
  const changed = await differences(containerFields, state, inputs, api);
  return [...changed.keys()].some((name) => !hasUnknown(inputs[name]));
}

/** Whether a pod is gone although the service still answers it. */
export function isOver({ status }: Observed): boolean {
  return status === "TERMINATED";
}

/**
 * Starts, stops, restarts, locks or unlocks a pod as its status requires, and waits. An update leaves alone what is drift: no preview has
 * shown it. `before` is the state before the update. (API: Pods, status)
 */
export async function moveToDesired(
  api: Api,
  id: string,
  wanted: Properties,
  present: Observed,
  before: Properties,
): Promise<Observed> {
  const left = await leftAlone(api, wanted, present, before);
  const asked = {
    ...wanted,
    ...("locked" in left && { locked: undefined }),
    ...(agrees(before, wanted, "globalNetworking", "enabled") && { globalNetworking: undefined }),
  };
  const move = ("desiredStatus" in left ? undefined : moveTo(wanted.desiredStatus)) ?? stay;
  let pod = failIfOver(present, present);
  // A locked pod cannot be stopped. If the program says `locked`, unlock it now, and lock it again at the end.
  const rests = move === stay || atRest(asked, pod);
  if (pod.locked && (asked.locked === false || (asked.locked === true && !rests))) {
    pod = await lock(api, id, false);
  }
  pod = await move(api, id, asked, pod).catch(failAsSeen(pod));
  const moved = asked.locked === true && !pod.locked ? await lock(api, id, true).catch(failAsSeen(pod)) : pod;
  // Drift stays out of the state, so that a refresh shows it.
  return { ...moved, ...left };
}

/** The properties that an update leaves as others made them, with their values in the state. It tells of each. */
async function leftAlone(
  api: Api,
  wanted: Properties,
  present: Observed,
  before: Properties,
): Promise<Properties> {
  const left: Properties = {};
  const leave = (property: string, is: unknown, next: string) => {
    left[property] = before[property];
    logHere(
      `the pod is ${is}, ${property} is ${wanted[property]}, and this update leaves it so: \`pulumi refresh\` shows it, and the ` +
        `next \`pulumi up\` ${next} the pod`,
    );
  };
  if (await isStatusDrift(api, wanted, present, before))
    leave("desiredStatus", present.status, wanted.desiredStatus === "EXITED" ? "stops" : "starts");
  if (!agrees(before, wanted, "locked") || present.locked === wanted.locked) return left;
  if (wanted.locked && unlocks(wanted, before))
    logHere(
      "the pod was not locked, locked is true, and this update locks it: one that was killed may have unlocked it",
    );
  else leave("locked", present.locked ? "locked" : "not locked", wanted.locked ? "locks" : "unlocks");
  return left;
}

/** Whether an update does what a lock forbids: to unlock the pod before and to lock it after that is a part of it. */
function unlocks(wanted: Properties, before: Properties): boolean {
  const stops = wanted.desiredStatus === "EXITED" && !agrees(before, wanted, "desiredStatus");
  const enabled = at(wanted, "globalNetworking", "enabled");
  return stops || (enabled !== undefined && !agrees(before, wanted, "globalNetworking", "enabled"));
}

/** Whether the state has what the program says, so that what the pod has instead is drift. */
function agrees(before: Properties, wanted: Properties, ...property: string[]): boolean {
  const value = at(before, ...property);
  return value !== undefined && value === at(wanted, ...property);
}

/**
 * Whether a pod has stopped, started or failed since the state was written, and the update does not change `desiredStatus`. A pod that
 * was not ready when podlumi gave up is still to become so. A failure is nobody's decision, so an update that mends the container
 * starts the pod.
 */
async function isStatusDrift(
  api: Api,
  wanted: Properties,
  pod: Observed,
  before: Properties,
): Promise<boolean> {
  const { desiredStatus } = wanted;
  if (before.desiredStatus === undefined || moveTo(desiredStatus) === undefined) return false;
  if (before.desiredStatus !== desiredStatus || pod.desiredStatus === desiredStatus) return false;
  if (before[unready] && isStarting(before.status)) return false;
  const starts = desiredStatus === "RUNNING" && pod.status === "ERROR";
  return !(starts && (await isMended(before, wanted, () => api)));
}

/** Moves a pod to a status. */
type Move = (api: Api, id: string, wanted: Properties, pod: Observed) => Promise<Observed>;

const stay: Move = async (_api, _id, _wanted, pod) => pod;

/** What moves a pod to a status. With `ignoreChanges`, that may be ERROR, to which nothing has to move it. */
function moveTo(desiredStatus: unknown): Move | undefined {
  return desiredStatus === "EXITED" ? stop : desiredStatus === "ERROR" ? undefined : run;
}

/** Whether no action is left that a lock forbids. */
function atRest(wanted: Properties, pod: Observed): boolean {
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

// assumes: state * /pods*
const starting = ["PROVISIONING", "STARTING"];
const onItsWay = [...starting, "RUNNING"];

function isStarting(status: unknown): boolean {
  return starting.includes(String(status));
}

/** Statuses that show that an action was done. */
const done = { start: onItsWay, stop: ["EXITED"], restart: ["STARTING"] };

/** Milliseconds that a read may lag behind an action. */
const lag = 10_000;

/** Requests an action. When that fails, reads decide whether the action is done already. */
export async function act(api: Api, id: string, action: keyof typeof done): Promise<Observed> {
  try {
    return withDesiredStatus(await api.pods.act(id, action));
  } catch (error) {
    const look = async () => {
      const pod = await api.pods.find(id).catch(() => undefined);
      return pod !== undefined && done[action].includes(String(pod.status)) ? pod : undefined;
    };
    const what = () => `the ${action} to show, which had no clear answer`;
    const pod = await (mayHaveActed(error) ? poll(api.clock, lag, what, look) : look());
    if (pod !== undefined) return withDesiredStatus(pod);
    throw error;
  }
}

/** Codes and reasons for a pod that will not reach RUNNING by itself. */
const endings: Record<string, { readonly code: string; readonly reason: (wanted: Properties) => string }> = {
  ERROR: {
    code: "PODLUMI-CONTAINER-FAILED",
    reason: (wanted) => `its container failed: the status is ERROR. ${afterFailure(wanted)}`,
  },
  EXITED: {
    code: "PODLUMI-POD-STOPPED",
    reason: () =>
      "it stopped on the way: the status is EXITED. Somebody stopped it, or the account has no balance. Run `pulumi up` " +
      "again to start it.",
  },
};

/** Waits for `goal`. `former` is the status before the action, which reads may still show for a while. */
async function waitForStatus(
  api: Api,
  id: string,
  wanted: Properties,
  present: Observed,
  goal: "RUNNING" | "EXITED",
  former?: unknown,
): Promise<Observed> {
  const began = api.clock.now();
  const isEnd = ({ status }: Observed) =>
    goal === "RUNNING" && String(status) in endings && (status !== former || api.clock.now() - began > lag);
  const seconds = waitTimeoutOf(wanted);
  let last: Observed | undefined;
  const what = () => `${goal}, it is ${String(last?.status)}`;
  const ended = await poll(api.clock, seconds * 1000, what, async (age) => {
    last = last === undefined ? present : await look(api, id, last, age);
    return last.status === goal || isEnd(last) ? last : undefined;
  });
  if (ended?.status === goal) return ended;
  const seen = ended ?? last ?? present;
  const ending = ended && endings[String(ended.status)];
  const why =
    ending?.reason(wanted) ??
    `it is ${String(seen.status)} after ${seconds} s instead of ${goal}. Run \`pulumi up\` again to go on waiting, or ` +
      "give it more time with waitTimeout.";
  const lines = await api.rest.lastLines(path`/pods/${id}/logs`, 20);
  throw new NotReadyError(
    lines.length === 0 ? why : `${why} Its last lines:\n${lines.join("\n")}`,
    ending?.code ?? "PODLUMI-NOT-READY",
    seen,
  );
}

function afterFailure(wanted: Properties): string {
  const once = "Mend its settings, or run `pulumi up` again to start it once more";
  return lostWithPod(wanted) === undefined
    ? `${once}, or to replace it when that has failed already.`
    : `${once}. It holds data, so it is only replaced by \`pulumi up --replace\` and its URN.`;
}

/** A read while waiting. */
async function look(api: Api, id: string, last: Observed, age: number): Promise<Observed> {
  const pod = await api.pods.find(id, age).catch(failAsSeen(last));
  return withDesiredStatus(failIfOver(pod, last));
}

/**
 * What a request throws: its error, with the pod as it was last seen. podlumi may have changed it by then, and what the state does
 * not have of that, the next update takes for drift.
 */
function failAsSeen(last: Observed): (error: unknown) => never {
  return (error) => {
    const isToCarry = error instanceof ExpectedError && !(error instanceof NotReadyError);
    throw isToCarry ? new NotReadyError(error.message, error.code, last, { cause: error }) : error;
  };
}

/** Fails when the pod is gone, because nothing brings it back. */
function failIfOver(pod: Observed | undefined, last: Observed): Observed {
  if (pod !== undefined && !isOver(pod)) return pod;
  throw new NotReadyError(gone, "PODLUMI-GONE", pod ?? last);
}

async function lock(api: Api, id: string, locked: boolean): Promise<Observed> {
  return withDesiredStatus(await api.pods.update(id, { locked }));
}
