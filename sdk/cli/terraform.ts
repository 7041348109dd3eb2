import { isRecord, type Properties } from "../../provider/value";
import type { Kind } from "../v1";
import { CommandError } from "./output";

/** An object of REST v1. */
export interface Old {
  readonly kind: Kind;
  readonly body: unknown;
  /** What Terraform calls it. */
  readonly address?: string;
}

export interface Olds {
  readonly objects: readonly Old[];
  /** The addresses of what is of another kind. */
  readonly others: readonly string[];
}

interface Module {
  readonly resources?: readonly { address: string; mode: string; type: string; values: Properties }[];
  readonly child_modules?: readonly Module[];
}

/** What refers to others comes after them. */
const kinds: Readonly<Record<string, Kind>> = {
  runpod_container_registry_auth: "RegistryAuth",
  runpod_network_volume: "NetworkVolume",
  runpod_template: "Template",
  runpod_endpoint: "ServerlessEndpoint",
  runpod_pod: "Pod",
};

/** What pods and endpoints call otherwise than REST v1. Its readers take a text for a list. */
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

/** The objects of REST v1 in what `terraform show -json` prints; undefined where it is something else. */
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

/** RunPod's resources in what `terraform show -json` prints; undefined where it is something else. */
export function terraformResources(json: unknown): NonNullable<Module["resources"]> | undefined {
  if (!isRecord(json) || !isRecord(json.values) || !isRecord(json.values.root_module)) return undefined;
  return resourcesIn(json.values.root_module);
}

function resourcesIn({ resources = [], child_modules = [] }: Module): NonNullable<Module["resources"]> {
  const own = resources.filter(({ mode, type }) => mode === "managed" && type.startsWith("runpod_"));
  return [...own, ...child_modules.flatMap(resourcesIn)];
}

/** A setting that nobody gave is null there. */
function bodyOf(kind: Kind, values: Properties): Properties {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  if (kind === "NetworkVolume") return Object.fromEntries(given);
  return Object.fromEntries(given.map(([key, value]) => [renamed.get(key) ?? key, value]));
}
