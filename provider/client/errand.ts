import type { Proof } from "./proof";

/** The purpose of requests and their limits. It travels with each request. */
export interface Errand {
  /** URN of the resource whose status line shows the waits. */
  readonly urn?: string | undefined;
  /** Milliseconds that a request may take with all its retries. Default: what the policy allows. */
  readonly patience?: number | undefined;
  /** Looks again before a change that has waited. */
  readonly proof?: Proof | undefined;
  /** Goes on when the run is cancelled. */
  readonly unending?: true | undefined;
}

/** Infinite where the policy alone decides. */
export function patienceOf(errand: Errand | undefined): number {
  return errand?.patience ?? Number.POSITIVE_INFINITY;
}
