import { isDeepStrictEqual } from "node:util";
import { filtered, type Properties } from "../value";
import { failAsRead, isNotFound, isUnreadable, undefinedIfExpected, unreadable } from "./errors";
import { type Rest, segment } from "./rest";
import type { Reader, Shared } from "./shared";

/** An object of the service. */
export interface Item {
  readonly id: string;
  readonly [key: string]: unknown;
}

type Share = (reader: Pick<Reader<Item>, "all" | "get">) => Shared<Item>;

/** A collection of REST v2, such as `/pods`. Callers that read at about the same time share requests. */
export class Collection {
  private readonly shared: Shared<Item>;

  constructor(
    private readonly rest: Rest,
    private readonly root: string,
    key: string,
    share: Share,
    /** A GET can read a single object. */
    private readonly isSingle = true,
  ) {
    const all = async () => {
      const items = await rest.list<unknown>(root, key);
      if (!items.every((item) => isItem(item)))
        throw unreadable(`GET ${root}`, 200, "something in its list has no id");
      return items;
    };
    this.shared = share({ all, get: isSingle ? (id) => this.get(id) : undefined });
  }

  /** Objects of at most `age` milliseconds; without `age`, from a new request. */
  list(age?: number): Promise<Item[]> {
    return this.shared.list(age);
  }

  /** By its address alone, which may lag, and may show an object of another account. Undefined where only lists show objects. */
  async get(id: string): Promise<Item | undefined> {
    if (!this.isSingle) return undefined;
    const object = await this.rest.find<unknown>(this.pathOf(id));
    if (object === undefined || isItem(object, id)) return object;
    return failAsRead(unreadable(`GET ${this.pathOf(id)}`, 200, "it is not the object"));
  }

  /** At most `age` milliseconds old. Undefined only when it is certain that there is no such object. */
  find(id: string, age?: number): Promise<Item | undefined> {
    return this.shared.find(id, age);
  }

  /** A response without an id leaves open whether an object was created, like no answer. */
  async create(body: object): Promise<Item> {
    const response = await this.rest.post<unknown>(this.root, body);
    const item = itemIn(`POST ${this.root}`, response);
    this.shared.seen.add(item);
    return item;
  }

  /** When the response is not the object, a read decides whether the change was made. */
  async update(id: string, patch: Properties, effect?: "change" | "restart"): Promise<Item> {
    this.shared.seen.rewrites(id, Object.keys(patch));
    const response = await this.noting(id, () => this.rest.patch<unknown>(this.pathOf(id), patch, effect));
    if (isItem(response, id)) {
      this.shared.seen.add(response);
      // A change whose value comes back in another form may take effect later, as that of global networking does.
      const isAlike = (key: string, value: unknown) => typeof value === typeof patch[key];
      this.shared.seen.wrote(id, filtered(response, isAlike));
      return response;
    }
    const object = await this.find(id).catch(undefinedIfExpected);
    const isDone = Object.entries(patch).every(([key, value]) => isDeepStrictEqual(object?.[key], value));
    if (object !== undefined && isDone) return object;
    throw unreadable(`PATCH ${this.pathOf(id)}`, 200, "it is not the object");
  }

  /** Requests an action, such as `start`. */
  async act(id: string, action: string): Promise<Item> {
    const address = `${this.pathOf(id)}/action`;
    const response = await this.noting(id, () => this.rest.post<unknown>(address, { action }));
    if (!isItem(response, id)) throw unreadable(`POST ${address}`, 200, "it is not the object");
    this.shared.seen.add(response);
    return response;
  }

  /** After a 404 or an unreadable response, a read decides whether the object is gone. Returns false after a 404. */
  async delete(id: string): Promise<boolean> {
    const { seen } = this.shared;
    try {
      await this.rest.delete(this.pathOf(id));
      seen.deleted(id);
      return true;
    } catch (error) {
      seen.changed(id);
      if (!isNotFound(error) && !isUnreadable(error)) throw error;
      const failAsSent = (failed: Error) => Promise.reject(isUnreadable(error) ? error : failed);
      if ((await this.find(id).catch(failAsSent)) !== undefined) throw error;
      seen.deleted(id);
      // After an unreadable response, this request may have deleted the object.
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

/** The calls of a kind whose objects are in a collection of the service. Its table goes on with those that differ. */
export function inCollection<Name extends string>(name: Name) {
  type Service = { readonly [Key in Name]: Collection };
  return {
    create: (api: Service, body: Properties) => api[name].create(body),
    list: (api: Service, age?: number) => api[name].list(age),
    one: (api: Service, id: string) => api[name].get(id),
    read: (api: Service, id: string, _state: Properties, { age }: { readonly age?: number } = {}) =>
      api[name].find(id, age),
    update: (api: Service, id: string, patch: Properties) => api[name].update(id, patch),
    delete: (api: Service, id: string) => api[name].delete(id),
  };
}

export function itemIn(call: string, response: unknown): Item {
  if (isItem(response)) return response;
  throw unreadable(call, 200, "it has no id");
}

function isItem(response: unknown, expected?: string): response is Item {
  const { id } = Object(response) as Record<string, unknown>;
  return typeof id === "string" && id !== "" && (expected === undefined || id === expected);
}
