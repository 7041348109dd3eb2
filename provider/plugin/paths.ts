import { propertyPath } from "../core/path";
import { isRecord, isUnknown } from "../core/value";

/** What happened to the value at a path. */
export type PathChange = "add" | "delete" | "update";

/** The paths below a property at which two values differ, for the detailed diff that the engine shows. */
export function changedPaths(name: string, from: unknown, to: unknown): Map<string, PathChange> {
  const found = new Map<string, PathChange>();
  collect([name], from, to, found);
  // No path below differs, but the property does, and the service has to get it.
  if (found.size === 0) found.set(propertyPath([name]), "update");
  return found;
}

function collect(
  path: (string | number)[],
  from: unknown,
  to: unknown,
  found: Map<string, PathChange>,
): void {
  if (isRecord(from) && isRecord(to)) {
    // The service may hold more than the program says, so only what the program says is compared.
    for (const key of Object.keys(to)) collect([...path, key], from[key], to[key], found);
    return;
  }
  if (Array.isArray(from) && Array.isArray(to) && [...from, ...to].some(isRecord)) {
    const length = Math.max(from.length, to.length);
    for (let index = 0; index < length; index++) collect([...path, index], from[index], to[index], found);
    return;
  }
  if (!isUnknown(to) && JSON.stringify(from) === JSON.stringify(to)) return;
  found.set(propertyPath(path), isNothing(from) ? "add" : isNothing(to) ? "delete" : "update");
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
