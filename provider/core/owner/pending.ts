import type { Pending } from "../../engine/export";
import type { Kind, ServiceObject } from "../kind/definition";
import { type Owner, ownerOf } from "../kind/mark";
import { carries, willCarry } from "../kind/ownership";

/** The owner in the mark of what an interrupted run was creating. */
function markerOf({ urn, marker }: Pending): Owner | undefined {
  return ownerOf({ __urn: urn, __stack: marker });
}

/** Whether what an interrupted run was creating carries a mark; otherwise its name alone tells it. */
export function isMarked(kind: Kind, pending: Pending): boolean {
  return typeof pending.name !== "string" || willCarry(kind, pending.name, markerOf(pending));
}

/** What an interrupted run may have created: by the mark or, where it carries none, by the name. */
export function candidatesFor(kind: Kind, pending: Pending, all: readonly ServiceObject[]): ServiceObject[] {
  const owner = markerOf(pending);
  return isMarked(kind, pending)
    ? all.filter((object) => owner !== undefined && carries(kind, object, owner))
    : all.filter(({ name }) => name === pending.name);
}
