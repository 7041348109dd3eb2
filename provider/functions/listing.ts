import type { Api } from "../client/api";
import { ExpectedError } from "../client/errors";
import { path, query } from "../client/rest";
import { didYouMean } from "../did-you-mean";

/** The addresses of the catalog's lists. */
const collections = { gpus: "gpus", cpus: "cpus", dataCenters: "datacenters", templates: "templates" };

type Listing = keyof typeof collections;

const nouns = { gpus: "GPU type", cpus: "CPU flavor", dataCenters: "data center" };

/** The catalog returns stock, and takes filters for it, only when `include` asks for stock. (API: Catalog) */
export function stock(filters: object): object {
  const isAsked = Object.values(filters).some((value) => value !== undefined);
  return isAsked ? { include: "AVAILABILITY", ...filters } : {};
}

/** A list of the catalog is asked for once, but stock changes during a run. */
export function listed<T>(api: Api, listing: Listing, parameters: object): Promise<T[]> {
  const address = `/catalog/${collections[listing]}${query(parameters)}`;
  const list = () => api.rest.list<T>(address, listing);
  return "include" in parameters ? list() : api.once(address, list).then(structuredClone);
}

/** When there is no such entry, the error suggests similar ones. */
export async function entry<T>(
  api: Api,
  listing: keyof typeof nouns,
  id: string,
  parameters: object,
): Promise<T> {
  const single = `${path`/catalog/${collections[listing]}/${id}`}${query(parameters)}`;
  const object = id === "" ? undefined : await api.rest.find<T>(single);
  if (object !== undefined) return object;
  const all = await listed<{ id: string; name: string }>(api, listing, {});
  throw new ExpectedError(
    `the catalog has no ${nouns[listing]} "${id}"${didYouMean(id, all)}`,
    "PODLUMI-NOT-IN-CATALOG",
  );
}
