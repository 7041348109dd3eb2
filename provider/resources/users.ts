import type { Api } from "../client/api";
import { Shared } from "../client/shared";
import type { CreatedFrom, Loser, ServiceObject, UserByName } from "../core/kind/definition";
import { at } from "../core/path";
import { describe } from "../core/telling";
import { isEmpty, isRecord, type Properties } from "../core/value";
import { secretsNamedIn } from "../known-secrets";
import type { Users } from "./delete-when-free";
import { imageOf } from "./registry-delegation/derived";
import type { RegistryDelegationState } from "./registry-delegation/types";
import { workersOf } from "./serverless-endpoint/rollout";

/** All pods, including those of clusters, at most `age` milliseconds old; without `age`, from a new request. */
export async function pods(api: Api, age?: number): Promise<ServiceObject[]> {
  const all = () => api.rest.list<ServiceObject>("/pods?includeClusterPods=true", "pods");
  const shared = await api.once("all pods", async () => new Shared(all, api.clock));
  return shared.list(age);
}

const named = (noun: string, object: ServiceObject) =>
  isRecord(object.cluster) ? `cluster ${String(object.cluster.id)}` : describe({ noun }, object);

/**
 * The pods, clusters and endpoints that use a template. The service does not always name the template of a pod or an endpoint. The states
 * show which ones the stacks have created from it (`createdFrom`); of all others, the same image makes a suspect of what can be created from it.
 */
export async function usersOfTemplate(
  api: Api,
  id: string,
  { image, serverless }: Properties,
  createdFrom: CreatedFrom,
): Promise<Users> {
  const created = await createdFrom.find();
  const clusters = await api.clusters.list();
  const isMember = ({ cluster }: ServiceObject) => clusters.some((one) => one.id === at(cluster, "id"));
  const alone = (await pods(api)).filter((pod) => !isMember(pod));
  const all = [
    ...alone.map((user) => ({ user, text: named("pod", user), isEndpoint: false })),
    ...(await api.endpoints.list()).map((user) => ({
      user,
      text: named("endpoint", user),
      isEndpoint: true,
    })),
    ...clusters.map((user) => ({ user, text: named("cluster", user), isEndpoint: false })),
  ];
  const naming = all.filter(({ user }) => user.template === id);
  const others = all.filter(({ user }) => user.template === undefined || user.template === null);
  const isCreated = ({ user }: (typeof all)[number]) => created.ids.includes(user.id);
  const alike = others.filter(
    (one) => !isCreated(one) && one.isEndpoint === (serverless === true) && one.user.image === image,
  );
  // Of what retainOnDelete has kept, or a program has adopted, nothing tells from what it was created: its image may be another one by now.
  const isStrange = ({ user, isEndpoint }: (typeof all)[number]) =>
    isEndpoint && serverless === true && !created.told.includes(user.id);
  return {
    users: [
      ...naming.map(({ text }) => text),
      ...others.filter(isCreated).map(({ text }) => `${text}, which was created from it`),
    ],
    suspects: alike.map(({ text }) => `${text}, which has its image`),
    maybeMore: !created.areAll || others.some(isStrange),
  };
}

/** The pods and endpoints that hold a volume. Throttled workers hold it as well. */
export async function usersOfVolume(api: Api, id: string): Promise<Users> {
  const holders = (await losersOfNetworkVolume(api, id)).map(({ object }) => object);
  const workers = async (endpoint: ServiceObject) => {
    const { summary } = await workersOf(api, endpoint.id);
    return `${named("endpoint", endpoint)} with ${summary?.total ?? "?"} workers, ${summary?.throttled ?? "?"} of them throttled`;
  };
  const mounting = (await pods(api)).filter((pod) => at(pod, "mounts", "network", 0, "volumeId") === id);
  return {
    users: [...mounting.map((pod) => named("pod", pod)), ...(await Promise.all(holders.map(workers)))],
  };
}

/** The endpoints that have a volume. Only their workers keep the service from deleting a network volume, and nothing says that of a global one. */
const losersOfVolume =
  (field: "networkVolumes" | "globalVolumes") =>
  async (api: Api, id: string, age?: number): Promise<Loser[]> => {
    const having = ({ [field]: ids }: ServiceObject) => Array.isArray(ids) && ids.includes(id);
    const holders = (await api.endpoints.list(age)).filter(having);
    return holders.map((object) => ({ object, text: named("endpoint", object) }));
  };
export const losersOfNetworkVolume = losersOfVolume("networkVolumes");
export const losersOfGlobalVolume = losersOfVolume("globalVolumes");

/** The endpoints that have a global volume, in words, for where the service refuses its deletion. */
export async function usersOfGlobalVolume(api: Api, id: string): Promise<Users> {
  return { users: (await losersOfGlobalVolume(api, id)).map(({ text }) => text) };
}

/** The pods that pull their image with a credential. They keep the service from deleting it. */
export async function usersOfCredential(api: Api, id: string): Promise<Users> {
  const pulling = (await pods(api)).filter(({ registry }) => registry === id);
  return { users: pulling.map((pod) => named("pod", pod)) };
}

/** The templates and endpoints that name a credential. They lose it when it is deleted. (API: Registry credentials, delete) */
export async function losersOfCredential(api: Api, id: string, age?: number): Promise<Loser[]> {
  const [templates, endpoints] = await Promise.all([api.templates.list(age), api.endpoints.list(age)]);
  const naming = (noun: string, all: readonly ServiceObject[]) =>
    all.filter(({ registry }) => registry === id).map((object) => ({ object, text: named(noun, object) }));
  return [...naming("template", templates), ...naming("endpoint", endpoints)];
}

/**
 * The pods, clusters, endpoints and templates that have the image of a delegation, and no credential for it: without the delegation, nothing
 * pulls it for them. Another delegation of the same image does.
 */
export async function losersOfDelegation(api: Api, id: string, age?: number): Promise<Loser[]> {
  const delegations = (await api.delegations.list(age)).map((one) => ({
    id: one.id,
    image: imageOf(one as unknown as RegistryDelegationState),
  }));
  const image = delegations.find((one) => one.id === id)?.image;
  if (image === undefined || delegations.some((one) => one.id !== id && one.image === image)) return [];
  const [running, endpoints, templates] = await Promise.all([
    pods(api, age),
    api.endpoints.list(age),
    api.templates.list(age),
  ]);
  const pulling = (noun: string, all: readonly ServiceObject[]) =>
    all
      .filter((one) => one.image === image && isEmpty(one.registry))
      .map((one) => ({
        object: { ...one, id: String(at(one, "cluster", "id") ?? one.id) },
        text: named(noun, one),
      }));
  return [...pulling("pod", running), ...pulling("endpoint", endpoints), ...pulling("template", templates)];
}

/** What has variables that refer to a secret by its name: pods, clusters, endpoints and templates, at most `age` milliseconds old. */
export async function usersOfSecrets(api: Api, age: number): Promise<UserByName[]> {
  const found = (noun: string, list: readonly ServiceObject[]) =>
    list.flatMap((user) => {
      const names = isRecord(user.env) ? secretsNamedIn(user.env) : [];
      const id = String(at(user, "cluster", "id") ?? user.id);
      return names.map((name) => ({ id, name, text: named(noun, user) }));
    });
  // The usual list of pods, which a run has, lacks those of clusters.
  const podsOfAll = async () => {
    const hasClusters = (await api.clusters.list(age)).length > 0;
    return hasClusters ? pods(api, age) : api.pods.list(age);
  };
  const [ofPods, ofEndpoints, ofTemplates] = await Promise.all([
    podsOfAll(),
    api.endpoints.list(age),
    api.templates.list(age),
  ]);
  return [...found("pod", ofPods), ...found("endpoint", ofEndpoints), ...found("template", ofTemplates)];
}
