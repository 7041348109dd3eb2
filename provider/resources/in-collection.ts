import type { Api } from "../client/api";
import type { Collection } from "../client/collection";
import type { Kind } from "../core/kind";

type Calls = Required<Pick<Kind, "create" | "list" | "one" | "read" | "update" | "delete">>;

/** The calls of a kind whose objects are in a collection of REST. Its table goes on with those that differ. */
export function inCollection(of: (api: Api) => Collection): Calls {
  return {
    create: (api, body) => of(api).create(body),
    list: (api, age) => of(api).list(age),
    one: (api, id) => of(api).get(id),
    read: (api, id, _state, { age } = {}) => of(api).find(id, age),
    update: (api, id, patch) => of(api).update(id, patch),
    delete: (api, id) => of(api).delete(id),
  };
}
