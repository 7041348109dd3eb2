import { isDeepStrictEqual } from "node:util";
import { isNotFound, isUnreadable, unreadable } from "./errors";
import type { Rest } from "./rest";
import { segment } from "./rest";
import type { Reader, Shared } from "./shared";

/** An object of the service. */
export interface Item {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** Shares reads with all other callers. */
type Share = (reader: Pick<Reader<Item>, "all" | "one">) => Shared<Item>;

/** A collection of REST v2, such as `/pods`. Callers that read at about the same time share requests. */
export class Collection {
  private readonly shared: Shared<Item>;

  constructor(
    private readonly rest: Rest,
    private readonly root: string,
    key: string,
    share: Share,
    /** A GET can read a single object. */
    { single = true }: { readonly single?: boolean } = {},
  ) {
    const all = async () => {
      const items = await rest.list<unknown>(root, key);
      if (!items.every(isItem)) throw unreadable(`GET ${root}`, 200, "something in its list has no id");
      return items;
    };
    this.shared = share({ all, one: single ? (id) => this.one(id) : undefined });
  }

  /** All objects, at most `age` milliseconds old; without `age`, from a new request. */
  list(age?: number): Promise<Item[]> {
    return this.shared.list(age);
  }

  /** An object by its address alone, which can lag, and can have one of another account. */
  async one(id: string): Promise<Item | undefined> {
    const found = await this.rest.find<unknown>(this.pathOf(id));
    if (found === undefined || (isItem(found) && found.id === id)) return found;
    throw unreadable(`GET ${this.pathOf(id)}`, 200, "it is not the object");
  }

  /** An object, at most `age` milliseconds old. Undefined only when it is certain that there is none. */
  find(id: string, age?: number): Promise<Item | undefined> {
    return this.shared.find(id, age);
  }

  /** Creates an object. After a response without an id it is unknown what was created, as after no answer. */
  async create(body: object): Promise<Item> {
    const response = await this.rest.post<unknown>(this.root, body);
    const item = itemIn(`POST ${this.root}`, response);
    this.shared.seen.add(item);
    return item;
  }

  /** Changes an object. When the response is not the object, a read decides whether the change was made. */
  async update(id: string, patch: object, effect?: "change" | "restart"): Promise<Item> {
    this.shared.seen.rewrites(id, Object.keys(patch));
    const response = await this.noting(id, () => this.rest.patch<unknown>(this.pathOf(id), patch, effect));
    if (isItem(response) && response.id === id) {
      this.shared.seen.add(response);
      // If the service returns a value in another form than the request had, the change may take effect later, as that
      // of global networking does.
      const written = Object.entries(patch).flatMap(([key, value]) =>
        typeof value === typeof response[key] ? [key] : [],
      );
      this.shared.seen.wrote(id, Object.fromEntries(written.map((key) => [key, response[key]])));
      return response;
    }
    const found = await this.find(id);
    const done = Object.entries(patch).every(([key, value]) => isDeepStrictEqual(found?.[key], value));
    if (found !== undefined && done) return found;
    throw unreadable(`PATCH ${this.pathOf(id)}`, 200, "it is not the object");
  }

  /** Requests an action, such as `start`. */
  async act(id: string, action: string): Promise<Item> {
    const address = `${this.pathOf(id)}/action`;
    const response = await this.noting(id, () => this.rest.post<unknown>(address, { action }));
    if (isItem(response) && response.id === id) {
      this.shared.seen.add(response);
      return response;
    }
    throw unreadable(`POST ${address}`, 200, "it is not the object");
  }

  /** Deletes an object. After a 404 or an unreadable response, a read decides whether it is gone. Returns false after a 404. */
  async delete(id: string): Promise<boolean> {
    const { seen } = this.shared;
    try {
      await this.rest.delete(this.pathOf(id));
      seen.deleted(id);
      return true;
    } catch (error) {
      seen.changed(id);
      if (!isNotFound(error) && !isUnreadable(error)) throw error;
      if ((await this.find(id)) !== undefined) throw error;
      seen.deleted(id);
      // After an unreadable response, this request may be what deleted it.
      return !isNotFound(error);
    }
  }

  private pathOf(id: string): string {
    return `${this.root}/${segment(`${this.root}/`, id)}`;
  }

  private async noting<T>(id: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.shared.seen.changed(id);
    }
  }
}

/** The object in a response. Throws when the response has no id. */
export function itemIn(call: string, response: unknown): Item {
  if (isItem(response)) return response;
  throw unreadable(call, 200, "it has no id");
}

function isItem(response: unknown): response is Item {
  const { id } = Object(response) as Record<string, unknown>;
  return typeof id === "string" && id !== "";
}
