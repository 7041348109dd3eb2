import type { Api } from "../client/api";
import type { ServiceObject } from "../core/kind";
import { describe } from "../core/telling";
import { secretsNamedIn } from "../known-secrets";
import { at } from "../path";
import { isRecord, type Properties } from "../value";
import type { Users } from "./delete-when-free";

const named = (noun: string, object: ServiceObject) =>
  isRecord(object.cluster) ? `cluster ${String(object.cluster.id)}` : describe({ noun }, object);

/**
 * The pods, clusters and endpoints that use a template. The service does not always name the template of a pod or an endpoint: then the same
 * image makes a suspect of what can be created from it.
 */
export async function usersOfTemplate(api: Api, id: string, state: Properties): Promise<Users> {
  const { image, serverless } = state;
  const [running, endpoints, clusters] = await Promise.all([
    allPods(api, 0),
    api.endpoints.list(),
    api.clusters.list(),
  ]);
  const all = [
    ...running.map((user) => ({ user, text: named("pod", user), isEndpoint: false })),
    ...endpoints.map((user) => ({ user, text: named("endpoint", user), isEndpoint: true })),
    ...clusters.map((user) => ({ user, text: named("cluster", user), isEndpoint: false })),
  ];
  const isAlike = ({ user, isEndpoint }: (typeof all)[number]) =>
    (user.template ?? null) === null && isEndpoint === (serverless === true) && user.image === image;
  return {
    users: all.filter(({ user }) => user.template === id).map(({ text }) => text),
    suspects: all.filter(isAlike).map(({ text }) => text),
  };
}

/** The pods that mount a volume, and the endpoints whose workers do. */
export async function usersOfVolume(api: Api, id: string): Promise<Users> {
  const holders = (await api.endpoints.list()).filter((one) => has(one.networkVolumes, id));
  const mounting = (await allPods(api, 0)).filter(
    (pod) => at(pod, "mounts", "network", 0, "volumeId") === id,
  );
  return {
    users: [...mounting.map((pod) => named("pod", pod)), ...holders.map((one) => named("endpoint", one))],
  };
}

/** The endpoints that have a global volume. */
export async function usersOfGlobalVolume(api: Api, id: string): Promise<Users> {
  const holders = (await api.endpoints.list()).filter((one) => has(one.globalVolumes, id));
  return { users: holders.map((one) => named("endpoint", one)) };
}

const has = (ids: unknown, id: string) => Array.isArray(ids) && ids.includes(id);

/** The pods, templates and endpoints that name a credential. (API: Registry credentials, delete) */
export async function usersOfCredential(
  api: Api,
  id: string,
  _state: Properties,
  age?: number,
): Promise<Users> {
  return naming(api, age, ({ registry }) => registry === id);
}

/** What has variables that refer to a secret by its name. (API: Secrets, references) */
export async function usersOfSecret(
  api: Api,
  _id: string,
  { name }: Properties,
  age?: number,
): Promise<Users> {
  const wanted = String(name).toLowerCase();
  return naming(
    api,
    age,
    ({ env }) => isRecord(env) && secretsNamedIn(env).some((one) => one.toLowerCase() === wanted),
  );
}

/** The pods, clusters, endpoints and templates that pass a test, by lists that are at most `age` milliseconds old. */
async function naming(api: Api, age = 0, test: (object: ServiceObject) => boolean): Promise<Users> {
  const [pods, endpoints, templates] = await Promise.all([
    podsOfAll(api, age),
    api.endpoints.list(age),
    api.templates.list(age),
  ]);
  const found = (noun: string, objects: readonly ServiceObject[]) =>
    objects.filter(test).map((object) => named(noun, object));
  return { users: [...found("pod", pods), ...found("endpoint", endpoints), ...found("template", templates)] };
}

/** The usual list of pods, which a run has, lacks those of clusters. */
async function podsOfAll(api: Api, age: number): Promise<ServiceObject[]> {
  const hasClusters = (await api.clusters.list(age)).length > 0;
  return hasClusters ? allPods(api, age) : api.pods.list(age);
}

/** All pods, including those of clusters, at most `age` milliseconds old; without `age`, from a new request. */
export function allPods(api: Api, age?: number): Promise<ServiceObject[]> {
  const all = () => api.rest.list<ServiceObject>("/pods?includeClusterPods=true", "pods");
  return api.shared<ServiceObject>("all pods", { all }).list(age);
}
