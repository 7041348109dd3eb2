import type { Api } from "../../client/api";
import { ExpectedError, isNotFound } from "../../client/errors";
import { longestLag } from "../../client/policy";
import { path } from "../../client/rest";
import { poll } from "../../core/call/wait";
import { hasOwnKeys } from "../../core/compare/diff";
import type { Observed } from "../../core/kind";
import { covers, isRecord, type Properties } from "../../value";
import { noHealthyWorker, rolloutNotDone } from "../../words/waits";
import { containerFields } from "../container";
import { lastLines } from "../last-lines";
import type { EndpointReleases, EndpointWorkers } from "./operations";

/** A release that the workers of an endpoint are to run. */
export interface Release {
  /** Undefined when the service does not know. */
  readonly version: number | undefined;
  /** For messages: the version and the names of the changed settings, without their values, which may be secret. */
  readonly description: string;
}

/** The release that an update is about to replace; undefined where nobody waits for the new one. */
export async function previousRelease(api: Api, id: string, patch: Properties, wanted: Properties) {
  const waits = wanted.verify !== undefined || wanted.waitForRollout === true || wanted.waitFor === "READY";
  if (!waits || Object.keys(patch).every((name) => atOnce.includes(name))) return undefined;
  return (await newestRelease(api, id)).version;
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

/**
 * A look that finds nothing while responses lag behind the request that has created a release. It may have created none, so that takes half of
 * the time to wait at most.
 */
function current<T extends EndpointReleases | EndpointWorkers>(
  api: Api,
  milliseconds: number,
  after: number | undefined,
  look: () => Promise<T>,
) {
  const end = api.clock.now() + Math.min(longestLag, milliseconds / 2);
  return async (): Promise<T | undefined> => {
    const mayLag = after !== undefined && api.clock.now() < end;
    const seen = await look().catch((error) => {
      if (mayLag && isNotFound(error)) return undefined;
      throw error;
    });
    return mayLag && seen?.endpointVersion != null && seen.endpointVersion <= after ? undefined : seen;
  };
}

/** The newest release of an endpoint. */
export async function newestRelease(api: Api, id: string): Promise<Release> {
  return releaseIn(await releasesOf(api, id));
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 1000);

/** Waits until no worker runs an older release. An endpoint without workers has nothing to wait for. */
export async function waitForRollout(
  api: Api,
  id: string,
  milliseconds: number,
  after: number | undefined,
): Promise<Release> {
  let last: EndpointReleases | undefined;
  const look = current(api, milliseconds, after, () => releasesOf(api, id));
  const progress = ({ rollout, endpointVersion }: EndpointReleases) =>
    `release ${endpointVersion ?? "of unknown version"} is on ${rollout.percentOnLatest} % of the workers ` +
    `(${rollout.workersOnLatest} of ${rollout.workersTotal})`;
  const what = () => `the rollout, ${last === undefined ? "not seen yet" : progress(last)}`;
  const done = await poll(api, milliseconds, what, async () => {
    last = await look();
    return last?.rollout.inProgress ? undefined : last;
  });
  if (done !== undefined) return releaseIn(done);
  throw new ExpectedError(
    `${rolloutNotDone(last === undefined ? "the release is not seen yet" : progress(last), seconds(milliseconds))} ` +
      (await describeWorkers(api, id)),
    "PODLUMI-NOT-READY",
  );
}

/** Waits until a worker of the newest release is healthy. */
export async function waitForWorker(
  api: Api,
  id: string,
  milliseconds: number,
  after: number | undefined,
): Promise<void> {
  let last: EndpointWorkers | undefined;
  const look = current(api, milliseconds, after, () => workersOf(api, id));
  const what = () => `a healthy worker, there are ${last === undefined ? "none" : describeCounts(last)}`;
  const done = await poll(api, milliseconds, what, async () => {
    last = await look();
    const healthy = last?.workers.some(
      ({ status, isStale }) => !isStale && (status === "IDLE" || status === "RUNNING"),
    );
    return healthy || undefined;
  });
  if (done) return;
  throw new ExpectedError(
    `${noHealthyWorker(seconds(milliseconds))} ${await describeWorkers(api, id)}`,
    "PODLUMI-NOT-READY",
  );
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

function releaseIn({ endpointVersion, releases }: EndpointReleases): Release {
  const fields = (releases[0]?.diff ?? []).map(({ field }) => field);
  const changed = fields.length === 0 ? "" : `, which changed ${fields.join(", ")}`;
  return {
    version: endpointVersion ?? undefined,
    description: `release ${endpointVersion ?? "of unknown version"}${changed}`,
  };
}

/** `1 idle, 2 throttled`. */
function describeCounts({ summary }: EndpointWorkers): string {
  const counts = Object.entries(summary ?? {}).filter(([status, count]) => status !== "total" && count > 0);
  return counts.map(([status, count]) => `${count} ${status}`).join(", ") || "none";
}
