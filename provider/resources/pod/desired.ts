import { differences } from "../../core/compare/diff";
import type { Observed, Unready } from "../../core/kind";
import { unfinishedIn } from "../../core/state/unfinished";
import { at } from "../../path";
import type { Properties } from "../../value";
import { containerFields } from "../container";
import { isStarting, LifeCycle } from "./life-cycle";
import { selfStop } from "./self-stop";

/** Takes a pod to what the program asks for. An update leaves alone what is drift: no preview has shown it. */
export async function moveToDesired(unready: Unready): Promise<Observed> {
  const { api, id, wanted, observed: present, before } = unready;
  const left = await leftAlone(unready);
  const asked = {
    ...wanted,
    ...("locked" in left && { locked: undefined }),
    ...(agrees(before, wanted, "globalNetworking", "enabled") && { globalNetworking: undefined }),
  };
  const stays = "desiredStatus" in left || hasFailed(wanted);
  const goal = wanted.desiredStatus === "EXITED" ? "EXITED" : "RUNNING";
  const moved = await new LifeCycle(api, id, asked, present).reach(stays ? undefined : goal);
  // Drift stays out of the state, so that a refresh shows it.
  return { ...moved, ...left };
}

/** With `ignoreChanges`, the program's status may be ERROR, to which nothing has to move a pod. */
const hasFailed = ({ desiredStatus }: Properties) => desiredStatus === "ERROR";

/** The properties that an update leaves as others made them, with their values in the state. It tells of each. */
async function leftAlone(unready: Unready): Promise<Properties> {
  const { api, wanted, observed: present, before } = unready;
  const left: Properties = {};
  const leave = (property: string, is: unknown, move: string) => {
    left[property] = before[property];
    api.log(
      `the pod is ${is}, ${property} is ${wanted[property]}, and this update does not ${move} it: \`pulumi refresh\` shows it, and the ` +
        `next \`pulumi up\` ${move}s the pod`,
    );
  };
  if (await isStatusDrift(unready))
    leave("desiredStatus", present.status, wanted.desiredStatus === "EXITED" ? "stop" : "start");
  if (!agrees(before, wanted, "locked") || present.locked === wanted.locked) return left;
  if (!unlocks(wanted, before))
    leave("locked", present.locked ? "locked" : "not locked", wanted.locked ? "lock" : "unlock");
  return left;
}

/** An update does what a lock forbids: to unlock the pod before and to lock it after that is a part of it. */
function unlocks(wanted: Properties, before: Properties): boolean {
  const stops = wanted.desiredStatus === "EXITED" && !agrees(before, wanted, "desiredStatus");
  const enabled = at(wanted, "globalNetworking", "enabled");
  return stops || (enabled !== undefined && !agrees(before, wanted, "globalNetworking", "enabled"));
}

/** The state has what the program says, so that what the pod has instead is drift. */
function agrees(before: Properties, wanted: Properties, ...property: string[]): boolean {
  const value = at(before, ...property);
  return value !== undefined && value === at(wanted, ...property);
}

/**
 * A pod has stopped, started or failed since the state was written, and the update does not change `desiredStatus`. A pod that
 * was not ready when podlumi gave up is still to become so. A failure is nobody's decision, so an update that changes the container
 * starts the pod.
 */
async function isStatusDrift({ api, wanted, observed: pod, before }: Unready): Promise<boolean> {
  const { desiredStatus } = wanted;
  if (before.desiredStatus === undefined || hasFailed(wanted)) return false;
  if (before.desiredStatus !== desiredStatus || pod.desiredStatus === desiredStatus) return false;
  if (unfinishedIn(before).isNotReady && isStarting(before.status)) return false;
  const starts = desiredStatus === "RUNNING" && pod.status === "ERROR";
  const container = { ...containerFields, selfStop };
  const changed = () => differences(container, { state: before, inputs: wanted, api: () => api });
  return !(starts && (await changed()).size > 0);
}
