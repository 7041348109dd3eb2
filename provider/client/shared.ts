import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock";
import { ExpectedError } from "./errors";
import { patienceNow } from "./patience";

/** Milliseconds. */
const times = {
  /** How long a look waits for others to join it, and for how long two looks count as made together. */
  join: 5,
  together: 15_000,
  /** How long what this process made or wrote is believed, whatever a look says that lags behind. */
  believed: 30_000,
  /** Between two looks that have to agree that something is gone. */
  betweenLooks: 6_000,
};

interface Look<T> {
  readonly began: number;
  /** Of who asked first: who has more of it asks anew. */
  readonly patience: number;
  readonly objects: Promise<ReadonlyMap<string, T>>;
}

/**
 * Looks at objects of one kind. Who looks alone gets one object; those who look at about the same time, a refresh or
 * the waits for many pods, share one list. What this process has changed is never answered from an older list.
 *
 * Gone is what two looks agree on: the object's own address and the list, or, where there is only a list, two lists with
 * some time between them. One of them alone may be a gateway's answer, a wrong address, or a list that lags.
 */
export class Shared<T extends { readonly id: string }> {
  private latest: Look<T> | undefined;
  /** The list that has to agree with the latest one. */
  private second:
    | { readonly after: Look<T> | undefined; readonly look: Promise<ReadonlyMap<string, T>> }
    | undefined;
  private readonly changes = new Map<string, number>();
  private readonly lookedFor = new Map<string, number>();
  private readonly made = new Map<string, { readonly object: T; readonly at: number }>();
  private readonly written = new Map<string, { readonly values: object; readonly at: number }>();

  constructor(
    private readonly all: () => Promise<readonly T[]>,
    private readonly clock: Clock,
    /** A look at one object; undefined when the service says that there is none. */
    private readonly one?: (id: string) => Promise<T | undefined>,
  ) {}

  /** Everything, as it was at most so many milliseconds ago, and after all that this process changed. */
  async list(age = 0): Promise<T[]> {
    const oldest = Math.max(this.clock.now() - age, ...this.changes.values());
    const known =
      age > 0 && this.latest !== undefined && this.latest.began > oldest ? this.joined() : undefined;
    return [...(await (known ?? this.lookAtAll())).values()];
  }

  /** An object as it was at most so many milliseconds ago; undefined only when it is certain that there is none. */
  async find(id: string, age = 0): Promise<T | undefined> {
    const now = this.clock.now();
    const oldest = now - age;
    this.lookedFor.set(id, now);
    if (this.recent(id, oldest) === undefined) await pause(times.join);
    const listed = this.recent(id, oldest) ?? (this.isAlone(id, now) ? undefined : this.lookAtAll());
    const found = listed === undefined ? await this.one?.(id) : (await listed).get(id);
    const object = found ?? this.believed(id) ?? (await this.unlessGone(id, listed !== undefined));
    return object && { ...object, ...this.lately(id) };
  }

  /** Something was done to an object, or may have been. */
  changed(id: string): void {
    this.changes.set(id, this.clock.now());
    this.made.delete(id);
  }

  /** This process wrote something into an object. */
  wrote(id: string, values: object): void {
    this.written.set(id, { values: { ...this.lately(id), ...values }, at: this.clock.now() });
  }

  /** This process made an object. */
  add(object: T): void {
    this.changed(object.id);
    this.made.set(object.id, { object, at: this.clock.now() });
  }

  /** What one look did not find, after a second one. `inList`: the first one was a list. */
  private async unlessGone(id: string, inList: boolean): Promise<T | undefined> {
    if (this.one === undefined) return (await this.secondList()).get(id);
    if (inList) return this.one(id);
    // The list has to agree. One that lags behind a deletion does so after a while.
    for (let look = 1; ; look++) {
      if (!(await this.lookAtAll()).has(id)) return undefined;
      const found = await this.one(id);
      if (found !== undefined) return found;
      if (look === 3) throw new ContradictionError(id);
      await this.clock.sleep(times.betweenLooks);
    }
  }

  /** What was made a moment ago may not show yet. */
  private believed(id: string): T | undefined {
    const made = this.made.get(id);
    return made !== undefined && this.clock.now() - made.at < times.believed ? made.object : undefined;
  }

  /** What was written a moment ago may not show yet. */
  private lately(id: string): object | undefined {
    const written = this.written.get(id);
    return written !== undefined && this.clock.now() - written.at < times.believed
      ? written.values
      : undefined;
  }

  /** One for all that the latest list does not have. */
  private secondList(): Promise<ReadonlyMap<string, T>> {
    if (this.second === undefined || this.second.after !== this.latest) {
      const after = this.latest;
      const look = this.clock.sleep(times.betweenLooks).then(() => this.all().then(byId));
      this.second = { after, look };
    }
    return this.second.look;
  }

  private recent(id: string, oldest: number): Promise<ReadonlyMap<string, T>> | undefined {
    if (this.latest === undefined || this.latest.began < oldest) return undefined;
    return this.latest.began > (this.changes.get(id) ?? 0) ? this.joined() : undefined;
  }

  /** The latest list, for who has no more patience than who asked for it. */
  private joined(): Promise<ReadonlyMap<string, T>> | undefined {
    return this.latest !== undefined && this.latest.patience >= patienceNow()
      ? this.latest.objects
      : undefined;
  }

  private isAlone(id: string, now: number): boolean {
    if (this.one === undefined) return false;
    return ![...this.lookedFor].some(([other, at]) => other !== id && at > now - times.together);
  }

  private lookAtAll(): Promise<ReadonlyMap<string, T>> {
    const look = { began: this.clock.now(), patience: patienceNow(), objects: this.all().then(byId) };
    this.latest = look;
    look.objects.catch(() => {
      if (this.latest === look) this.latest = undefined;
    });
    return look.objects;
  }
}

function byId<T extends { readonly id: string }>(objects: readonly T[]): ReadonlyMap<string, T> {
  return new Map(objects.map((object) => [object.id, object]));
}

/** The service says that there is no such object, and goes on listing it. */
export class ContradictionError extends ExpectedError {
  constructor(id: string) {
    super(
      `the service answers that there is no ${id}, and goes on listing it: run the command again in a minute`,
      "PODLUMI-CONTRADICTION",
    );
  }
}
