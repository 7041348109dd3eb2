import type { Api } from "../client/api";
import type { ServiceObject } from "../core/kind";
import { describe } from "../core/telling";
import { secretsNamedIn } from "../known-secrets";
import { at } from "../path";
import { isRecord, type Properties } from "../value";

/** A pod, cluster, endpoint or template uses the object with this id and state; `maybe` where the service does not tell. */
export type Uses = (user: ServiceObject, id: string, state: Properties, noun: string) => boolean | "maybe";

export interface Users {
  /** In words. */
  readonly users: readonly string[];
  /** Others that may use it, where the service does not tell. */
  readonly suspects: readonly string[];
}

export const nobody: Users = { users: [], suspects: [] };

/**
 * The pods, clusters and endpoints that use a template. The service does not always name the template of a pod or an endpoint: then the same
 * image makes a suspect of what can be created from it.
 */
export const usesTemplate: Uses = (user, id, { image, serverless }, noun) => {
  if (user.template === id) return true;
  const isOfProduct = noun !== "template" && (noun === "endpoint") === (serverless === true);
  return isOfProduct && (user.template ?? null) === null && user.image === image && "maybe";
};

/** The pods that mount a volume, and the endpoints whose workers do. */
export const usesVolume: Uses = (user, id) =>
  has(user.networkVolumes, id) || at(user, "mounts", "network", 0, "volumeId") === id;

/** The endpoints that have a global volume. */
export const usesGlobalVolume: Uses = ({ globalVolumes }, id) => has(globalVolumes, id);

/** The pods, templates and endpoints that name a credential. (API: Registry credentials, delete) */
export const usesCredential: Uses = ({ registry }, id) => registry === id;

/** The objects with variables that refer to a secret by its name. (API: Secrets, references) */
export const usesSecret: Uses = ({ env }, _id, { name }) =>
  isRecord(env) && secretsNamedIn(env).some((named) => named.toLowerCase() === String(name).toLowerCase());

const has = (ids: unknown, id: string) => Array.isArray(ids) && ids.includes(id);

/** Finds the users of an object in lists that are at most `age` milliseconds old. */
export async function usersOf(api: Api, uses: Uses, id: string, state: Properties, age = 0): Promise<Users> {
  const cluster = await api.clusters.list(age);
  const [pod, endpoint, template] = await Promise.all([
    // The usual list of pods, which a run has, lacks those of clusters.
    cluster.length > 0 ? allPods(api, age) : api.pods.list(age),
    api.endpoints.list(age),
    api.templates.list(age),
  ]);
  const lists = Object.entries({ pod, endpoint, cluster, template });
  const inWords = (noun: string, user: ServiceObject) =>
    isRecord(user.cluster) ? `cluster ${String(user.cluster.id)}` : describe({ noun }, user);
  const usersBy = (answer: true | "maybe") =>
    lists.flatMap(([noun, list]) =>
      list.filter((user) => uses(user, id, state, noun) === answer).map((user) => inWords(noun, user)),
    );
  return { users: [...new Set(usersBy(true))], suspects: [...new Set(usersBy("maybe"))] };
}

/** All pods, including those of clusters, at most `age` milliseconds old; without `age`, from a new request. */
export function allPods(api: Api, age?: number): Promise<ServiceObject[]> {
  const all = () => api.rest.list<ServiceObject>("/pods?includeClusterPods=true", "pods");
  return api.shared<ServiceObject>("all pods", { all }).list(age);
}
