import type { Service } from "../service";

/** The lists of the catalog and their addresses. */
const collections = { gpus: "gpus", cpus: "cpus", dataCenters: "datacenters", templates: "templates" };

type Listing = keyof typeof collections;

/** The catalog answers stock, and accepts filters of stock, only when `include` asks for it. (API: Catalog) */
export function stock(filters: object): object {
  return Object.keys(filters).length === 0 ? {} : { include: "AVAILABILITY", ...filters };
}

/** A list of the catalog. It is asked for once per run. Stock changes during a run and is asked for each time. */
export function listed<T>({ api, query }: Service, listing: Listing, parameters: object): Promise<T[]> {
  const path = `/catalog/${collections[listing]}${query(parameters)}`;
  const list = () => api.rest.list<T>(path, listing);
  return "include" in parameters ? list() : api.once(path, list).then(structuredClone);
}

/** One entry of a list. When there is none, the error suggests similar ones. */
export async function entry<T>(
  service: Service,
  listing: Listing,
  id: string,
  parameters: object,
): Promise<T> {
  const { api, path, query, didYouMean, ExpectedError } = service;
  const single = `/catalog/${collections[listing]}${path`/${id}`}${query(parameters)}`;
  const found = id === "" ? undefined : await api.rest.find<T>(single);
  if (found !== undefined) return found;
  const all = await listed<{ id: string; name: string }>(service, listing, {});
  throw new ExpectedError(
    `the catalog has no "${id}" in its ${listing}${didYouMean(id, all)}`,
    "PODLUMI-NOT-IN-CATALOG",
  );
}
