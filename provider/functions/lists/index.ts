import type { Api } from "../../client/api";
import { ExpectedError } from "../../client/errors";
import { recent } from "../../client/proof";
import { surveyed } from "../../core/kind";
import { definitions, type KindName } from "../../resources";
import { without } from "../../value";
import type { Definitions } from "../definition";
import { outputsOf } from "../lookups";
import type { ListFunctions } from "../signatures";

/** Every object as its lookup returns it, without what may hold secrets. `list` is what the service calls the list. */
function all<Result>(kind: KindName, list: string) {
  const { secretsWhenRead = [] } = definitions[kind].outputs.shape;
  return {
    args: {},
    kind,
    list,
    async ask(api: Api) {
      const asked = api.clock.now();
      const objects = await surveyed(definitions[kind], api);
      if (objects === undefined)
        throw new ExpectedError(
          `the service does not list its ${definitions[kind].noun}s`,
          "PODLUMI-INVALID",
        );
      // The reads take the objects from that list.
      const age = api.clock.now() - asked + recent;
      const found = await Promise.all(objects.map(({ id }) => outputsOf(kind, api, id, age)));
      return found.flatMap((one) => (one === undefined ? [] : [without(secretsWhenRead, one) as Result]));
    },
  };
}

/** The functions that list the objects of the account. */
export const lists: Definitions<ListFunctions> = {
  getPods: all("Pod", "pods"),
  getServerlessEndpoints: all("ServerlessEndpoint", "endpoints"),
  getClusters: all("Cluster", "clusters"),
  getNetworkVolumes: all("NetworkVolume", "networkVolumes"),
  getGlobalVolumes: all("GlobalVolume", "globalVolumes"),
  getTemplates: all("Template", "templates"),
  getSecrets: all("Secret", "secrets"),
  getRegistryAuths: all("RegistryAuth", "registries"),
  getRegistryDelegations: all("RegistryDelegation", "delegations"),
};
