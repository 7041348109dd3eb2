import type { Api } from "../../client/api";
import { ExpectedError, isNotFound } from "../../client/errors";
import { longestLag } from "../../client/policy";
import { path } from "../../client/rest";
import { hasOwnKeys } from "../../core/compare/diff";
import type { Observed } from "../../core/kind";
import { poll } from "../../core/poll";
import { covers, isRecord, type Properties } from "../../value";
import { noHealthyWorker, rolloutNotDone } from "../../words/waits";
import { containerFields } from "../container";
import { lastLines } from "../last-lines";
import type { EndpointReleases, EndpointWorkers } from "./operations";

/** The release that an update is about to replace; undefined where nobody waits for the new one. */
export async function previousRelease(api: Api, id: string, patch: Properties, wanted: Properties) {
  const waits = wanted.verify !== undefined || wanted.waitForRollout === true || wanted.waitFor === "READY";
  if (!waits || Object.keys(patch).every((name) => atOnce.includes(name))) return undefined;
  return (await releasesOf(api, id)).endpointVersion ?? undefined;
}

/**
 * An endpoint has the settings of the state that make a release. With others, as an interrupted up leaves them, nothing proves
 * the release.
 */
export function isSameRelease(found: Observed, state: Properties): boolean {
  const { env, ...container } = containerFields;
  const others = ["cpu", "flashboot", "dataCenterIds", "networkVolumes", "globalVolumes"];
  // A response may leave out exclusions where there are none.
  const gpu = isRecord(state.gpu) ? { excludedTypes: [], ...state.gpu } : state.gpu;
  // The state has only the program's own variables, and a response without variables tells nothing of them.
  const hasVariables = !isRecord(found.env) || hasOwnKeys(found.env, state.env);
  const isSame = (name: string) => covers(found[name], state[name]);
  return hasVariables && covers(found.gpu, gpu) && [...Object.keys(container), ...others].every(isSame);
}

/** Settings that apply without a release. (API: Serverless, update) */
const atOnce = ["name", "workers", "scaling", "timeout"];

/** The newest release of an endpoint, which may not show yet. */
export interface NewRelease {
  readonly api: Api;
  readonly id: string;
  /** The version before the request that has created it; undefined where nobody asked for that. */
  readonly after: number | undefined;
}

/** Waits until no worker runs an older release. An endpoint without workers has nothing to wait for. */
export function waitForRollout(release: NewRelease, milliseconds: number): Promise<EndpointReleases> {
  const progress = ({ rollout, endpointVersion }: EndpointReleases) =>
    `release ${endpointVersion ?? "of unknown version"} is on ${rollout.percentOnLatest} % of the workers ` +
    `(${rollout.workersOnLatest} of ${rollout.workersTotal})`;
  return untilNewest(release, milliseconds, {
    look: releasesOf,
    isDone: ({ rollout }) => !rollout.inProgress,
    what: (last) => `the rollout, ${last === undefined ? "not seen yet" : progress(last)}`,
    failure: (last, seconds) =>
      rolloutNotDone(last === undefined ? "the release is not seen yet" : progress(last), seconds),
  });
}

/** Waits until a worker of the newest release is healthy. */
export async function waitForWorker(release: NewRelease, milliseconds: number): Promise<void> {
  await untilNewest(release, milliseconds, {
    look: workersOf,
    isDone: ({ workers }) =>
      workers.some(({ status, isStale }) => !isStale && (status === "IDLE" || status === "RUNNING")),
    what: (last) => `a healthy worker, there are ${last === undefined ? "none" : describeCounts(last)}`,
    failure: (_last, seconds) => noHealthyWorker(seconds),
  });
}

interface Goal<Seen> {
  look(api: Api, id: string): Promise<Seen>;
  isDone(seen: Seen): boolean;
  /** In words; `last` was seen last. */
  what(last: Seen | undefined): string;
  failure(last: Seen | undefined, seconds: number): string;
}

/**
 * Looks until the newest release has reached a goal. Responses may lag behind the request that has created it. It may have created none, so
 * waiting for it to show takes half of the time at most.
 */
async function untilNewest<Seen extends EndpointReleases | EndpointWorkers>(
  { api, id, after }: NewRelease,
  milliseconds: number,
  goal: Goal<Seen>,
): Promise<Seen> {
  const end = api.clock.now() + Math.min(longestLag, milliseconds / 2);
  let last: Seen | undefined;
  const what = () => goal.what(last);
  const done = await poll(api, milliseconds, what, async () => {
    const mayLag = after !== undefined && api.clock.now() < end;
    last = await goal.look(api, id).catch((error) => {
      if (mayLag && isNotFound(error)) return undefined;
      throw error;
    });
    if (mayLag && last?.endpointVersion != null && last.endpointVersion <= after) last = undefined;
    return last !== undefined && goal.isDone(last) ? last : undefined;
  });
  if (done !== undefined) return done;
  const why = goal.failure(last, Math.round(milliseconds / 1000));
  throw new ExpectedError(`${why} ${await describeWorkers(api, id)}`, "PODLUMI-NOT-READY");
}

/** The end of a message: how many workers have each status, and the last lines of `workerId` or of some worker. */
export async function describeWorkers(api: Api, id: string, workerId?: string): Promise<string> {
  const present = await workersOf(api, id).catch(() => undefined);
  const counts = present === undefined ? "" : `Its workers: ${describeCounts(present)}.`;
  const worker = workerId ?? (present?.workers.find(({ isStale }) => !isStale) ?? present?.workers[0])?.id;
  if (worker === undefined) return counts;
  const [title, log] = [`The last lines of worker ${worker}`, path`/serverless/${id}/workers/${worker}/logs`];
  return counts + (await lastLines(api, { title, path: log, id, env: await variablesOf(api, id) }));
}

/** The variables of its workers; undefined where nobody tells them. */
export async function variablesOf(api: Api, id: string): Promise<unknown> {
  return (await api.endpoints.find(id).catch(() => undefined))?.env;
}

export function releasesOf(api: Api, id: string): Promise<EndpointReleases> {
  return api.rest.getListed<EndpointReleases>(path`/serverless/${id}/releases`, "releases");
}

export function workersOf(api: Api, id: string): Promise<EndpointWorkers> {
  return api.rest.getListed<EndpointWorkers>(path`/serverless/${id}/workers`, "workers");
}

/** The version, and the names of the changed settings without their values, which may be secret. */
export function describeRelease({ endpointVersion, releases }: EndpointReleases): string {
  const fields = (releases[0]?.diff ?? []).map(({ field }) => field);
  const changed = fields.length === 0 ? "" : `, which changed ${fields.join(", ")}`;
  return `release ${endpointVersion ?? "of unknown version"}${changed}`;
}

/** `1 idle, 2 throttled`. */
function describeCounts({ summary }: EndpointWorkers): string {
  const counts = Object.entries(summary ?? {}).filter(([status, count]) => status !== "total" && count > 0);
  return counts.map(([status, count]) => `${count} ${status}`).join(", ") || "none";
}
