import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock";
import { ExpectedError } from "./errors";
import { patienceNow } from "./patience";
import { longestLag } from "./policy";

/** Milliseconds. */
const times = {
  /** How long a read waits, so that others can share its request. */
  join: 5,
  /** Reads of different objects within this time share a list. */
  together: 15_000,
  /** Between two reads that must agree that an object is gone. */
  betweenLooks: 6_000,
};

interface Look<T> {
  readonly began: number;
  /** Patience of the caller that sent the request. A caller with more patience sends another one. */
  readonly patience: number;
  readonly objects: Promise<ReadonlyMap<string, T>>;
}

/**
 * Reads objects of one kind. A single caller reads one object. Callers at about the same time, such as the waits for
 * many pods, share one list, and so do all reads of a refresh. An object that this process changed is never taken from an older list.
 *
 * An object is gone only when two reads agree: its own address and the list, or, where there is only a list, two lists
 * some time apart. A single read may be a gateway's response, a wrong address, or a list that lags behind.
 */
export class Shared<T extends { readonly id: string }> {
  private latest: Look<T> | undefined;
  /** The list that must confirm that the latest one lacks an object. */
  private second:
    | { readonly after: Look<T> | undefined; readonly look: Promise<ReadonlyMap<string, T>> }
    | undefined;
  private readonly changes = new Map<string, number>();
  private readonly lookedFor = new Map<string, number>();
  private readonly shown = new Map<string, { readonly object: T; readonly at: number }>();
  private readonly written = new Map<string, { readonly values: object; readonly at: number }>();

  constructor(
    private readonly all: () => Promise<readonly T[]>,
    private readonly clock: Clock,
    /** Reads one object; undefined when the service says that there is none. */
    private readonly one?: (id: string) => Promise<T | undefined>,
  ) {}

  /** All objects, at most `age` milliseconds old, and never older than a change by this process. */
  async list(age = 0): Promise<T[]> {
    const oldest = Math.max(this.clock.now() - age, ...this.changes.values());
    const known =
      age > 0 && this.latest !== undefined && this.latest.began > oldest ? this.joined() : undefined;
    return [...(await (known ?? this.lookAtAll())).values()];
  }

  /** An object, at most `age` milliseconds old. Undefined only when it is certain that there is none. */
  async find(id: string, age = 0): Promise<T | undefined> {
    const now = this.clock.now();
    const oldest = now - age;
    // A caller that takes a response of any age, such as a refresh, is the first of many.
    const mayBeAlone = age !== Number.POSITIVE_INFINITY;
    this.lookedFor.set(id, now);
    if (mayBeAlone && this.recent(id, oldest) === undefined) await pause(times.join);
    const isAlone = mayBeAlone && this.isAlone(id, now);
    const listed = this.recent(id, oldest) ?? (isAlone ? undefined : this.lookAtAll());
    const found = listed === undefined ? await this.one?.(id) : (await listed).get(id);
    const object = found ?? this.believed(id) ?? (await this.unlessGone(id, listed !== undefined));
    return object && { ...object, ...this.lately(id) };
  }

  /** Notes that this process changed an object, or may have changed it. */
  changed(id: string): void {
    this.changes.set(id, this.clock.now());
    this.shown.delete(id);
  }

  /** Notes values that this process wrote into an object. */
  wrote(id: string, values: object): void {
    this.written.set(id, { values: { ...this.lately(id), ...values }, at: this.clock.now() });
  }

  /** Notes an object that the response to a create or to a change has shown. */
  add(object: T): void {
    this.changed(object.id);
    this.shown.set(object.id, { object, at: this.clock.now() });
  }

  /** Reads once more what the first read did not find. `inList`: the first read was a list. */
  private async unlessGone(id: string, inList: boolean): Promise<T | undefined> {
    if (this.one === undefined) return (await this.secondList()).get(id);
    if (inList) return this.one(id);
    // The list must agree. A list that lags behind a deletion does so after a while.
    for (let look = 1; ; look++) {
      if (!(await this.lookAtAll()).has(id)) return undefined;
      const found = await this.one(id);
      if (found !== undefined) return found;
      if (look === 3) throw new ContradictionError(id);
      await this.clock.sleep(times.betweenLooks);
    }
  }

  /** An object that this process created or changed a moment ago, which it trusts more than a read that may lag. */
  private believed(id: string): T | undefined {
    const shown = this.shown.get(id);
    return shown !== undefined && this.clock.now() - shown.at < longestLag ? shown.object : undefined;
  }

  /** The same of values that it wrote. */
  private lately(id: string): object | undefined {
    const written = this.written.get(id);
    return written !== undefined && this.clock.now() - written.at < longestLag ? written.values : undefined;
  }

  /** One second list serves all objects that the latest list lacks. */
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

  /** The latest list, unless this caller has more patience than the one that requested it. */
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

/** By its address an object does not exist, and the service still lists it. */
class ContradictionError extends ExpectedError {
  constructor(id: string) {
    super(
      `the service answers that there is no ${id}, and still lists it: run the command again in a minute`,
      "PODLUMI-CONTRADICTION",
    );
  }
}
