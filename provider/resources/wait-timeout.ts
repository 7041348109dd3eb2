import type { Properties } from "../value";

/** Seconds to wait for readiness. */
export function waitTimeoutOf({ waitTimeout = 900 }: Properties): number {
  return Number(waitTimeout);
}
