import type { Api } from "../../client/api";

/** Names of a kind's objects, and the place of their mark. */
export interface Naming {
  /** Names are unique in the account, so a replacement deletes the old object first. `ignoring case`: also names that differ in case alone. */
  readonly unique?: true | "ignoring case";
  /** Where an object carries its mark. Default: in the name that podlumi makes up. (API: Mark of ownership) */
  readonly mark?: "env" | "description";
  /** The service can give an object another mark. Default: it can. */
  canMark?(api: Api): Promise<boolean>;
  /** An object's write-only value is what containers get for their references to its name. */
  readonly givesValue?: true;
}

/** The name that podlumi makes up is the mark. */
export function isMarkedByName({ naming }: Named): boolean {
  return naming?.mark === undefined;
}

/** A unique name in the form by which the service tells it from others. */
export function asUnique({ naming }: Named, name: unknown): unknown {
  return naming?.unique === "ignoring case" ? String(name).toLowerCase() : name;
}

/** The service does not take both names at the same time. */
export function clash(kind: Named, name: unknown, other: unknown): boolean {
  return kind.naming?.unique !== undefined && asUnique(kind, name) === asUnique(kind, other);
}

interface Named {
  readonly naming?: Naming;
}
