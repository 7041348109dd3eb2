import { willCarry } from "../../../provider/core/mark/carried";
import { ownerOf } from "../../../provider/core/mark/mark";
import { holdsSecret } from "../../../provider/core/state/secret-value";
import { kindOfUrn } from "../../../provider/identity";
import { at } from "../../../provider/path";
import { definitionOf, type Listed } from "../kinds";
import { nameInMarks, type Pending, type State } from "./state";

/** Why a sweep keeps an object, and the flag with which it takes that, if any. */
export interface Doubt {
  readonly why: string;
  readonly flag?: "--adopted" | "--copies" | "--read";
}

/** The state that has an object. */
export function holderIn(states: readonly State[], { id }: Listed): State | undefined {
  return states.find(({ holders }) => holders.has(id));
}

/** Why an object belongs to a stack: a state has it, or a run is adopting it. Undefined where neither is so. */
export function whyHeld(states: readonly State[], one: Listed): string | undefined {
  const holder = holderIn(states, one);
  if (holder !== undefined) return `it is in the state of ${nameInMarks(holder)}`;
  const adopting = states.filter(({ pending }) => pending.some((create) => adopts(create, one)));
  if (adopting.length === 0) return undefined;
  const next = "`pulumi refresh --clear-pending-creates` there tells whether it has come to an end";
  return `a run of ${namesOf(adopting)} is adopting it, or was interrupted at that: ${next}`;
}

/** The engine writes what a run is about to adopt into the state before it asks podlumi to adopt it. */
function adopts({ urn, adopt }: Pending, { kind, id, name }: Listed): boolean {
  // An id is this object's, whatever package adopts it. A secret in the program may be this one.
  if (adopt === id) return true;
  return kindOfUrn(urn) === kind && (holdsSecret(adopt) || at(adopt, "name") === name);
}

/** The doubt about an object that programs read. */
export function readersOf(states: readonly State[], { id }: Listed): Doubt[] {
  const reading = states.filter(({ reads }) => reads.has(id));
  if (reading.length === 0) return [];
  return [{ why: `the program of ${namesOf(reading)} reads it (\`get\`)`, flag: "--read" }];
}

const namesOf = (states: readonly State[]) => states.map(nameInMarks).join(" and ");

/** An object without a mark that has the name of a pending create, so that an interrupted run may have created it. */
export interface MaybeCreated {
  readonly urn: string;
  readonly one: Listed;
}

/** The objects that the pending creates of states may have created under a name of the program. Where they carry a mark, that tells. */
export function maybeCreated(states: readonly State[], present: readonly Listed[]): MaybeCreated[] {
  return states.flatMap(({ pending }) =>
    pending.flatMap(({ urn, name, adopt, providerId }) => {
      const owner = ownerOf({ __urn: urn, __providerId: providerId });
      const isIt = (one: Listed) =>
        adopt === undefined &&
        one.name === name &&
        kindOfUrn(urn) === one.kind &&
        !willCarry(definitionOf(one.kind), name, owner);
      return present.filter(isIt).map((one) => ({ urn, one }));
    }),
  );
}

/** The sentence about such an object. */
export function whyMaybeCreated({ urn }: MaybeCreated): string {
  return `a run that is under way, or was interrupted, is creating ${urn}, and may have created it`;
}
