import type { Api } from "../../client/api";
import { ExpectedError } from "../../client/errors";
import { path } from "../../client/rest";
import { gone, NotReadyError } from "../../core/errors";
import type { Observed } from "../../core/kind";
import { poll } from "../../core/wait";
import type { Properties } from "../../value";
import { lostWithPod } from "../container";
import { lastLines } from "../last-lines";
import { continueWaiting, waitTimeoutOf } from "../wait-timeout";

/** Adds `desiredStatus`: the status of a stopped or failed pod, and RUNNING for every other pod. */
export function withDesiredStatus<Pod extends Observed>(pod: Pod): Pod {
  const stopped = pod.status === "EXITED" || pod.status === "ERROR";
  return { ...pod, desiredStatus: stopped ? pod.status : "RUNNING" };
}

/** Whether a pod is gone although the service still returns it. */
export function isOver({ status }: Observed): boolean {
  return status === "TERMINATED";
}

// assumes: state * /pods*
const starting = ["PROVISIONING", "STARTING"];
export const onItsWay = [...starting, "RUNNING"];

export function isStarting(status: unknown): boolean {
  return starting.includes(String(status));
}

/** Milliseconds that a read may lag behind an action. */
export const lag = 10_000;

/** Codes and reasons for a pod that will not reach RUNNING by itself. */
const endings: Record<string, { readonly code: string; readonly reason: (wanted: Properties) => string }> = {
  ERROR: {
    code: "PODLUMI-CONTAINER-FAILED",
    reason: (wanted) => `its container failed: the status is ERROR. ${afterFailure(wanted)}`,
  },
  EXITED: {
    code: "PODLUMI-POD-STOPPED",
    reason: () =>
      "it stopped while podlumi waited: the status is EXITED. Somebody stopped it, or the account has no balance. Run `pulumi up` " +
      "again to start it.",
  },
};

/** Waits for `goal`. `former` is the status before the action, which reads may still show for a while. */
export async function waitForStatus(
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
  const ended = await poll(api, seconds * 1000, what, async (age) => {
    last = last === undefined ? present : await look(api, id, last, age);
    return last.status === goal || isEnd(last) ? last : undefined;
  });
  if (ended?.status === goal) return ended;
  const seen = ended ?? last ?? present;
  const ending = ended && endings[String(ended.status)];
  const why =
    ending?.reason(wanted) ??
    `it is ${String(seen.status)} after ${seconds} s instead of ${goal}. ${continueWaiting}`;
  const log = { title: "Its last lines", path: path`/pods/${id}/logs`, id, env: seen.env };
  throw new NotReadyError(`${why}${await lastLines(api, log)}`, ending?.code ?? "PODLUMI-NOT-READY", seen);
}

function afterFailure(wanted: Properties): string {
  const once = "Fix its settings, or run `pulumi up` again to start it once more";
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
export function failAsSeen(last: Observed): (error: unknown) => never {
  return (error) => {
    const isToCarry = error instanceof ExpectedError && !(error instanceof NotReadyError);
    throw isToCarry ? new NotReadyError(error.message, error.code, last, { cause: error }) : error;
  };
}

/** Fails when the pod is gone, because nothing brings it back. */
export function failIfOver(pod: Observed | undefined, last: Observed): Observed {
  if (pod !== undefined && !isOver(pod)) return pod;
  throw new NotReadyError(gone, "PODLUMI-GONE", pod ?? last);
}
