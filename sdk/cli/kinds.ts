import { isWrongKey } from "../../provider/client/allowance";
import type { Api } from "../../provider/client/api";
import { ExpectedError, errorText, isOfAnotherAddress, NoAnswerError } from "../../provider/client/errors";
import { type Kind as Definition, type ServiceObject, surveyed } from "../../provider/core/kind";
import { markOf } from "../../provider/core/mark/carried";
import type { Mark } from "../../provider/core/mark/mark";
import { at } from "../../provider/path";
import { definitions, type KindName } from "../../provider/resources";
import { tell } from "./output";

/** Kinds whose objects the service lists. The account's SSH keys are not separate objects. */
export type ListedKind = Exclude<KindName, "SshKeys">;

export const listedKinds = (Object.keys(definitions) as KindName[]).filter(
  (kind): kind is ListedKind => definitionOf(kind).single !== true,
);

export function definitionOf(kind: KindName): Definition {
  return definitions[kind];
}

/** An object of the account. */
export interface Listed {
  readonly kind: ListedKind;
  readonly id: string;
  readonly name: string;
  /** The status that the service returns, or a summary of the object; null for other kinds. */
  readonly status: string | null;
  /** USD an hour, null where the service does not say. */
  readonly cost: number | null;
  /** RFC 3339, null where the service does not say. */
  readonly createdAt: string | null;
  /** As the service returns it. */
  readonly object: ServiceObject;
}

/** The mark of an object, if it carries one. */
export function markIn({ kind, object }: Pick<Listed, "kind" | "object">): Mark | undefined {
  return markOf(definitionOf(kind), object);
}

/** For this reason no kind can be listed: the key, a wrong address, or a service that nobody reaches. */
function concernsAll(error: ExpectedError): boolean {
  return isWrongKey(error) || isOfAnotherAddress(error) || error instanceof NoAnswerError;
}

/** All objects of some kinds. When listing a kind fails, a message says why, and `complete` is false. */
export async function listed(
  api: Api,
  kinds: readonly ListedKind[],
): Promise<{ all: Listed[]; complete: boolean }> {
  let isTold = false;
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      try {
        const found = await surveyed(definitionOf(kind), api);
        if (found !== undefined) return await Promise.all(found.map((object) => row(api, kind, object)));
        tell(`podlumi: the service does not list its ${definitionOf(kind).noun}s`);
        return undefined;
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error;
        if (!(isTold && concernsAll(error)))
          tell(`podlumi: ${definitionOf(kind).noun}s cannot be listed: ${errorText(error)}`);
        isTold ||= concernsAll(error);
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
  // The list of clusters does not have the costs of their pods.
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
