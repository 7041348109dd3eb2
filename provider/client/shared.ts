import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock";

/** Milliseconds: how long a look waits for others to join it, and for how long two looks count as made together. */
const join = 5;
const together = 15_000;

/**
 * Looks at objects of one kind. Who looks alone gets one object; those who look at about the same time, a refresh or
 * the waits for many pods, share one list. What this process has changed is never answered from an older list, and
 * that something is not in a list is no proof that it is gone.
 */
export class Shared<T extends { readonly id: string }> {
  private latest: { readonly began: number; readonly objects: Promise<ReadonlyMap<string, T>> } | undefined;
  private readonly changes = new Map<string, number>();
  private readonly lookedFor = new Map<string, number>();

  constructor(
    private readonly all: () => Promise<readonly T[]>,
    private readonly one: (id: string) => Promise<T | undefined>,
    private readonly clock: Clock,
  ) {}

  /** Everything, as it was at most so many milliseconds ago, and after all that this process changed. */
  async list(age = 0): Promise<T[]> {
    const { latest } = this;
    const oldest = Math.max(this.clock.now() - age, ...this.changes.values());
    const objects =
      age > 0 && latest !== undefined && latest.began > oldest ? latest.objects : this.lookAtAll();
    return [...(await objects).values()];
  }

  /** An object as it was at most so many milliseconds ago; undefined only when the service says that there is none. */
  async find(id: string, age = 0): Promise<T | undefined> {
    const now = this.clock.now();
    const oldest = now - age;
    this.lookedFor.set(id, now);
    if (this.recent(id, oldest) === undefined) await pause(join);
    const objects = this.recent(id, oldest) ?? (this.isAlone(id, now) ? undefined : this.lookAtAll());
    return (await objects)?.get(id) ?? this.one(id);
  }

  /** Something was done to an object, or may have been. */
  changed(id: string): void {
    this.changes.set(id, this.clock.now());
  }

  private recent(id: string, oldest: number): Promise<ReadonlyMap<string, T>> | undefined {
    if (this.latest === undefined || this.latest.began < oldest) return undefined;
    return this.latest.began > (this.changes.get(id) ?? 0) ? this.latest.objects : undefined;
  }

  private isAlone(id: string, now: number): boolean {
    return ![...this.lookedFor].some(([other, at]) => other !== id && at > now - together);
  }

  private lookAtAll(): Promise<ReadonlyMap<string, T>> {
    const objects = this.all().then((found) => new Map(found.map((object) => [object.id, object])));
    const look = { began: this.clock.now(), objects };
    this.latest = look;
    objects.catch(() => {
      if (this.latest === look) this.latest = undefined;
    });
    return objects;
  }
}
