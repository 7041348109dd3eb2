import type { Api } from "../../client/api";
import { path } from "../../client/rest";
import type { Build, EndpointReleases, Release } from "../../resources/serverless-endpoint/operations";
import { releasesOf, workersOf } from "../../resources/serverless-endpoint/rollout";
import { about, type SomeDefinitions, text } from "../definition";
import type { OfEndpoint } from "./types";

/** May be the first of several pages. */
interface ReleasesPage extends EndpointReleases {
  pagination?: { nextCursor?: string | null };
}

function ofEndpoint<Args extends OfEndpoint, Result>(
  ask: (api: Api, args: Args) => Promise<Result>,
  part?: (args: Args) => string,
) {
  return about("ServerlessEndpoint", ({ endpointId }: Args) => endpointId, ask, part);
}

/** (API: Serverless, workers, releases and builds) */
export const endpoints = {
  getWorkers: {
    args: { endpointId: text },
    ask: ofEndpoint((api, { endpointId }) => workersOf(api, endpointId)),
  },
  getReleases: {
    args: { endpointId: text },
    ask: ofEndpoint(async (api, { endpointId }) => {
      const { pagination, ...first }: ReleasesPage = await releasesOf(api, endpointId);
      if (!pagination?.nextCursor) return first;
      const all = api.rest.list<Release>(path`/serverless/${endpointId}/releases`, "releases");
      return { ...first, releases: await all };
    }),
  },
  getBuilds: {
    args: { endpointId: text },
    list: "builds",
    ask: ofEndpoint((api, { endpointId }) =>
      api.rest.list<Build>(path`/serverless/${endpointId}/builds`, "builds"),
    ),
  },
  getBuild: {
    args: { endpointId: text, buildId: text },
    ask: ofEndpoint(
      (api, { endpointId, buildId }) =>
        api.rest.get<Build>(path`/serverless/${endpointId}/builds/${buildId}`),
      ({ buildId }) => `build "${buildId}": getBuilds tells which builds it has`,
    ),
  },
} satisfies SomeDefinitions;
