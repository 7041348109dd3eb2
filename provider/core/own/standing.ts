import { timeOf } from "../../client/clock";
import { usualEffect } from "../../client/policy";
import type { Properties } from "../../value";
import { resourceInWords } from "../../words/resource";
import type { Kind, ServiceObject } from "../kind";
import { isUnderItsName, markOf, ownerDigits } from "../mark/carried";
import { adoption, type Mark } from "../mark/mark";
import type { UnansweredCreate } from "../state/unfinished";

/**
 * What an object is to somebody who asks.
 * - `ours`: the one that the state has, and no other mark than the state remembers.
 * - `held by`: another resource has it: by a claim, or by its mark.
 * - `twin`: a late effect of an unanswered create, beside the object in the state.
 * - `left over`: it carries exactly the asker's mark, and nobody known has it.
 * - `foreign`: anything else, also a copy of a marked object that a person made.
 */
export type Standing =
  | { readonly is: "ours" | "twin" | "left over" }
  | { readonly is: "held by"; readonly holder: string }
  | { readonly is: "foreign"; readonly isCopy: boolean };

/** Somebody who asks, and what is known: a resource in a call of the engine, or a stack on the command line. */
export interface Asker {
  readonly kind: Pick<Kind, "naming">;
  /** The id of its object in the state. */
  readonly id?: string | undefined;
  /** The digits of the mark that the state remembers; undefined where the object carried none. */
  readonly mark?: string | undefined;
  /** The unanswered create in the state. */
  readonly unanswered?: UnansweredCreate | undefined;
  /** The mark is exactly the asker's. */
  isOwn(mark: Mark): boolean;
  /** Who else has an object, in words: by the claims of this run, or by states. */
  holderOf(id: string): string | undefined;
}

/** The one judge of whose an object is. Only a create that is under way recognizes the results of its own requests (send/create.ts). */
export function standingOf(object: ServiceObject, asker: Asker): Standing {
  const holder = asker.holderOf(object.id);
  if (holder !== undefined) return { is: "held by", holder };
  const mark = markOf(asker.kind, object);
  if (object.id === asker.id) {
    const isOther = mark !== undefined && ownerDigits(mark) !== asker.mark && !asker.isOwn(mark);
    return isOther ? { is: "held by", holder: holderIn(mark) } : { is: "ours" };
  }
  if (asker.unanswered !== undefined && isTwin(object, mark, asker.unanswered)) return { is: "twin" };
  if (mark === undefined || !asker.isOwn(mark)) return { is: "foreign", isCopy: false };
  return isCopy(mark, object) ? { is: "foreign", isCopy: true } : { is: "left over" };
}

/** The resource that a mark names, in words. */
export function holderIn({ readable }: Mark): string {
  return readable === undefined
    ? "another resource"
    : `${resourceInWords(`::::${readable.resource}`)} of ${readable.stack}`;
}

/** A person's copy has the mark, but another name, or was created long after the request in the mark. */
function isCopy(mark: Mark, object: Properties): boolean {
  if (mark.attempt === adoption) return false;
  return !isUnderItsName(mark, object) || isCreatedLate(object, mark.sentAt);
}

/** The object in the state carries the number of the answered request; a twin that of an unanswered one. */
function isTwin(object: ServiceObject, mark: Mark | undefined, create: UnansweredCreate): boolean {
  if (create.call === undefined)
    return object.name === create.name && !isCreatedLate(object, Date.parse(create.at));
  if (mark?.call !== create.call || !create.attempts.includes(Number(mark.attempt))) return false;
  return isUnderItsName(mark, object) && !isCreatedLate(object, mark.sentAt);
}

/** Too long after the request to be created by it. */
function isCreatedLate({ createdAt }: Properties, sentAt: number | undefined): boolean {
  return sentAt !== undefined && timeOf(String(createdAt)) - sentAt > usualEffect;
}
