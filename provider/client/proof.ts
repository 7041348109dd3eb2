import type { Clock } from "./clock";

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
