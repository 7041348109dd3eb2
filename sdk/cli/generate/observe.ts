import type { Api } from "../../../provider/client/api";
import { ExpectedError } from "../../../provider/client/errors";
import { path } from "../../../provider/client/rest";
import type { Observed, ServiceObject } from "../../../provider/core/definition";
import { isEmpty } from "../../../provider/core/value";
import type { KindName } from "../../../provider/identity";
import { readmeOf } from "../../../provider/resources/template/readme";
import { definitionOf } from "../kinds";

/** An object of the account, as its definition reads it. */
export interface Found {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string | undefined;
  readonly observed: Observed;
}

/** What is used comes before what uses it. */
const order: readonly KindName[] = [
  "Secret",
  "RegistryAuth",
  "RegistryDelegation",
  "NetworkVolume",
  "Template",
  "SshKeys",
  "Cluster",
  "Pod",
  "ServerlessEndpoint",
];

/** Everything in the account whose name begins so, in an order in which it can be declared. */
export async function observedIn(api: Api, prefix: string): Promise<Found[]> {
  const kinds = await Promise.all(
    order.map((kind) => (kind === "SshKeys" ? keys(api, prefix) : all(api, kind))),
  );
  return kinds.flat().filter(({ name = "" }) => name.startsWith(prefix));
}

async function all(api: Api, kind: KindName): Promise<Found[]> {
  const listed = (await definitionOf(kind).list(api)) ?? [];
  const found = await Promise.all(listed.map(({ id }) => read(api, kind, id)));
  return found.filter((one) => one !== undefined).sort((a, b) => (a.name ?? "").localeCompare(b.name ?? ""));
}

/** Nothing when it went away meanwhile. */
async function read(api: Api, kind: KindName, id: string): Promise<Found | undefined> {
  const observed = await definitionOf(kind).read(api, id, {});
  if (observed === undefined) return undefined;
  const name = typeof observed.name === "string" ? observed.name : undefined;
  return { kind, id, name, observed: { ...observed, ...(await more(api, kind, id)) } };
}

/** What the definition does not look at unless a program asks for it. */
async function more(api: Api, kind: KindName, id: string): Promise<Observed> {
  if (kind === "Template") {
    // A courtesy: GraphQL may be gone.
    const readme = await readmeOf(api, id).catch((error) => {
      if (error instanceof ExpectedError) return undefined;
      throw error;
    });
    return { readme: readme ?? "" };
  }
  if (kind !== "Cluster") return {};
  // A cluster does not tell its container settings; its pods do.
  const [pod] = await api.rest.list<ServiceObject>(path`/clusters/${id}/pods`, "pods");
  if (pod === undefined) return {};
  const { image, args, disk, env, ports, mounts } = pod;
  return { image, args, disk, env, ports, mounts };
}

/** The account's SSH keys belong to no prefix. */
async function keys(api: Api, prefix: string): Promise<Found[]> {
  if (prefix !== "") return [];
  const observed = await definitionOf("SshKeys").read(api, "ssh-keys", {});
  if (observed === undefined || isEmpty(observed.keys)) return [];
  return [{ kind: "SshKeys", id: "ssh-keys", name: undefined, observed }];
}
