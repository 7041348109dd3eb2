import type { Api } from "../client/api";
import type { Ask, Warnings } from "../core/kind";
import { didYouMean, oneOf } from "../did-you-mean";
import { at, type Path } from "../path";
import { type Failure, failures, invalid } from "../schema/failure";
import { isRecord, isUnknown, type Properties } from "../value";
import { cpus, dataCenters, type Entry, gpus, gpusIn, type List, pools } from "./catalog";
import { isGpuPool } from "./container";

/** An objection of the catalog to the inputs; undefined without one. */
type Check = Promise<Failure | undefined>;

/** The lists by the arguments that need them, of all kinds. */
const lists = { gpu: gpus, compute: gpus, cpu: cpus, dataCenter: dataCenters, dataCenterIds: dataCenters };

function warningsBy(about: readonly string[], checks: (api: Api, inputs: Properties) => Check[]): Warnings {
  return { about, lists, find: async (api, inputs) => failures(await Promise.all(checks(api, inputs))) };
}

/** Checks the single place of a pod, or each of its `placements`. (API: Pods, create) */
export const podWarnings = warningsBy(
  ["gpu", "cpu", "cloud", "dataCenterIds", "placements", "globalNetworking"],
  (api, inputs) =>
    (inputs.placements === undefined ? [[]] : items(inputs, "placements")).flatMap((place) => [
      unlisted(api, gpus, inputs, [...place, "gpu", "id"]),
      tooMany(api, inputs, [...place, "gpu", "id"], [...place, "gpu", "count"], [...place, "cloud"]),
      ...unlistedCpu(api, inputs, [...place, "cpu"]),
      ...unlistedDataCenters(api, inputs, [...place, "dataCenterIds"]),
      notNetworked(api, inputs, [...place, "dataCenterIds"]),
      notOffered(api, inputs, [...place, "gpu", "id"], [...place, "dataCenterIds"], [...place, "cloud"]),
    ]),
);

/** Excluded types must be in the pools. (API: Serverless, create) */
export const endpointWarnings = warningsBy(["gpu", "cpu", "dataCenterIds"], (api, inputs) => {
  const paths = items(inputs, "gpu", "pools");
  const wanted = paths.map((path) => known(inputs, path));
  const [types, where] = wanted.includes(undefined)
    ? [gpus, ""]
    : [gpusIn(wanted), ` in ${wanted.join(", ")}`];
  return [
    ...paths.map((path) => unlisted(api, pools, inputs, path)),
    ...items(inputs, "gpu", "excludedTypes").map((path) => unlisted(api, types, inputs, path, where)),
    tooManyInAny(api, inputs, types, where),
    ...items(inputs, "cpu").flatMap((path) => unlistedCpu(api, inputs, path)),
    ...unlistedDataCenters(api, inputs, ["dataCenterIds"]),
  ];
});

/** (API: Clusters, create) */
export const clusterWarnings = warningsBy(["compute", "dataCenterIds"], (api, inputs) => [
  unlisted(api, gpus, inputs, ["compute", "gpuTypeId"]),
  tooMany(api, inputs, ["compute", "gpuTypeId"], ["compute", "gpuCountPerPod"]),
  ...unlistedDataCenters(api, inputs, ["dataCenterIds"]),
  notOffered(api, inputs, ["compute", "gpuTypeId"], ["dataCenterIds"]),
]);

/** (API: Network volumes) */
export const networkVolumeWarnings = warningsBy(["dataCenter", "type"], (api, inputs) => [
  unlisted(api, dataCenters, inputs, ["dataCenter"]),
  missingTier(api, inputs),
]);

/** Says which pool has the GPU that a program gives to an endpoint as to a pod: `gpu: { id: "NVIDIA L4" }`. */
export async function gpuInsteadOfPools({ gpu }: Properties, ask: Ask): Promise<Failure | undefined> {
  const id = known({ gpu }, isRecord(gpu) ? ["gpu", "id"] : ["gpu"]);
  if (id === undefined || at(gpu, "pools") !== undefined) return undefined;
  const type = (await ask(gpus))?.find((entry) => entry.id === id || entry.name === id);
  // A text may be a pool.
  if (type === undefined && !isRecord(gpu)) return undefined;
  return invalid(["gpu"], `takes GPU pools, not a GPU${hint(type, JSON.stringify(id))}`);
}

function hint(type: Entry | undefined, gpu: string): string {
  if (type === undefined) return ": write { pools: [...] }; `npx podlumi gpus` shows the pool of each GPU";
  return typeof type.pool === "string"
    ? `: write { pools: [${JSON.stringify(type.pool)}] }, the pool that has ${gpu}`
    : `, and the catalog has no pool with ${gpu}`;
}

/** Says which GPU types are in a pool that a program gives to a pod as to an endpoint: `gpu: { id: "ADA_24" }`. */
export async function poolInsteadOfGpu(inputs: Properties, ask: Ask): Promise<Failure | undefined> {
  const places = [[], ...items(inputs, "placements")].map((place) => [...place, "gpu", "id"]);
  const path = places.find((one) => isGpuPool(at(inputs, ...one)));
  const types = (path && (await ask(gpusIn([at(inputs, ...path)])))) ?? [];
  if (path === undefined || types.length === 0) return undefined;
  const ids = oneOf(types.map(({ id }) => id));
  return invalid(path, `takes a GPU type, and "${at(inputs, ...path)}" is a pool of them: write ${ids}`);
}

/** Warns of an id that the list lacks. An empty list proves nothing. */
async function unlisted(api: Api, list: List, inputs: Properties, path: Path, where = ""): Check {
  const id = known(inputs, path);
  const entries = id === undefined ? [] : await list(api);
  if (id === undefined || entries.length === 0 || entries.some((entry) => entry.id === id)) return undefined;
  return invalid(path, `the catalog has no "${id}"${where}${didYouMean(id, entries)}`);
}

function unlistedDataCenters(api: Api, inputs: Properties, path: Path): Check[] {
  return items(inputs, ...path).map((item) => unlisted(api, dataCenters, inputs, item));
}

/** Warns of a GPU that none of the chosen data centers offers, and another one does: in the Secure cloud, for which the catalog tells. */
async function notOffered(api: Api, inputs: Properties, idPath: Path, path: Path, cloudPath?: Path): Check {
  const id = known(inputs, idPath);
  const cloud = cloudPath && at(inputs, ...cloudPath);
  if (id === undefined || (cloud ?? "SECURE") !== "SECURE") return undefined;
  const offers = ({ gpuAvailability }: Entry) =>
    Array.isArray(gpuAvailability) && gpuAvailability.some((gpu) => at(gpu, "id") === id);
  const lacking = await lackingIn(api, inputs, path, offers);
  if (lacking === undefined) return undefined;
  const offering = (await dataCenters(api)).filter(offers).map((one) => one.id);
  if (offering.length === 0) return undefined;
  return invalid(path, `the catalog has no "${id}" in ${oneOf(lacking)}, but in ${oneOf(offering.sort())}`);
}

/** Warns of global networking where none of the chosen data centers has it. (API: Pods, create) */
async function notNetworked(api: Api, inputs: Properties, path: Path): Check {
  if (at(inputs, "globalNetworking", "enabled") !== true) return undefined;
  const lacking = await lackingIn(api, inputs, path, ({ globalNetwork }) => globalNetwork !== false);
  return lacking && invalid(path, `the catalog has no global networking in ${oneOf(lacking)}`);
}

/** The chosen data centers, if each of them lacks something. What is not known yet, or not in the catalog, may have it. */
async function lackingIn(
  api: Api,
  inputs: Properties,
  path: Path,
  has: (dataCenter: Entry) => boolean,
): Promise<readonly unknown[] | undefined> {
  const chosen = items(inputs, ...path).map((item) => known(inputs, item));
  const all = chosen.length === 0 ? [] : await dataCenters(api);
  const lacking = chosen.filter((one) => all.some((entry) => entry.id === one && !has(entry)));
  return chosen.length > 0 && lacking.length === chosen.length ? lacking : undefined;
}

function unlistedCpu(api: Api, inputs: Properties, path: Path): Check[] {
  return [unlisted(api, cpus, inputs, [...path, "id"]), notInSize(api, inputs, path)];
}

/** Warns of a number of vCPUs that the CPU is not to be had with. (API: Catalog) */
async function notInSize(api: Api, inputs: Properties, path: Path): Check {
  const id = known(inputs, [...path, "id"]);
  const count = at(inputs, ...path, "vcpuCount");
  if (id === undefined || typeof count !== "number") return undefined;
  const { min, max } = Object((await cpus(api)).find((entry) => entry.id === id)?.vcpu) as Properties;
  if (!(count < Number(min) || count > Number(max))) return undefined;
  return invalid([...path, "vcpuCount"], `the catalog has "${id}" with ${min} to ${max} vCPUs, not ${count}`);
}

/** Warns of more GPUs than a machine of the cloud has, or of a GPU that the cloud lacks. Unknown means either cloud. */
async function tooMany(api: Api, inputs: Properties, idPath: Path, countPath: Path, cloudPath?: Path): Check {
  const id = known(inputs, idPath);
  const gpu = id === undefined ? undefined : (await gpus(api)).find((entry) => entry.id === id);
  if (gpu === undefined) return undefined;
  const cloud = cloudPath && (at(inputs, ...cloudPath) ?? "SECURE");
  const either = cloud === undefined || isUnknown(cloud);
  const clouds = either ? ["secure", "community"] : [String(cloud).toLowerCase()];
  const where = either ? "" : ` in the ${String(cloud)} cloud`;
  if (clouds.every((one) => gpu[one] === false)) return invalid(idPath, `the catalog has no "${id}"${where}`);
  const most = Math.max(...clouds.map((one) => Number(at(gpu, "maxCount", one))));
  const count = at(inputs, ...countPath);
  if (typeof count !== "number" || !(most > 0) || count <= most) return undefined;
  return invalid(countPath, `the catalog's largest machine with "${id}"${where} has ${most}, not ${count}`);
}

/** Warns of more GPUs than any machine with one of these has. */
async function tooManyInAny(api: Api, inputs: Properties, types: List, where: string): Check {
  const count = at(inputs, "gpu", "count");
  if (typeof count !== "number" || count === 1) return undefined;
  const sizes = (await types(api)).flatMap(({ maxCount }) => Object.values(Object(maxCount)).map(Number));
  const most = Math.max(0, ...sizes);
  if (!(most > 0) || count <= most) return undefined;
  return invalid(["gpu", "count"], `the catalog's largest machine${where} has ${most} GPUs, not ${count}`);
}

/** Warns of a storage tier that the data center lacks, or of a data center without network volumes. */
async function missingTier(api: Api, inputs: Properties): Check {
  const id = known(inputs, ["dataCenter"]);
  const place = id === undefined ? undefined : (await dataCenters(api)).find((entry) => entry.id === id);
  const tiers = place?.networkVolumeTypes;
  if (!Array.isArray(tiers)) return undefined;
  if (tiers.length === 0) return invalid(["dataCenter"], `the catalog has no network volumes in "${id}"`);
  const type = known(inputs, ["type"]);
  if (type === undefined || tiers.includes(type)) return undefined;
  return invalid(["type"], `the catalog has no "${type}" in "${id}", but ${oneOf(tiers)}`);
}

/** The text at a path; undefined when it is missing or not known yet. */
function known(inputs: Properties, path: Path): string | undefined {
  const value = at(inputs, ...path);
  return typeof value === "string" && !isUnknown(value) ? value : undefined;
}

/** The paths of a list's items. */
function items(inputs: Properties, ...path: Path): Path[] {
  const value = at(inputs, ...path);
  return Array.isArray(value) ? value.map((_item, index) => [...path, index]) : [];
}
