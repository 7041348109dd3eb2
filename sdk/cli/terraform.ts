import { isRecord, type Properties } from "../../provider/value";
import type { Kind } from "../v1";
import { CommandError } from "./output";

/** An object of REST v1. */
export interface Old {
  readonly kind: Kind;
  readonly body: unknown;
  /** Its name in Terraform. */
  readonly address?: string;
}

export interface Olds {
  readonly objects: readonly Old[];
  /** The addresses of what is of another kind. */
  readonly others: readonly string[];
}

/** A resource of Terraform, with its settings by name. */
interface Resource {
  readonly address: string;
  readonly mode: string;
  readonly type: string;
  readonly values: Properties;
}

/** In what `terraform show -json` prints. */
interface Module {
  readonly resources?: readonly Resource[];
  readonly child_modules?: readonly Module[];
}

/** In a state file. `count` and `for_each` make several instances of one resource. */
interface InFile {
  readonly module?: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly index_key?: number | string; readonly attributes: Properties }[];
}

/** A kind comes after those that it refers to. */
const kinds: Readonly<Record<string, Kind>> = {
  runpod_container_registry_auth: "RegistryAuth",
  runpod_network_volume: "NetworkVolume",
  runpod_template: "Template",
  runpod_endpoint: "ServerlessEndpoint",
  runpod_pod: "Pod",
};

/** Names of pods and endpoints that differ from REST v1. Its readers take a text for a list. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["data_center_id", "data_center_ids"],
  ["gpu_type_id", "gpu_type_ids"],
]);

/** Resources of version 2 of the provider, and settings: a state has them all, null or not. */
const newer: ReadonlySet<string> = new Set([
  "runpod_account_ssh_keys",
  "runpod_registry",
  "runpod_registry_delegation",
  "runpod_serverless_endpoint",
  "image",
  "data_center",
]);

/** The objects of REST v1 in a state of Terraform; undefined where it is something else. */
export function terraformState(json: unknown): Olds | undefined {
  const resources = terraformResources(json);
  if (resources === undefined) return undefined;
  const order = Object.keys(kinds);
  const all = resources.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
  if (all.some(({ type, values }) => [type, ...Object.keys(values)].some((name) => newer.has(name))))
    throw new CommandError(
      "the state is of version 2 of Terraform's provider, which does not have the names of REST v1: " +
        "`npx podlumi generate --adopt --state FILE --out infra` writes a program for what it has",
    );
  const objects = all.flatMap(({ address, type, values }) => {
    const kind = kinds[type];
    return kind === undefined ? [] : [{ kind, body: bodyOf(kind, values), address }];
  });
  return { objects, others: all.filter(({ type }) => !(type in kinds)).map(({ address }) => address) };
}

/** RunPod's resources in a state file, or in what `terraform show -json` prints; undefined where it is something else. */
export function terraformResources(json: unknown): readonly Resource[] | undefined {
  if (!isRecord(json)) return undefined;
  const isFile = json.version === 4 && Array.isArray(json.resources);
  const all = isFile ? inFile(json.resources as InFile[]) : shown(json.values);
  return all?.filter(({ mode, type }) => mode === "managed" && type.startsWith("runpod_"));
}

/** Version 4 of the format, which Terraform has written since 0.12, and OpenTofu. */
function inFile(resources: readonly InFile[]): Resource[] {
  return resources.flatMap(({ module, mode, type, name, instances }) =>
    instances.map(({ index_key, attributes }) => {
      const address = [module, type, name].filter((part) => part !== undefined).join(".");
      const index = index_key === undefined ? "" : `[${JSON.stringify(index_key)}]`;
      return { address: `${address}${index}`, mode, type, values: attributes };
    }),
  );
}

function shown(values: unknown): readonly Resource[] | undefined {
  return isRecord(values) && isRecord(values.root_module) ? inModule(values.root_module) : undefined;
}

function inModule({ resources = [], child_modules = [] }: Module): readonly Resource[] {
  return [...resources, ...child_modules.flatMap(inModule)];
}

/** A setting that nobody gave is null there. */
function bodyOf(kind: Kind, values: Properties): Properties {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  if (kind === "NetworkVolume") return Object.fromEntries(given);
  return Object.fromEntries(given.map(([key, value]) => [renamed.get(key) ?? key, value]));
}
