import type { Proof } from "./proof";

/** On whose behalf requests are sent, and what they may take. It travels with each request. */
export interface Errand {
  /** The URN of the resource whose status line shows the waits. */
  readonly urn?: string | undefined;
  /** Milliseconds that a request may take with all its retries. Default: what the policy allows. */
  readonly patience?: number | undefined;
  /** Looks again before a change that has waited. */
  readonly proof?: Proof | undefined;
  /** Goes on when the run is cancelled. */
  readonly unending?: true | undefined;
}

/** Milliseconds that a request may take on an errand; infinite where the policy alone decides. */
export function patienceOf(errand: Errand | undefined): number {
  return errand?.patience ?? Number.POSITIVE_INFINITY;
}
