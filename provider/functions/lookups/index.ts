import type { Api } from "../../client/api";
import { recent } from "../../client/errand";
import { ExpectedError } from "../../client/errors";
import { type Kind, type Observed, surveyed } from "../../core/kind";
import { nothingWithId } from "../../core/telling";
import { nearestName } from "../../did-you-mean";
import { definitions, type KindName } from "../../resources";
import { without } from "../../value";
import { type Definitions, text } from "../definition";
import type { LookupArgs } from "./types";

/** At most `age` milliseconds old; undefined when there is no such object. */
async function outputsOf(kind: KindName, api: Api, id: string, age?: number): Promise<Observed | undefined> {
  const { read, outputs }: Kind = definitions[kind];
  const object = await read(api, id, {}, { age });
  if (object === undefined) return undefined;
  // A read returns a readme only for a state with a readme, and a revision is of the settings in a program.
  const { readme, revision, ...all } = { ...object, ...outputs.derive?.({}, object) };
  return all;
}

/** Asks the service each time, because the program may create or change the object during the run. */
function lookup<Result extends { id: string }>(kind: KindName) {
  const { noun, list }: Kind = definitions[kind];
  return {
    args: { id: text.optional(), name: text.optional() },
    kind,
    async ask(api: Api, args: LookupArgs) {
      if (!args.id === !args.name)
        throw new ExpectedError(`give the id or the name of the ${noun}, one of them`, "PODLUMI-INVALID");
      const all = args.id ? [] : await list(api);
      if (all === undefined)
        throw new ExpectedError(`the service does not list its ${noun}s: give the id`, "PODLUMI-INVALID");
      const ids = all.filter(({ name }) => name === args.name).map(({ id }) => id);
      if (ids.length > 1) {
        const several = `${ids.length} ${noun}s have the name "${args.name}": ${ids.join(", ")}`;
        throw new ExpectedError(`${several}. Give the id of the one that is meant`, "PODLUMI-AMBIGUOUS");
      }
      const id = args.id || ids[0];
      const outputs = id ? await outputsOf(kind, api, id) : undefined;
      if (outputs !== undefined) return outputs as Result;
      const similar = nearestName(String(args.name), all) || ": `npx podlumi ls` lists what there is";
      const nothing = args.id
        ? await nothingWithId(definitions[kind], api, args.id)
        : `there is no ${noun} with the name "${args.name}" in this account${similar}`;
      throw new ExpectedError(nothing, "PODLUMI-NOT-FOUND");
    },
  };
}

/** Objects as their lookups return them, without properties that may hold secrets. `list` is the service's name for the list. */
function listOf<Result>(kind: KindName, list: string) {
  const { noun, outputs }: Kind = definitions[kind];
  return {
    args: {},
    kind,
    list,
    async ask(api: Api) {
      const began = api.clock.now();
      const objects = await surveyed(definitions[kind], api);
      if (objects === undefined)
        throw new ExpectedError(`the service does not list its ${noun}s`, "PODLUMI-INVALID");
      // The reads take the objects from that list.
      const age = api.clock.now() - began + recent;
      const all = await Promise.all(objects.map(({ id }) => outputsOf(kind, api, id, age)));
      const { secretsWhenRead = [] } = outputs.shape;
      return all.flatMap((object) => (object ? [without(secretsWhenRead, object) as Result] : []));
    },
  };
}

export const lookups = {
  getPod: lookup("Pod"),
  getServerlessEndpoint: lookup("ServerlessEndpoint"),
  getCluster: lookup("Cluster"),
  getNetworkVolume: lookup("NetworkVolume"),
  getGlobalVolume: lookup("GlobalVolume"),
  getTemplate: lookup("Template"),
  getSecret: lookup("Secret"),
  getRegistryAuth: lookup("RegistryAuth"),
  getRegistryDelegation: lookup("RegistryDelegation"),
  getPods: listOf("Pod", "pods"),
  getServerlessEndpoints: listOf("ServerlessEndpoint", "endpoints"),
  getClusters: listOf("Cluster", "clusters"),
  getNetworkVolumes: listOf("NetworkVolume", "networkVolumes"),
  getGlobalVolumes: listOf("GlobalVolume", "globalVolumes"),
  getTemplates: listOf("Template", "templates"),
  getSecrets: listOf("Secret", "secrets"),
  getRegistryAuths: listOf("RegistryAuth", "registries"),
  getRegistryDelegations: listOf("RegistryDelegation", "delegations"),
} satisfies Partial<Definitions>;
