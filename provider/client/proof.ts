import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock";

/**
 * Milliseconds for which a list tells what there is and whose it is. Creates, updates and deletions share it, since each list counts
 * against the rate limit.
 */
export const recent = 5_000;

const current = new AsyncLocalStorage<Proof>();

/**
 * Proves what others can change meanwhile, such as whose an object is. `prove` throws where it does not hold. Every request that changes
 * something asks for a newer proof when the last one is older than `age` milliseconds, whatever it has waited for.
 */
export class Proof {
  private at = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly prove: () => Promise<void>,
    private readonly age = recent,
  ) {}

  /** Whether what it has proven still tells, after a wait. */
  isRecent(): boolean {
    return this.clock.now() - this.at < recent;
  }

  /** Proves it, unless that was done a moment ago. */
  async renew(): Promise<void> {
    if (this.clock.now() - this.at < this.age) return;
    await this.prove();
    this.at = this.clock.now();
  }

  /** Acts under this proof. */
  during<T>(act: () => Promise<T>): Promise<T> {
    return current.run(this, act);
  }
}

/** The proof under which the caller acts; undefined without one. */
export function proofNow(): Proof | undefined {
  return current.getStore();
}
