import type { Api } from "../../client/api";
import { recent } from "../../client/errand";
import { ExpectedError } from "../../client/errors";
import { surveyed } from "../../core/kind";
import { definitions, type KindName } from "../../resources";
import { without } from "../../value";
import type { SomeDefinitions } from "../definition";
import { outputsOf } from "../lookups";

/** Objects as their lookups return them, without properties that may hold secrets. `list` is the service's name for the list. */
function all<Result>(kind: KindName, list: string) {
  const { secretsWhenRead = [] } = definitions[kind].outputs.shape;
  return {
    args: {},
    kind,
    list,
    async ask(api: Api) {
      const began = api.clock.now();
      const objects = await surveyed(definitions[kind], api);
      if (objects === undefined)
        throw new ExpectedError(
          `the service does not list its ${definitions[kind].noun}s`,
          "PODLUMI-INVALID",
        );
      // The reads take the objects from that list.
      const age = api.clock.now() - began + recent;
      const all = await Promise.all(objects.map(({ id }) => outputsOf(kind, api, id, age)));
      return all.flatMap((outputs) => (outputs ? [without(secretsWhenRead, outputs) as Result] : []));
    },
  };
}

export const lists = {
  getPods: all("Pod", "pods"),
  getServerlessEndpoints: all("ServerlessEndpoint", "endpoints"),
  getClusters: all("Cluster", "clusters"),
  getNetworkVolumes: all("NetworkVolume", "networkVolumes"),
  getGlobalVolumes: all("GlobalVolume", "globalVolumes"),
  getTemplates: all("Template", "templates"),
  getSecrets: all("Secret", "secrets"),
  getRegistryAuths: all("RegistryAuth", "registries"),
  getRegistryDelegations: all("RegistryDelegation", "delegations"),
} satisfies SomeDefinitions;
