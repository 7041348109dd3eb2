import { path } from "../../client/rest";
import type { EndpointReleases, Release } from "../../resources/serverless-endpoint/operations";
import { type Definitions, text } from "../definition";
import type { EndpointFunctions } from "../signatures";

/** An answer of the service, which may be the first of several pages. */
interface ReleasesPage extends EndpointReleases {
  pagination?: { nextCursor?: string | null };
}

/** (API: Serverless, workers and releases) */
export const endpoints: Definitions<EndpointFunctions> = {
  getWorkers: {
    args: { endpointId: text },
    ask: (api, { endpointId }) => api.rest.get(path`/serverless/${endpointId}/workers`),
  },
  getReleases: {
    args: { endpointId: text },
    async ask(api, { endpointId }) {
      const asked = path`/serverless/${endpointId}/releases`;
      const { pagination, ...first } = await api.rest.get<ReleasesPage>(asked);
      if (!pagination?.nextCursor) return first;
      return { ...first, releases: await api.rest.list<Release>(asked, "releases") };
    },
  },
};
