import { setTimeout as pause } from "node:timers/promises";
import { without } from "../value";
import { Answers } from "./answers";
import type { Clock } from "./clock";
import { anyAge } from "./errand";
import { ExpectedError, failAsRead } from "./errors";
import { longestLag } from "./policy";

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

/** A list that was requested. */
interface Look<T> {
  readonly began: number;
  /** By their ids. */
  readonly objects: ReadonlyMap<string, T>;
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
    const { began, objects } = await this.look((at) => age > 0 && at > oldest);
    return [...objects.values()].filter(({ id }) => !this.seen.hasDeleted(id, began));
  }

  /** At most `age` milliseconds old. Undefined only when it is certain that there is no such object. */
  async find(id: string, age = 0): Promise<T | undefined> {
    const { seen, reader } = this;
    const now = reader.clock.now();
    const isFresh = (at: number) => at >= now - age && !seen.hasTouched(id, at);
    const isListed = () => seen.lists.has("list", isFresh);
    // A refresh reads many objects.
    const mayBeAlone = age !== anyAge;
    seen.looking(id);
    if (mayBeAlone && !isListed()) await pause(times.join);
    const isAlone = mayBeAlone && !isListed() && !seen.isLookedForBeside(id, now - times.together);
    const get = isAlone ? reader.get : undefined;
    const look = get === undefined ? await this.look(isFresh) : undefined;
    const shown = look === undefined ? await get?.(id) : look.objects.get(id);
    const object = shown ?? seen.believed(id) ?? (await this.unlessGone(id, look));
    return object && { ...object, ...seen.lately(id) };
  }

  /** A second read must confirm that the object is gone. `look`: the list that lacks it; undefined where its address does. */
  private async unlessGone(id: string, look: Look<T> | undefined): Promise<T | undefined> {
    const { get, clock } = this.reader;
    if (get === undefined) return (await this.secondLook(look)).objects.get(id);
    if (look !== undefined) return get(id);
    // The list must agree. A list that lags behind a deletion does so after a while.
    for (let attempt = 1; ; attempt++) {
      if (!(await this.look(() => false)).objects.has(id)) return undefined;
      const object = await get(id);
      if (object !== undefined) return object;
      if (attempt === 3) throw new ContradictionError(id);
      await clock.sleep(times.betweenLooks);
    }
  }

  private look(isFresh: (at: number) => boolean): Promise<Look<T>> {
    return this.seen.lists.once("list", this.ask, { isFresh, patience: this.reader.patience });
  }

  /** One second list serves all objects that the first one lacks. */
  private secondLook(first: Look<T> | undefined): Promise<Look<T>> {
    const { clock, patience } = this.reader;
    const isFresh = (at: number) => first !== undefined && at >= first.began;
    const ask = () => clock.sleep(times.betweenLooks).then(this.ask);
    return this.seen.lists.once("confirming list", ask, { isFresh, patience });
  }

  private readonly ask = async (): Promise<Look<T>> => {
    const began = this.reader.clock.now();
    const objects = await this.reader.all().catch(failAsRead);
    return { began, objects: new Map(objects.map((object) => [object.id, object])) };
  };
}

class ContradictionError extends ExpectedError {
  constructor(id: string) {
    super(
      `the service answers that there is no ${id}, and still lists it: run the command again in a minute`,
      "PODLUMI-CONTRADICTION",
    );
  }
}

const never = Number.NEGATIVE_INFINITY;

/** The objects of one kind, as this process has seen and changed them. All errands share it. */
export class Seen<T extends { readonly id: string }> {
  readonly lists: Answers;
  private readonly changes = new Map<string, number>();
  private readonly deletions = new Map<string, number>();
  private readonly lookedFor = new Map<string, number>();
  private readonly shown = new Map<string, { readonly object: T; readonly at: number }>();
  private readonly written = new Map<string, { readonly values: object; readonly at: number }>();

  constructor(private readonly clock: Pick<Clock, "now">) {
    this.lists = new Answers(clock);
  }

  /** Notes that this process may have changed an object. */
  changed(id: string): void {
    this.changes.set(id, this.clock.now());
    this.shown.delete(id);
  }

  /** Notes that this process deleted an object. Older lists stay valid, without it. */
  deleted(id: string): void {
    this.deletions.set(id, this.clock.now());
    this.changes.delete(id);
    this.shown.delete(id);
  }

  wrote(id: string, values: object): void {
    this.written.set(id, { values: { ...this.lately(id), ...values }, at: this.clock.now() });
  }

  /** Notes that a request writes these values again, so that the written ones no longer count. */
  rewrites(id: string, names: readonly string[]): void {
    const written = this.written.get(id);
    if (written !== undefined)
      this.written.set(id, { ...written, values: without(names, { ...written.values }) });
  }

  /** Notes an object that the response to a create or to a change has shown. */
  add(object: T): void {
    this.changed(object.id);
    this.shown.set(object.id, { object, at: this.clock.now() });
  }

  /** An object as this process created or changed it a moment ago. It counts more than a read, which may lag. */
  believed(id: string): T | undefined {
    const shown = this.shown.get(id);
    return shown !== undefined && this.clock.now() - shown.at < longestLag ? shown.object : undefined;
  }

  /** Values that this process wrote into an object a moment ago. They count more than those of a read. */
  lately(id: string): object | undefined {
    const written = this.written.get(id);
    return written !== undefined && this.clock.now() - written.at < longestLag ? written.values : undefined;
  }

  /** When this process last changed any object that it has not deleted. */
  get newestChange(): number {
    return Math.max(...this.changes.values());
  }

  hasTouched(id: string, since: number): boolean {
    return since <= (this.changes.get(id) ?? never) || this.hasDeleted(id, since);
  }

  hasDeleted(id: string, since: number): boolean {
    return since <= (this.deletions.get(id) ?? never);
  }

  looking(id: string): void {
    this.lookedFor.set(id, this.clock.now());
  }

  /** True when somebody has looked for another object since a time. */
  isLookedForBeside(id: string, since: number): boolean {
    return [...this.lookedFor].some(([wanted, at]) => wanted !== id && at > since);
  }
}
