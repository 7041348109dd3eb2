import type { Clock } from "./clock";

/**
 * Milliseconds for which a look tells what there is, also after a wait. Creates, updates and deletions share a list for so long, since
 * each list counts against the rate limit.
 */
export const recent = 5_000;

/**
 * Proves what others can change meanwhile, such as whose an object is. `prove` throws where it does not hold. Every change that goes out
 * more than `age` milliseconds after the last proof asks for a newer one.
 */
export class Proof {
  private at = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly prove: () => Promise<void>,
    private readonly age = recent,
  ) {}

  /** The last proof still holds after a wait. */
  isRecent(): boolean {
    return this.clock.now() - this.at < recent;
  }

  /** Proves it, unless that was done less than `age` milliseconds ago. */
  async renew(): Promise<void> {
    if (this.clock.now() - this.at < this.age) return;
    await this.prove();
    this.holds();
  }

  /** Notes that a look has just shown that it holds. */
  holds(): void {
    this.at = this.clock.now();
  }
}
