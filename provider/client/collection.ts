import type { Clock } from "./clock";
import type { Rest } from "./rest";
import { path } from "./rest";
import { Shared } from "./shared";

/** An object of the service. */
export interface Item {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** A collection of REST v2, such as `/pods`: the calls, and looks that many share. */
export class Collection {
  private readonly shared: Shared<Item>;

  constructor(
    private readonly rest: Rest,
    private readonly root: string,
    key: string,
    clock: Clock,
  ) {
    const all = () => rest.list<Item>(root, key);
    const one = (id: string) => rest.find<Item>(this.pathOf(id));
    this.shared = new Shared(all, one, clock);
  }

  /** Everything, as it was at most so many milliseconds ago; by default as it is from now on. */
  list(age?: number): Promise<Item[]> {
    return this.shared.list(age);
  }

  /** An object as it was at most so many milliseconds ago; undefined only when the service says that there is none. */
  find(id: string, age?: number): Promise<Item | undefined> {
    return this.shared.find(id, age);
  }

  async create(body: object): Promise<Item> {
    const made = await this.rest.post<Item>(this.root, body);
    this.shared.changed(made.id);
    return made;
  }

  update(id: string, patch: object): Promise<Item> {
    return this.changing(id, () => this.rest.patch<Item>(this.pathOf(id), patch));
  }

  /** Asks for an action, such as `start`. */
  act(id: string, action: string): Promise<Item> {
    return this.changing(id, () => this.rest.post<Item>(`${this.pathOf(id)}/action`, { action }));
  }

  delete(id: string): Promise<void> {
    return this.changing(id, () => this.rest.delete(this.pathOf(id)));
  }

  private pathOf(id: string): string {
    return `${this.root}${path`/${id}`}`;
  }

  private async changing<T>(id: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.shared.changed(id);
    }
  }
}
