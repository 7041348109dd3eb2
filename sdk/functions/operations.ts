import * as pulumi from "@pulumi/pulumi";
import type {
  EndpointReleases,
  EndpointWorkers,
  Release,
} from "../../provider/resources/serverless-endpoint/operations";
import { ofOutputs, plain } from "./function";
import type { FoundPod } from "./lookups";
import { getPod } from "./lookups";
import type { FunctionOptions } from "./types";

export type {
  EndpointReleases,
  EndpointWorkers,
  Release,
  Worker,
  WorkerStatus,
} from "../../provider/resources/serverless-endpoint/operations";

/** Something that is done to a pod. A preview changes nothing: there it only looks at the pod. */
function action(name: string, verb: "start" | "stop" | "restart") {
  const act = plain<string, FoundPod>(
    name,
    async (service, id) => (await service.act(service.api, id, verb)) as FoundPod,
  );
  return (id: string, opts?: FunctionOptions): Promise<FoundPod> =>
    pulumi.runtime.isDryRun() ? getPod({ id }, opts) : act(id, opts);
}

/**
 * Starts a stopped pod, which needs room on the host that holds its disks, and answers before it runs. One that runs
 * already is left as it is. In a preview it only looks. (API: Pods, actions)
 *
 * A pod that the program declares has its `desiredStatus` for that.
 *
 * @example
 * ```ts
 * const { status } = await podlumi.startPod((await podlumi.getPod({ name: "notebook" })).id);
 * ```
 */
export const startPod = action("startPod", "start");

/**
 * Stops a pod: it keeps its disks and costs no GPU. One that is stopped already is left as it is; a locked one cannot
 * be stopped. In a preview it only looks. (API: Pods, actions)
 *
 * @example
 * ```ts
 * await podlumi.stopPod(podId);
 * ```
 */
export const stopPod = action("stopPod", "stop");

/**
 * Restarts the container of a pod that runs, in place, and answers before it runs again. In a preview it only looks.
 * (API: Pods, actions)
 *
 * @example
 * ```ts
 * await podlumi.restartPod(podId);
 * ```
 */
export const restartPod = action("restartPod", "restart");

/**
 * Deletes a pod with its own disks; network volumes stay. One that is gone already is deleted. In a preview it does
 * nothing. (API: Pods, actions)
 *
 * @example
 * ```ts
 * await podlumi.terminatePod(podId);
 * ```
 */
export const terminatePod = plain<string, void>("terminatePod", async ({ api, definitions }, id) => {
  if (!pulumi.runtime.isDryRun()) await definitions.Pod.delete(api, id, {});
});

/** Which endpoint. */
export interface OfEndpoint {
  endpointId: string;
}

/**
 * The active workers of a serverless endpoint. (API: Serverless, workers)
 *
 * @example
 * ```ts
 * const { summary } = await podlumi.getWorkers({ endpointId });
 * if (summary.throttled > 0) console.log("no room for all workers");
 * ```
 */
export const getWorkers = plain<OfEndpoint, EndpointWorkers>("getWorkers", ({ api, path }, { endpointId }) =>
  api.rest.get(path`/serverless/${endpointId}/workers`),
);

/**
 * {@link getWorkers} of outputs.
 *
 * @example
 * ```ts
 * export const workers = podlumi.getWorkersOutput({ endpointId: endpoint.id }).summary.total;
 * ```
 */
export const getWorkersOutput = ofOutputs(getWorkers);

/** What the service answers, which may be the first of several pages. */
interface ReleasesPage extends EndpointReleases {
  pagination?: { nextCursor?: string | null };
}

/**
 * The releases of a serverless endpoint. `diff` holds plain values here, which may be secret. (API: Serverless,
 * releases)
 *
 * @example
 * ```ts
 * const { rollout } = await podlumi.getReleases({ endpointId });
 * ```
 */
export const getReleases = plain<OfEndpoint, EndpointReleases>(
  "getReleases",
  async ({ api, path }, { endpointId }) => {
    const asked = path`/serverless/${endpointId}/releases`;
    const { pagination, ...first } = await api.rest.get<ReleasesPage>(asked);
    if (!pagination?.nextCursor) return first;
    return { ...first, releases: await api.rest.list<Release>(asked, "releases") };
  },
);

/**
 * {@link getReleases} of outputs; `releases` is a secret of its own.
 *
 * @example
 * ```ts
 * export const rollout = podlumi.getReleasesOutput({ endpointId: endpoint.id }).rollout.percentOnLatest;
 * ```
 */
export const getReleasesOutput = ofOutputs(getReleases, "releases");
