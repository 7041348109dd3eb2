import { adoption } from "../../../provider/core/mark/mark";
import { type Standing, standingOf } from "../../../provider/core/own/standing";
import { definitionOf, type Listed, markIn } from "../kinds";
import type { State } from "./state";
import { type Doubt, holderIn, readersOf, whyHeld } from "./uses";

/** A stack that asks what an object is to it. */
export interface StackAsker {
  /** The digits of its marks. */
  readonly own: ReadonlySet<string>;
  /** The digits of the marks that other stacks give, by their states. */
  readonly ofOthers: ReadonlySet<string>;
  /** All states that Pulumi shows, its own too. */
  readonly states: readonly State[];
}

/** The standing of an object to a stack. An object in any state is held, also in the stack's own: it is not left over. */
export function standingFor({ own, ofOthers, states }: StackAsker, one: Listed): Standing {
  return standingOf(one.object, {
    kind: definitionOf(one.kind),
    isOwn: ({ digits }) => own.has(digits.stack) && !ofOthers.has(digits.stack),
    holderOf: () => whyHeld(states, one),
  });
}

/** Everything that makes a sweep keep an object of this standing which is in no state. */
export function doubtsAbout(states: readonly State[], one: Listed, standing: Standing): Doubt[] {
  if (standing.is === "held by") return holderIn(states, one) === undefined ? [{ why: standing.holder }] : [];
  const isCopy = standing.is === "foreign" && standing.isCopy;
  const isAdopted = markIn(one)?.attempt === adoption;
  return [...(isCopy ? [copied] : []), ...(isAdopted ? [adopted] : []), ...readersOf(states, one)];
}

/** Why an object may be a copy. */
export const maybeCopied = "it may be a copy that somebody made, by its age or its name";

const copied: Doubt = { why: maybeCopied, flag: "--copies" };

const adopted: Doubt = {
  why: "it got its mark by an adoption, so another stack may have created it",
  flag: "--adopted",
};
