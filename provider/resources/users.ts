import type { Api } from "../client/api";
import { path } from "../client/rest";
import { Shared } from "../client/shared";
import type { ServiceObject } from "../core/kind/definition";
import { at } from "../core/path";
import { isRecord, type Properties } from "../core/value";

/** All pods, including those of clusters, at most `age` milliseconds old; without `age`, from a new request. */
export async function pods(api: Api, age?: number): Promise<ServiceObject[]> {
  const all = () => api.rest.list<ServiceObject>("/pods?includeClusterPods=true", "pods");
  const shared = await api.once("all pods", async () => new Shared(all, api.clock));
  return shared.list(age);
}

const named = (noun: string, { id, name, cluster }: ServiceObject) =>
  isRecord(cluster) ? `cluster ${String(cluster.id)}` : `${noun} "${String(name)}" (${id})`;

/**
 * The pods and endpoints that use a template. The service does not always name the template of an object, so those that the state shows
 * to be made from it (`madeFrom`), and objects with the same image, are listed as well.
 */
export async function usersOfTemplate(
  api: Api,
  id: string,
  { image }: Properties,
  madeFrom: () => Promise<readonly string[]>,
): Promise<string[]> {
  const made = await madeFrom();
  const isMade = (user: ServiceObject) => made.includes(user.id);
  const uses = (user: ServiceObject) => user.template === id || user.image === image || isMade(user);
  const reason = (user: ServiceObject) => (isMade(user) ? ", which was made from it" : ", by its image");
  const describe = (noun: string, user: ServiceObject) =>
    `${named(noun, user)}${user.template === id ? "" : reason(user)}`;
  return [
    ...(await pods(api)).filter(uses).map((pod) => describe("pod", pod)),
    ...(await api.endpoints.list()).filter(uses).map((endpoint) => describe("endpoint", endpoint)),
  ];
}

/** The pods and endpoints that hold a volume. Throttled workers hold it as well. */
export async function usersOfVolume(api: Api, id: string): Promise<string[]> {
  const holders = (await api.endpoints.list()).filter(
    ({ networkVolumes }) => Array.isArray(networkVolumes) && networkVolumes.includes(id),
  );
  const workers = async (endpoint: ServiceObject) => {
    const { summary } = await api.rest.get<{ summary?: Record<string, number> }>(
      path`/serverless/${endpoint.id}/workers`,
    );
    return `${named("endpoint", endpoint)} with ${summary?.total ?? "?"} workers, ${summary?.throttled ?? "?"} of them throttled`;
  };
  return [
    ...(await pods(api))
      .filter((pod) => at(pod, "mounts", "network", 0, "volumeId") === id)
      .map((pod) => named("pod", pod)),
    ...(await Promise.all(holders.map(workers))),
  ];
}

/** The endpoints that have a global volume. */
export async function usersOfGlobalVolume(api: Api, id: string): Promise<string[]> {
  return (await api.endpoints.list())
    .filter(({ globalVolumes }) => Array.isArray(globalVolumes) && globalVolumes.includes(id))
    .map((endpoint) => named("endpoint", endpoint));
}

/** The pods that pull their image with a credential. */
export async function usersOfCredential(api: Api, id: string): Promise<string[]> {
  return (await pods(api)).filter(({ registry }) => registry === id).map((pod) => named("pod", pod));
}
