import type { Api } from "../client/api";
import type { ServiceObject } from "../core/kind";
import { describe } from "../core/telling";
import { secretsNamedIn } from "../known-secrets";
import { at } from "../path";
import { isRecord, type Properties } from "../value";
import type { FindUsers } from "./delete-when-free";

type Noun = "pod" | "cluster" | "endpoint" | "template";

/**
 * The pods, clusters and endpoints that use a template. The service does not always name the template of a pod or an endpoint: then the same
 * image makes a suspect of what can be created from it.
 */
export const usersOfTemplate: FindUsers = async (api, id, { image, serverless }) => ({
  users: await among(api, ({ template }) => template === id),
  suspects: await among(
    api,
    (object, noun) =>
      noun !== "template" &&
      (noun === "endpoint") === (serverless === true) &&
      (object.template ?? null) === null &&
      object.image === image,
  ),
});

/** The pods that mount a volume, and the endpoints whose workers do. */
export const usersOfVolume: FindUsers = async (api, id) => ({
  users: await among(
    api,
    (object) => has(object.networkVolumes, id) || at(object, "mounts", "network", 0, "volumeId") === id,
  ),
});

/** The endpoints that have a global volume. */
export const usersOfGlobalVolume: FindUsers = async (api, id) => ({
  users: await among(api, ({ globalVolumes }) => has(globalVolumes, id)),
});

/** The pods, templates and endpoints that name a credential. (API: Registry credentials, delete) */
export const usersOfCredential: FindUsers = async (api, id, _state, age) => ({
  users: await among(api, ({ registry }) => registry === id, age),
});

/** The objects with variables that refer to a secret by its name. (API: Secrets, references) */
export const usersOfSecret: FindUsers = async (api, _id, { name }: Properties, age) => {
  const wanted = String(name).toLowerCase();
  const names = ({ env }: ServiceObject) =>
    isRecord(env) && secretsNamedIn(env).some((one) => one.toLowerCase() === wanted);
  return { users: await among(api, names, age) };
};

const has = (ids: unknown, id: string) => Array.isArray(ids) && ids.includes(id);

/** The objects that pass a test, in words, by lists that are at most `age` milliseconds old. */
async function among(
  api: Api,
  test: (object: ServiceObject, noun: Noun) => boolean,
  age = 0,
): Promise<string[]> {
  const cluster = await api.clusters.list(age);
  const [pod, endpoint, template] = await Promise.all([
    // The usual list of pods, which a run has, lacks those of clusters.
    cluster.length > 0 ? allPods(api, age) : api.pods.list(age),
    api.endpoints.list(age),
    api.templates.list(age),
  ]);
  const found = (noun: Noun, objects: readonly ServiceObject[]) =>
    objects.filter((object) => test(object, noun)).map((object) => inWords(noun, object));
  return [
    ...found("pod", pod),
    ...found("endpoint", endpoint),
    ...found("cluster", cluster),
    ...found("template", template),
  ];
}

const inWords = (noun: Noun, object: ServiceObject) =>
  isRecord(object.cluster) ? `cluster ${String(object.cluster.id)}` : describe({ noun }, object);

/** All pods, including those of clusters, at most `age` milliseconds old; without `age`, from a new request. */
export function allPods(api: Api, age?: number): Promise<ServiceObject[]> {
  const all = () => api.rest.list<ServiceObject>("/pods?includeClusterPods=true", "pods");
  return api.shared<ServiceObject>("all pods", { all }).list(age);
}
