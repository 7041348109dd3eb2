import { isToAct } from "../service";
import { plain, reading, readingOutput } from "./function";
import type { FoundPod } from "./lookups";
import type { FunctionOptions } from "./types";

export type { OfBuild, OfEndpoint } from "../../provider/functions/endpoints/types";
export type {
  Build,
  BuildStatus,
  EndpointReleases,
  EndpointWorkers,
  Release,
  Worker,
  WorkerStatus,
} from "../../provider/resources/serverless-endpoint/operations";

/** Makes a function that acts on a pod. A preview changes nothing, so there it only looks up the pod. */
function action(name: string, verb: "start" | "stop" | "restart") {
  const act = plain<string, FoundPod>(name, async (service, id) => {
    const { api, functions, aboutObject } = service;
    service.segment("/pods/", id);
    if (!isToAct()) return functions.getPod.ask(api, { id });
    return (await aboutObject("Pod", api, id, () => service.act(api, id, verb))) as FoundPod;
  });
  return (id: string, opts?: FunctionOptions): Promise<FoundPod> => act(id, opts);
}

/**
 * Starts a stopped pod, and returns before the pod runs. The host that holds its disks needs room for it. A pod that
 * already runs is left as it is. (API: Pods, actions)
 *
 * It acts outside a dry run, whatever the command: `pulumi up`, `refresh --run-program`, `destroy --run-program`. A preview only looks up the
 * pod.
 *
 * For a pod that the program declares, use `desiredStatus` instead.
 *
 * @example
 * ```ts
 * const { status } = await podlumi.startPod((await podlumi.getPod({ name: "notebook" })).id);
 * ```
 */
export const startPod = action("startPod", "start");

/**
 * Stops a pod. It keeps what is in `mounts`, loses what is on its container's disk, and no longer costs for the GPU. A
 * stopped pod is left as it is. A locked pod cannot be stopped. (API: Pods, actions)
 *
 * It acts outside a dry run, whatever the command, like {@link startPod}.
 *
 * @example
 * ```ts
 * await podlumi.stopPod(podId);
 * ```
 */
export const stopPod = action("stopPod", "stop");

/**
 * Restarts the container of a running pod in place, and returns before it runs again. (API: Pods, actions)
 *
 * It acts outside a dry run, whatever the command, like {@link startPod}: also in each `pulumi refresh --run-program`.
 *
 * @example
 * ```ts
 * await podlumi.restartPod(podId);
 * ```
 */
export const restartPod = action("restartPod", "restart");

const terminate = plain<string, void>("terminatePod", async (service, id) => {
  // Fails for what is no id, in a preview and with mocks too: the end of a pod that is gone is no failure.
  service.segment("/pods/", id);
  if (!isToAct()) return;
  const { api, mocked, terminatePod } = service;
  if (mocked) await mocked("terminatePod", { id });
  else await terminatePod(api, id);
});

/**
 * Deletes a pod with its own disks. Network volumes stay. It also succeeds when the pod is already gone, and fails for
 * an empty id and for the name of a pod. (API: Pods, actions)
 *
 * It acts outside a dry run, whatever the command, like {@link startPod}. A preview deletes nothing.
 *
 * @example
 * ```ts
 * await podlumi.terminatePod(podId);
 * ```
 */
export const terminatePod = (id: string, opts?: FunctionOptions): Promise<void> => terminate(id, opts);

/**
 * The active workers of a serverless endpoint. (API: Serverless, workers)
 *
 * @example
 * ```ts
 * const { summary } = await podlumi.getWorkers({ endpointId });
 * if (summary.throttled > 0) console.log("no room for all workers");
 * ```
 */
export const getWorkers = reading("getWorkers");

/**
 * Like {@link getWorkers}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const workers = podlumi.getWorkersOutput({ endpointId: endpoint.id }).summary.total;
 * ```
 */
export const getWorkersOutput = readingOutput("getWorkers");

/**
 * The releases of a serverless endpoint. `diff` holds plain values here, which may be secret. (API: Serverless,
 * releases)
 *
 * @example
 * ```ts
 * const { rollout } = await podlumi.getReleases({ endpointId });
 * ```
 */
export const getReleases = reading("getReleases");

/**
 * Like {@link getReleases}, but takes and returns outputs. Its `releases` is a separate secret output.
 *
 * @example
 * ```ts
 * export const rollout = podlumi.getReleasesOutput({ endpointId: endpoint.id }).rollout.percentOnLatest;
 * ```
 */
export const getReleasesOutput = readingOutput("getReleases");

/**
 * The builds of an endpoint that the service builds from a repository on GitHub, newest first; empty for any other. An endpoint gets
 * such a repository in RunPod's console. (API: Serverless, builds)
 *
 * @example
 * ```ts
 * const [newest] = await podlumi.getBuilds({ endpointId });
 * if (newest?.status === "FAILED") console.log(newest.error);
 * ```
 */
export const getBuilds = reading("getBuilds");

/**
 * Like {@link getBuilds}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const commit = podlumi.getBuildsOutput({ endpointId }).apply(([newest]) => newest?.commitHash);
 * ```
 */
export const getBuildsOutput = readingOutput("getBuilds");

/**
 * A build by its id, however old it is. (API: Serverless, builds)
 *
 * @example
 * ```ts
 * const { imageName } = await podlumi.getBuild({ endpointId, buildId: "build_abc123" });
 * ```
 */
export const getBuild = reading("getBuild");

/**
 * Like {@link getBuild}, but takes and returns outputs.
 *
 * @example
 * ```ts
 * export const image = podlumi.getBuildOutput({ endpointId, buildId: "build_abc123" }).imageName;
 * ```
 */
export const getBuildOutput = readingOutput("getBuild");
