import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock";
import { ExpectedError } from "./errors";
import type { Look, Objects, Seen } from "./seen";

/** Milliseconds. */
const times = {
  /** A read waits so long for others that can share its request. */
  join: 5,
  /** Reads of different objects within this time share a list. */
  together: 15_000,
  /** Between two reads that must agree that an object is gone. */
  betweenLooks: 6_000,
};

export interface Reader<T> {
  readonly all: () => Promise<readonly T[]>;
  /** Reads one object; undefined when the service says that there is none. Absent where only lists show objects. */
  readonly get?: ((id: string) => Promise<T | undefined>) | undefined;
  readonly clock: Clock;
  /** Milliseconds that a request of this caller may take with all its retries. */
  readonly patience: number;
}

/**
 * Reads objects of one kind. A single caller reads one object. Callers at about the same time, such as the waits for many pods, share
 * one list. An object that this process changed is never taken from an older list.
 *
 * An object is gone only when two reads agree: its address and the list, or, where there is only a list, two lists some time apart. A
 * single read may be a gateway's response, a wrong address, or a list that lags behind.
 */
export class Shared<T extends { readonly id: string }> {
  constructor(
    readonly seen: Seen<T>,
    private readonly reader: Reader<T>,
  ) {}

  /** At most `age` milliseconds old, never older than a change by this process, and without the objects that it deleted. */
  async list(age = 0): Promise<T[]> {
    const oldest = Math.max(this.reader.clock.now() - age, this.seen.newestChange);
    const known = this.joinable();
    const look = age > 0 && known !== undefined && known.began > oldest ? known : this.lookAtAll();
    const objects = [...(await look.objects).values()];
    return objects.filter(({ id }) => !this.seen.hasDeleted(id, look.began));
  }

  /** At most `age` milliseconds old. Undefined only when it is certain that there is no such object. */
  async find(id: string, age = 0): Promise<T | undefined> {
    const now = this.reader.clock.now();
    const oldest = now - age;
    // A caller that takes a response of any age, such as a refresh, is the first of many.
    const mayBeAlone = age !== Number.POSITIVE_INFINITY;
    this.seen.looking(id);
    if (mayBeAlone && this.recent(id, oldest) === undefined) await pause(times.join);
    const isAlone = mayBeAlone && this.isAlone(id, now);
    const look = this.recent(id, oldest) ?? (isAlone ? undefined : this.lookAtAll());
    const seen = look === undefined ? await this.reader.get?.(id) : (await look.objects).get(id);
    const object = seen ?? this.seen.believed(id) ?? (await this.unlessGone(id, look !== undefined));
    return object && { ...object, ...this.seen.lately(id) };
  }

  /** A second read must confirm that the object is gone. `inList`: the first read was a list. */
  private async unlessGone(id: string, inList: boolean): Promise<T | undefined> {
    const { get, clock } = this.reader;
    if (get === undefined) return (await this.secondList()).get(id);
    if (inList) return get(id);
    // The list must agree. A list that lags behind a deletion does so after a while.
    for (let look = 1; ; look++) {
      if (!(await this.lookAtAll().objects).has(id)) return undefined;
      const object = await get(id);
      if (object !== undefined) return object;
      if (look === 3) throw new ContradictionError(id);
      await clock.sleep(times.betweenLooks);
    }
  }

  /** One second list serves all objects that the latest list lacks. */
  private secondList(): Promise<Objects<T>> {
    const { seen, reader } = this;
    if (seen.second === undefined || seen.second.after !== seen.latest) {
      const objects = reader.clock.sleep(times.betweenLooks).then(() => reader.all().then(byId));
      seen.second = { after: seen.latest, objects };
    }
    return seen.second.objects;
  }

  /** The latest list, unless it is too old for an object. */
  private recent(id: string, oldest: number): Look<T> | undefined {
    const known = this.joinable();
    if (known === undefined || known.began < oldest) return undefined;
    return this.seen.hasTouched(id, known.began) ? undefined : known;
  }

  /** The latest list, unless this caller has more patience than the one that requested it. */
  private joinable(): Look<T> | undefined {
    const { latest } = this.seen;
    return latest !== undefined && latest.patience >= this.reader.patience ? latest : undefined;
  }

  private isAlone(id: string, now: number): boolean {
    return this.reader.get !== undefined && !this.seen.isLookedForBeside(id, now - times.together);
  }

  private lookAtAll(): Look<T> {
    const { seen, reader } = this;
    const look = { began: reader.clock.now(), patience: reader.patience, objects: reader.all().then(byId) };
    seen.latest = look;
    look.objects.catch(() => {
      if (seen.latest === look) seen.latest = undefined;
    });
    return look;
  }
}

function byId<T extends { readonly id: string }>(objects: readonly T[]): Objects<T> {
  return new Map(objects.map((object) => [object.id, object]));
}

class ContradictionError extends ExpectedError {
  constructor(id: string) {
    super(
      `the service answers that there is no ${id}, and still lists it: run the command again in a minute`,
      "PODLUMI-CONTRADICTION",
    );
  }
}
