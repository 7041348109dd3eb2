import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { pluginTokenOf } from "../../provider/identity";
import { definitions, type KindName } from "../../provider/resources";
import type { Field } from "../../provider/schema/field";
import { samples } from "../kinds";
import { type Facts, type Shape, shapeOf } from "./shape";

/** A part of podlumi that knows a part of the contract. */
export interface Part {
  /** `Pod`, or `getGpuTypes`. */
  readonly name: string;
  /** Where its fields stand. */
  readonly folder: string;
  /** The field table of a kind, with the shape of each argument. */
  readonly fields?: Readonly<Record<string, Field>>;
  readonly takes: Shape;
  /** What it shows of an answer. */
  readonly shows: Shape;
  /** The name of the list in the answer that holds its objects: `pods`. */
  readonly list?: string;
}

/** The functions that read, by their addresses. `list` is set where the function returns the items of that list. */
const functions: Record<string, [address: string, folder: string, list?: string]> = {
  getWorkers: ["/v2/serverless/{id}/workers", "endpoints"],
  getReleases: ["/v2/serverless/{id}/releases", "endpoints"],
  getBuilds: ["/v2/serverless/{id}/builds", "endpoints", "builds"],
  getBuild: ["/v2/serverless/{id}/builds/{buildId}", "endpoints"],
  getGpuTypes: ["/v2/catalog/gpus", "catalog", "gpus"],
  getGpuType: ["/v2/catalog/gpus/{id}", "catalog"],
  getCpuTypes: ["/v2/catalog/cpus", "catalog", "cpus"],
  getCpuType: ["/v2/catalog/cpus/{id}", "catalog"],
  getDataCenters: ["/v2/catalog/datacenters", "catalog", "dataCenters"],
  getDataCenter: ["/v2/catalog/datacenters/{id}", "catalog"],
  getCatalogTemplates: ["/v2/catalog/templates", "lookups", "templates"],
  getBilling: ["/v2/billing", "billing"],
  getPodBilling: ["/v2/billing/pods", "billing"],
  getServerlessBilling: ["/v2/billing/serverless", "billing"],
  getPublicEndpointBilling: ["/v2/billing/endpoints", "billing"],
  getNetworkVolumeBilling: ["/v2/billing/network-volumes", "billing"],
  getClusterBilling: ["/v2/billing/clusters", "billing"],
};

/** Addresses that answer the objects of another kind than their own. */
const others: Record<string, KindName> = { "/v2/pods/{id}/action": "Pod", "/v2/clusters/{id}/pods": "Pod" };

/** Addresses that answer a stream, not an object. */
const streams: Record<string, string> = {
  "/v2/pods/{id}/logs": "provider/client/logs.ts",
  "/v2/serverless/{id}/workers/{workerId}/logs": "provider/client/logs.ts",
};

/** Tags and cost centers, which fields of several kinds attach. Nothing shows more of one than podlumi looks for. */
const labels = /^\/v2\/(tags|cost-centers)(\/|$)/;
const label: Part = {
  name: "labels",
  folder: "provider/resources/labels",
  takes: new Map(),
  shows: new Map(
    ["key", "value", "createdAt", "updatedAt", "resources[]"].map((name) => [name, {}] as const),
  ),
};
const labelLists: Record<string, string> = { "/v2/tags": "tags", "/v2/cost-centers": "costCenters" };

interface PluginSchema {
  resources: Record<string, object>;
  functions: Record<string, { outputs: { properties: Record<string, unknown> } }>;
}

/** All types of outputs stand in the schema of the plugin, which `npm run docs` generates from `types.ts`. */
const plugin = JSON.parse(
  readFileSync(join(__dirname, "../../provider/plugin/schema.json"), "utf8"),
) as PluginSchema;

const typed = (schema: unknown) => shapeOf(schema, plugin);

const folderOf = (kind: string) =>
  `provider/resources/${kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`;

function kindPart(kind: KindName): Part {
  const { fields } = definitions[kind] as { fields: Readonly<Record<string, Field>> };
  const takes: Shape = new Map([["", { type: "object" }]]);
  for (const [name, field] of Object.entries(fields)) {
    const schema = z.toJSONSchema(field.schema, { io: "input", unrepresentable: "any" });
    const optional = field.schema.safeParse(undefined).success;
    for (const [path, facts] of shapeOf(schema, schema)) {
      const rest = path === "" || /^[[{]/.test(path) ? path : `.${path}`;
      takes.set(name + rest, { ...inBounds(facts), ...(path === "" && !optional && { required: true }) });
    }
  }
  const [, list] = samples[kind].contract;
  return {
    name: kind,
    folder: folderOf(kind),
    fields,
    takes,
    shows: typed(plugin.resources[pluginTokenOf(kind)]),
    list,
  };
}

/** Without the limits of JavaScript's whole numbers. */
function inBounds(facts: Facts): Facts {
  const { minimum, maximum, ...rest } = facts;
  return {
    ...rest,
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

function functionPart(name: string): Part {
  const [, folder, list] = functions[name] ?? ["", ""];
  const { properties } = (plugin.functions[pluginTokenOf(name)] ?? missing(name)).outputs;
  // A function that returns a list is one whose outputs hold nothing but that list.
  const [only, ...more] = Object.values(properties);
  const items = (only as { items?: unknown } | undefined)?.items;
  const shows = list !== undefined && more.length === 0 && items !== undefined ? items : { properties };
  return { name, folder: `provider/functions/${folder}`, takes: new Map(), shows: typed(shows), list };
}

function missing(name: string): never {
  throw new Error(`the schema of the plugin has no function ${name}`);
}

const parts = new Map<string, Part>();

/** The part of podlumi that knows an operation such as `GET /v2/pods/{id}`; undefined where podlumi has none. */
export function partOf(operation: string): Part | undefined {
  const address = operation.split(" ")[1] ?? "";
  const stream = streams[address];
  if (stream !== undefined) return { name: "logs", folder: stream, takes: new Map(), shows: new Map() };
  if (labels.test(address)) return { ...label, list: labelLists[address] };
  const [name] = Object.entries(functions).find(([, [place]]) => place === address) ?? [];
  const kind = name === undefined ? kindAt(address) : undefined;
  const key = name ?? kind;
  if (key === undefined) return undefined;
  const known = parts.get(key) ?? (kind === undefined ? functionPart(key) : kindPart(kind));
  parts.set(key, known);
  return known;
}

function kindAt(address: string): KindName | undefined {
  const [kind] =
    Object.entries(samples).find(
      ([
        ,
        {
          contract: [place],
        },
      ]) => address === place || address === `${place}/{id}`,
    ) ?? [];
  return (kind as KindName | undefined) ?? others[address];
}
