import { timeOf } from "../../../provider/client/clock";
import { usualEffect } from "../../../provider/client/policy";
import type { Observed } from "../../../provider/core/kind";
import { expiryIn, expiryOutputs } from "../../../provider/core/state/expiry";
import { duration } from "../../../provider/schema/duration";

/** How long after its limit was set podlumi's own object may be created, in milliseconds. What is created later is a copy. */
const createTime = { underItsName: usualEffect, underAnother: 30_000 };

/**
 * The time limit may be another object's, whose variables somebody copied. podlumi sets a limit
 * when it creates an object, or later. So what was created after its limit was set is a copy, under any name. Without a time
 * of creation, the name decides.
 */
export function mayBeCopy(observed: Observed): boolean {
  const { env, name, createdAt } = observed;
  const hasItsName = expiryIn(env, name)?.hasItsName ?? true;
  const { expiresAfter, expiresAt } = expiryOutputs(observed);
  const set = Date.parse(String(expiresAt)) - duration(String(expiresAfter));
  const created = timeOf(String(createdAt));
  if (Number.isNaN(created)) return !hasItsName;
  return created - set > (hasItsName ? createTime.underItsName : createTime.underAnother);
}
