import { candidatesFor, isMarked } from "../../provider/core/owner/pending";
import type { State } from "../../provider/engine/export";
import { kindOfUrn } from "../../provider/identity";
import { inLine } from "../../provider/mask";
import { definitionOf, type Listed } from "./kinds";
import { tell } from "./output";

/** An object without a mark that an interrupted run may have created as a resource: it has the name of a pending create. */
export interface MaybeCreated {
  readonly urn: string;
  readonly one: Listed;
}

/** The objects that the pending creates of states may have created. What carries a mark, that tells. */
export function maybeCreated(states: readonly State[], present: readonly Listed[]): MaybeCreated[] {
  return states
    .flatMap(({ pending }) => pending)
    .filter(({ adopts }) => !adopts)
    .flatMap((pending) => {
      const ofKind = present.filter(({ kind }) => kind === kindOfUrn(pending.urn));
      const [first] = ofKind;
      if (first === undefined || isMarked(definitionOf(first.kind), pending)) return [];
      const objects = ofKind.map(({ object }) => object);
      const found = candidatesFor(definitionOf(first.kind), pending, objects);
      return ofKind.filter(({ object }) => found.includes(object)).map((one) => ({ urn: pending.urn, one }));
    });
}

/** Names them: neither a list of what a stack has nor a sweep has them. */
export function tellOfMaybeCreated(all: readonly MaybeCreated[]): void {
  for (const { urn, one } of all)
    tell(
      `podlumi: leaves out the ${one.kind} ${inLine(one.name)} (${one.id}), which has no mark: a run that is under way, or was interrupted, is ` +
        `creating ${urn}, and may have created it. If it did, write adopt: "${one.id}" there, or delete it`,
    );
}
