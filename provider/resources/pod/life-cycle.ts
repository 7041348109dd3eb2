import type { Api } from "../../client/api";
import { afterUnclear, ExpectedError, extended, isAnswered, mayHaveActed } from "../../client/errors";
import { situations } from "../../client/policy";
import { HalfDoneError } from "../../core/errors";
import type { Observed } from "../../core/kind";
import { poll, waitTimeoutOf } from "../../core/poll";
import { at } from "../../path";
import type { Properties } from "../../value";
import { hostIsFull } from "../../words/limits";
import { gone } from "../../words/requests";
import { podFailed, podNotReady, podStopped } from "../../words/waits";
import { lastLinesOfPod } from "../last-lines";
import { retryUntilRoom } from "../room";
import { unguarded } from "./self-stop";

// assumes: state * /pods*
const starting = ["PROVISIONING", "STARTING"];
const onItsWay = [...starting, "RUNNING"];

export function isStarting(status: unknown): boolean {
  return starting.includes(String(status));
}

/** A pod in the terms of a program. Its `desiredStatus` is the status of a stopped or failed one, and RUNNING for every other one. */
export function inProgramTerms<Pod extends Observed>(pod: Pod): Pod {
  const stopped = pod.status === "EXITED" || pod.status === "ERROR";
  return { ...unguarded(pod), desiredStatus: stopped ? pod.status : "RUNNING" };
}

/** A pod is gone although the service still returns it. */
export function isOver({ status }: Observed): boolean {
  return status === "TERMINATED";
}

/** Milliseconds that a read may lag behind an action. */
const lag = 10_000;

/** Statuses that show that an action was done. */
const done = { start: onItsWay, stop: ["EXITED"], restart: ["STARTING"] };

/** Requests an action. When that fails, reads decide whether the action is done already. */
export async function act(api: Api, id: string, action: keyof typeof done): Promise<Observed> {
  try {
    return inProgramTerms(await api.pods.act(id, action));
  } catch (error) {
    const look = async () => {
      const pod = await api.pods.find(id).catch(() => undefined);
      return pod !== undefined && done[action].includes(String(pod.status)) ? pod : undefined;
    };
    const pod = await (mayHaveActed(error) ? untilSeen(api, action, look) : look());
    if (pod !== undefined) return inProgramTerms(pod);
    throw error;
  }
}

/** Looks for a while for what an action without a clear answer has done. */
function untilSeen<T>(api: Api, action: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
  const what = () => `the ${action} to show, which had no clear answer`;
  return poll(api, lag, what, look).catch((error) => {
    throw afterUnclear(error, `Before that, the ${action} had no clear answer, and may still take effect`);
  });
}

/** Statuses from which a pod does not reach RUNNING by itself, and why, with the code of that. */
const endings: Readonly<Record<string, readonly [reason: string, code: string]>> = {
  EXITED: [podStopped, "PODLUMI-POD-STOPPED"],
  ERROR: [podFailed, "PODLUMI-CONTAINER-FAILED"],
};

/** A pod on its way to what the program asks for, with what was last seen of it. (API: Pods, status) */
export class LifeCycle {
  constructor(
    private readonly api: Api,
    private readonly id: string,
    private readonly wanted: Properties,
    private pod: Observed,
  ) {}

  /**
   * Starts, stops, restarts, locks or unlocks the pod, and waits; without a goal, it only locks or unlocks. An error has the pod as it was
   * last seen. podlumi may have changed it by then, and what the state does not have of that, the next update takes for drift.
   */
  async reach(goal: "RUNNING" | "EXITED" | undefined): Promise<Observed> {
    try {
      this.see(this.pod);
      const { locked } = this.wanted;
      // A locked pod cannot be stopped. If the program says `locked`, unlock it now, and lock it again at the end.
      if (this.pod.locked && (locked === false || (locked === true && !this.isAt(goal))))
        await this.lock(false);
      if (goal === "EXITED") await this.stop();
      if (goal === "RUNNING") await this.run();
      if (locked === true && !this.pod.locked) await this.lock(true);
      return this.pod;
    } catch (error) {
      throw HalfDoneError.of(error, this.pod);
    }
  }

  /** No action is left that a lock forbids. */
  private isAt(goal: "RUNNING" | "EXITED" | undefined): boolean {
    if (goal === "EXITED") return this.pod.status === "EXITED";
    return goal === undefined || this.hasNetworkSetting();
  }

  /** The service stops no failed pod, so that one is started first. */
  private async stop(): Promise<void> {
    if (this.pod.status === "EXITED") return;
    if (this.pod.status === "ERROR") await this.start();
    await this.act("stop");
    await this.waitFor("EXITED");
  }

  private async run(): Promise<void> {
    const { status } = this.pod;
    const former = onItsWay.includes(String(status)) ? undefined : status;
    if (former !== undefined) await this.start();
    if (this.wanted.waitFor === "NONE") return this.restartForNetwork();
    await this.waitFor("RUNNING", former);
    await this.restartForNetwork();
    await this.waitFor("RUNNING");
  }

  /** Restarts a running pod if its global networking waits for that. */
  private async restartForNetwork(): Promise<void> {
    if (this.pod.status === "RUNNING" && !this.hasNetworkSetting()) await this.act("restart");
  }

  /** A change of global networking takes effect when the pod starts again. (API: Pods, update) */
  private hasNetworkSetting(): boolean {
    const enabled = at(this.wanted, "globalNetworking", "enabled");
    return enabled === undefined || enabled === at(this.pod, "globalNetworking", "enabled");
  }

  /** Starts a stopped pod, which needs room on the host that holds its disks. */
  private start(): Promise<void> {
    const isFull = (error: unknown) => isAnswered(error, situations.hostFull);
    return retryUntilRoom(this.api, this.wanted, () => this.act("start"), isFull).catch((error) => {
      throw isFull(error) ? extended(error, hostIsFull, "PODLUMI-NO-ROOM") : error;
    });
  }

  private async act(action: keyof typeof done): Promise<void> {
    this.pod = await act(this.api, this.id, action);
  }

  private async lock(locked: boolean): Promise<void> {
    this.pod = inProgramTerms(await this.api.pods.update(this.id, { locked }));
  }

  /** `former` is the status before the action, which reads may still show for a while. */
  private async waitFor(goal: "RUNNING" | "EXITED", former?: unknown): Promise<void> {
    const { api, id, wanted } = this;
    const began = api.clock.now();
    const seconds = waitTimeoutOf(wanted);
    const mayLag = () => this.pod.status === former && api.clock.now() - began <= lag;
    // The response to the action is the first look.
    let isFirst = true;
    const what = () => `${goal}, it is ${this.pod.status}`;
    const ending = await poll(api, seconds * 1000, what, async (age) => {
      if (!isFirst) this.see(await api.pods.find(id, age));
      isFirst = false;
      if (this.pod.status === goal) return "reached";
      return goal === "EXITED" || mayLag() ? undefined : endings[String(this.pod.status)];
    });
    if (ending === "reached") return;
    const [why, code] = ending ?? [podNotReady(this.pod.status, seconds, goal), "PODLUMI-NOT-READY"];
    throw new ExpectedError(why + (await lastLinesOfPod(api, id, this.pod.env)), code);
  }

  /** Fails when the pod is gone, because nothing brings it back. */
  private see(pod: Observed | undefined): void {
    this.pod = pod === undefined ? this.pod : inProgramTerms(pod);
    if (pod === undefined || isOver(pod)) throw new ExpectedError(gone, "PODLUMI-GONE");
  }
}
