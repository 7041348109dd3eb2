import { timeOf } from "../../client/clock";
import { usualEffect } from "../../client/policy";
import type { Properties } from "../../value";
import type { ServiceObject } from "../kind";
import { isUnderItsName } from "../mark/carried";
import type { Mark } from "../mark/mark";
import { type UnansweredCreate, unfinishedIn } from "../state/internals";

/** Whether an object is a late effect of such a call. The one in the state carries the number of the request that was answered. */
export function isTwin(object: ServiceObject, mark: Mark | undefined, create: UnansweredCreate): boolean {
  if (create.call === undefined)
    return object.name === create.name && !isCreatedLate(object, Date.parse(create.at));
  if (mark?.call !== create.call || !create.attempts.includes(Number(mark.attempt))) return false;
  return isUnderItsName(mark, object) && !isCreatedLate(object, mark.sentAt);
}

/** The call in a state, as long as a request of it may still take effect. */
export function unansweredCreateIn(state: Properties, now: number): UnansweredCreate | undefined {
  const { create } = unfinishedIn(state);
  return create !== undefined && now - Date.parse(create.at) < usualEffect ? create : undefined;
}

/** Whether an object was created so long after a request that it cannot be what the request created. */
export function isCreatedLate({ createdAt }: Properties, sentAt: number | undefined): boolean {
  return sentAt !== undefined && timeOf(String(createdAt)) - sentAt > usualEffect;
}
