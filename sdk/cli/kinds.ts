import type { Api } from "../../provider/client/api";
import { ExpectedError, errorText } from "../../provider/client/errors";
import { at } from "../../provider/core/check";
import type { Kind as Definition, ServiceObject } from "../../provider/core/definition";
import type { KindName } from "../../provider/identity";
import { definitions } from "../../provider/resources";
import { tell } from "./output";

/** Kinds whose objects the service lists. The account's SSH keys are no objects of their own. */
export type ListedKind = Exclude<KindName, "SshKeys">;

/** What runs comes first, then what it uses: the order in which things can be deleted. */
export const listedKinds: readonly ListedKind[] = [
  "Pod",
  "Cluster",
  "ServerlessEndpoint",
  "Template",
  "NetworkVolume",
  "RegistryAuth",
  "RegistryDelegation",
  "Secret",
];

export const definitionOf = (kind: KindName): Definition => definitions[kind];

/** An object of the account. */
export interface Listed {
  readonly kind: ListedKind;
  readonly id: string;
  readonly name: string;
  /** What the service calls it, or what it amounts to; null where it has none. */
  readonly status: string | null;
  /** USD an hour, null where the service does not say. */
  readonly cost: number | null;
  /** RFC 3339, null where the service does not say. */
  readonly createdAt: string | null;
  /** As the service answers it. */
  readonly object: ServiceObject;
}

/** Everything of some kinds. Of a kind that cannot be listed it is told why, and `complete` is false. */
export async function listed(
  api: Api,
  kinds: readonly ListedKind[],
): Promise<{ all: Listed[]; complete: boolean }> {
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      try {
        const found = await definitionOf(kind).list(api);
        if (found === undefined) tell(`podlumi: the service does not list its ${definitionOf(kind).noun}s`);
        return await Promise.all((found ?? []).map((object) => row(api, kind, object)));
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error;
        tell(`podlumi: ${definitionOf(kind).noun}s cannot be listed: ${errorText(error)}`);
        return undefined;
      }
    }),
  );
  return {
    all: lists.flatMap((list) => list ?? []),
    complete: lists.every((list) => list !== undefined),
  };
}

async function row(api: Api, kind: ListedKind, listed: ServiceObject): Promise<Listed> {
  // The list of clusters does not tell what their pods cost.
  const whole = kind === "Cluster" ? await definitionOf(kind).read(api, listed.id, {}) : undefined;
  const object: ServiceObject = { ...listed, ...whole };
  const { id, name, cost, createdAt } = object;
  return {
    kind,
    id,
    name: String(name ?? ""),
    status: statusOf(kind, object),
    cost: typeof cost === "number" ? cost : null,
    createdAt: typeof createdAt === "string" ? createdAt : null,
    object,
  };
}

function statusOf(kind: ListedKind, object: ServiceObject): string | null {
  switch (kind) {
    case "Pod":
      return String(object.status);
    case "Cluster":
      return Object.entries(Object(at(object, "pods", "byStatus")))
        .map(([status, amount]) => `${amount} ${status}`)
        .join(", ");
    case "ServerlessEndpoint":
      return `${at(object, "workers", "min")} to ${at(object, "workers", "max")} workers`;
    case "NetworkVolume":
      return `${object.size} GB in ${object.dataCenter}`;
    default:
      return null;
  }
}
