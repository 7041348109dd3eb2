import type { Properties } from "../value";

/** Seconds to wait for readiness when the program does not say. */
export const defaultWaitTimeout = 900;

/** Seconds to wait for readiness of a resource. */
export function waitTimeoutOf({ waitTimeout = defaultWaitTimeout }: Properties): number {
  return Number(waitTimeout);
}
