import type { Clock } from "./clock";

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

/** For a look that any answer of this run will do, such as that of a refresh: one list serves all resources of a kind. */
export const anyAge = Number.POSITIVE_INFINITY;

/** Milliseconds for which a read is new enough for a change. Changes share a list for so long, since each counts against the rate limit. */
export const recent = 5_000;

/**
 * Proves a condition that others can change meanwhile, such as whose an object is. `prove` throws where it does not hold. A change that
 * is sent more than `age` milliseconds after the last proof asks for a newer one.
 */
export class Proof {
  private at = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly prove: () => Promise<void>,
    private readonly age = recent,
  ) {}

  isRecent(): boolean {
    return this.clock.now() - this.at < recent;
  }

  async renew(): Promise<void> {
    if (this.clock.now() - this.at < this.age) return;
    await this.prove();
    this.holds();
  }

  /** Notes that a read has just shown that the condition holds. */
  holds(): void {
    this.at = this.clock.now();
  }
}
