import { path } from "../../client/rest";
import type { EndpointReleases, Release } from "../../resources/serverless-endpoint/operations";
import { releasesOf, workersOf } from "../../resources/serverless-endpoint/rollout";
import { type Definitions, text } from "../definition";
import type { EndpointFunctions } from "../signatures";

/** A response of the service, which may be the first of several pages. */
interface ReleasesPage extends EndpointReleases {
  pagination?: { nextCursor?: string | null };
}

/** (API: Serverless, workers and releases) */
export const endpoints: Definitions<EndpointFunctions> = {
  getWorkers: { args: { endpointId: text }, ask: (api, { endpointId }) => workersOf(api, endpointId) },
  getReleases: {
    args: { endpointId: text },
    async ask(api, { endpointId }) {
      const { pagination, ...first }: ReleasesPage = await releasesOf(api, endpointId);
      if (!pagination?.nextCursor) return first;
      const all = api.rest.list<Release>(path`/serverless/${endpointId}/releases`, "releases");
      return { ...first, releases: await all };
    },
  },
};
