import type { Clock } from "./clock";
import { isNotFound, isUnreadable, unreadable } from "./errors";
import type { Rest } from "./rest";
import { path } from "./rest";
import { Shared } from "./shared";

/** An object of the service. */
export interface Item {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** What a collection can do beside its list. */
interface Abilities {
  /** Whether an object has an address of its own to look at. Default true. */
  readonly single?: boolean;
}

/** A collection of REST v2, such as `/pods`: the calls, and looks that many share. */
export class Collection {
  private readonly shared: Shared<Item>;

  constructor(
    private readonly rest: Rest,
    private readonly root: string,
    key: string,
    clock: Clock,
    { single = true }: Abilities = {},
  ) {
    const one = single ? (id: string) => rest.find<Item>(this.pathOf(id)) : undefined;
    const all = async () => {
      const items = await rest.list<unknown>(root, key);
      if (!items.every(isItem)) throw unreadable(`GET ${root}`, 200, "something in its list has no id");
      return items;
    };
    this.shared = new Shared(all, clock, one);
  }

  /** Everything, as it was at most so many milliseconds ago; by default as it is from now on. */
  list(age?: number): Promise<Item[]> {
    return this.shared.list(age);
  }

  /** An object as it was at most so many milliseconds ago; undefined only when it is certain that there is none. */
  find(id: string, age?: number): Promise<Item | undefined> {
    return this.shared.find(id, age);
  }

  /** Makes an object. An answer without an id leaves open what it made, like no answer at all. */
  async create(body: object): Promise<Item> {
    const made = await this.rest.post<unknown>(this.root, body);
    if (!isItem(made)) throw unreadable(`POST ${this.root}`, 200, "it has no id");
    this.shared.add(made);
    return made;
  }

  update(id: string, patch: object): Promise<Item> {
    return this.changed(id, () => this.rest.patch<unknown>(this.pathOf(id), patch));
  }

  /** Asks for an action, such as `start`. */
  act(id: string, action: string): Promise<Item> {
    return this.changed(id, () => this.rest.post<unknown>(`${this.pathOf(id)}/action`, { action }));
  }

  /** Deletes an object. What an answer means that is no clear success, looks tell. */
  async delete(id: string): Promise<void> {
    try {
      await this.noting(id, () => this.rest.delete(this.pathOf(id)));
    } catch (error) {
      if (!isNotFound(error) && !isUnreadable(error)) throw error;
      if ((await this.find(id)) !== undefined) throw error;
    }
  }

  private pathOf(id: string): string {
    return `${this.root}${path`/${id}`}`;
  }

  /** A change; where its answer is not the object, a look is. */
  private async changed(id: string, change: () => Promise<unknown>): Promise<Item> {
    const answer = await this.noting(id, change);
    if (isItem(answer) && answer.id === id) return answer;
    const found = await this.find(id);
    if (found !== undefined) return found;
    throw unreadable(`A change of ${this.pathOf(id)}`, 200, "it is not the object");
  }

  private async noting<T>(id: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.shared.changed(id);
    }
  }
}

function isItem(answer: unknown): answer is Item {
  const { id } = Object(answer) as Record<string, unknown>;
  return typeof id === "string" && id !== "";
}
