import type { Kind } from "../kind";

/** A unique name in the form by which the service tells it from others. */
export function asUnique({ naming }: Kind, name: unknown): unknown {
  return naming?.unique === "ignoring case" ? String(name).toLowerCase() : name;
}

/** Whether two objects of a kind cannot have these names at the same time. */
export function clash(kind: Kind, name: unknown, other: unknown): boolean {
  return kind.naming?.unique !== undefined && asUnique(kind, name) === asUnique(kind, other);
}
