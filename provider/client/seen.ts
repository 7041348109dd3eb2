import { without } from "../value";
import type { Clock } from "./clock";
import { longestLag } from "./policy";

/** Objects of a list by their ids. */
export type Objects<T> = ReadonlyMap<string, T>;

/** A list that was requested. */
export interface Look<T> {
  readonly began: number;
  /** Patience of the caller that sent the request. A caller with more patience sends another one. */
  readonly patience: number;
  readonly objects: Promise<Objects<T>>;
}

const never = Number.NEGATIVE_INFINITY;

/** The objects of one kind, as this process has seen and changed them. All errands share it. */
export class Seen<T extends { readonly id: string }> {
  latest: Look<T> | undefined;
  /** The list that must confirm that the latest one lacks an object. */
  second: { readonly after: Look<T> | undefined; readonly objects: Promise<Objects<T>> } | undefined;
  private readonly changes = new Map<string, number>();
  private readonly deletions = new Map<string, number>();
  private readonly lookedFor = new Map<string, number>();
  private readonly shown = new Map<string, { readonly object: T; readonly at: number }>();
  private readonly written = new Map<string, { readonly values: object; readonly at: number }>();

  constructor(private readonly clock: Pick<Clock, "now">) {}

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
