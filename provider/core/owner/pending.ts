import type { Pending } from "../../engine/export";
import type { Kind, ServiceObject } from "../kind/definition";
import { type Owner, ownerOf } from "../kind/mark";
import { carries, markOf, willCarry } from "../kind/ownership";
import { holdsSecret } from "../kind/secret-value";

/** The owner in the mark of what an interrupted run was creating. */
function markerOf({ urn, marker }: Pending): Owner | undefined {
  return ownerOf({ __urn: urn, __stack: marker });
}

/**
 * Whether what an interrupted run was creating carries a mark; otherwise its name alone tells it. What the program keeps secret is a name of its
 * own.
 */
export function isMarked(kind: Kind, pending: Pending): boolean {
  if (holdsSecret(pending.name)) return kind.mark !== undefined;
  return typeof pending.name !== "string" || willCarry(kind, pending.name, markerOf(pending));
}

/**
 * What an interrupted run may have created: by the mark or, where it carries none, by the name. A secret name, the state does not tell: then it
 * may be anything without a mark.
 */
export function candidatesFor(kind: Kind, pending: Pending, all: readonly ServiceObject[]): ServiceObject[] {
  const owner = markerOf(pending);
  if (isMarked(kind, pending))
    return all.filter((object) => owner !== undefined && carries(kind, object, owner));
  return holdsSecret(pending.name)
    ? all.filter((object) => markOf(kind, object) === undefined)
    : all.filter(({ name }) => name === pending.name);
}
