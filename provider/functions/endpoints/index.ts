import { path } from "../../client/rest";
import type { Build, EndpointReleases, Release } from "../../resources/serverless-endpoint/operations";
import { releasesOf, workersOf } from "../../resources/serverless-endpoint/rollout";
import { aboutObject } from "../about-object";
import { type Definitions, text } from "../definition";

/** May be the first of several pages. */
interface ReleasesPage extends EndpointReleases {
  pagination?: { nextCursor?: string | null };
}

/** (API: Serverless, workers, releases and builds) */
export const endpoints = {
  getWorkers: {
    args: { endpointId: text },
    ask: (api, { endpointId }) =>
      aboutObject("ServerlessEndpoint", api, endpointId, () => workersOf(api, endpointId)),
  },
  getReleases: {
    args: { endpointId: text },
    ask: (api, { endpointId }) =>
      aboutObject("ServerlessEndpoint", api, endpointId, async () => {
        const { pagination, ...first }: ReleasesPage = await releasesOf(api, endpointId);
        if (!pagination?.nextCursor) return first;
        const all = api.rest.list<Release>(path`/serverless/${endpointId}/releases`, "releases");
        return { ...first, releases: await all };
      }),
  },
  getBuilds: {
    args: { endpointId: text },
    list: "builds",
    ask: (api, { endpointId }) =>
      aboutObject("ServerlessEndpoint", api, endpointId, () =>
        api.rest.list<Build>(path`/serverless/${endpointId}/builds`, "builds"),
      ),
  },
  getBuild: {
    args: { endpointId: text, buildId: text },
    ask: (api, { endpointId, buildId }) => {
      const ask = () => api.rest.get<Build>(path`/serverless/${endpointId}/builds/${buildId}`);
      const part = `build "${buildId}": getBuilds tells which builds it has`;
      return aboutObject("ServerlessEndpoint", api, endpointId, ask, part);
    },
  },
} satisfies Partial<Definitions>;
