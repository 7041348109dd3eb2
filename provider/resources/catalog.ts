import type { Api } from "../client/api";
import { inTime } from "../client/clock";
import { undefinedIfExpected } from "../client/errors";
import type { Named } from "../did-you-mean";
import { isRecord, type Properties } from "../value";

export type List = (api: Api) => Promise<readonly Entry[]>;

/** An entry of the catalog. Its fields besides the names depend on the list. */
export type Entry = Named & Properties;

/** Milliseconds to wait for a list of the catalog. */
const patience = 3_000;

/** A list of the catalog, requested once per process. Empty when it does not arrive in time. (API: Catalog) */
function list(path: string, key: string): List {
  return (api) =>
    api.once(`all of ${path}`, async () => {
      const entries = await inTime(patience, api.rest.list<unknown>(path, key).catch(undefinedIfExpected));
      return (entries ?? []).filter(
        (entry): entry is Entry => isRecord(entry) && typeof entry.id === "string",
      );
    });
}

export const gpus = list("/catalog/gpus", "gpus");
export const cpus = list("/catalog/cpus", "cpus");
export const dataCenters = list("/catalog/datacenters?include=GPU_AVAILABILITY", "dataCenters");

/**
 * The catalog has no list of pools: its GPUs name them. For a GPU in place of a pool, the warning suggests its pool.
 */
export const pools: List = async (api) =>
  (await gpus(api)).flatMap(({ id, name, pool }) =>
    typeof pool === "string" ? [id, name].map((other) => ({ id: pool, name: other })) : [],
  );

/** The GPU types of some pools. */
export function gpusIn(wanted: readonly unknown[]): List {
  return async (api) => (await gpus(api)).filter(({ pool }) => wanted.includes(pool));
}

/** A data center has global networking. One that is not in the catalog may have it. */
export async function isNetworked(api: Api, id: unknown): Promise<boolean> {
  return (await dataCenters(api)).find((entry) => entry.id === id)?.globalNetwork !== false;
}
