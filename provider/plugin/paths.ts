import { removedKeys } from "../core/compare/diff";
import { type Path, propertyPath } from "../path";
import type { Field } from "../schema/field";
import { covers, isRecord, isUnknown, type Properties } from "../value";

/** What happened to the value at a path. */
export type PathChange = "add" | "delete" | "update";

/**
 * The paths below a property at which two values differ, for the detailed diff that the engine shows. The service may hold more than
 * the program says, so only keys count that the program declares, or declared before.
 */
export function changedPaths(
  name: string,
  from: unknown,
  to: unknown,
  { clearedKeys }: Pick<Field, "clearedKeys"> = {},
  declared?: unknown,
): Map<string, PathChange> {
  const found = new Map<string, PathChange>();
  collect([name], from, to, clearedKeys, declared, found);
  // No path below differs, but the property does, and the service has to get it.
  if (found.size === 0) found.set(propertyPath([name]), "update");
  return found;
}

/** `cleared` has what stands in place of removed keys. */
function collect(
  path: Path,
  from: unknown,
  to: unknown,
  cleared: Properties | undefined,
  declared: unknown,
  found: Map<string, PathChange>,
): void {
  const compare = (key: string | number) => {
    const [was, is, outline] = [from, to, declared].map((value) => Object(value)[key]);
    collect([...path, key], was, is, undefined, outline, found);
  };
  if (isRecord(from) && isRecord(to)) {
    const isCleared = (key: string) => isNothing(from[key]) || (cleared && covers(from[key], cleared[key]));
    const removed = removedKeys(to, declared).filter((key) => !isCleared(key));
    [...Object.keys(to), ...removed].forEach(compare);
  } else if (Array.isArray(from) && Array.isArray(to) && [...from, ...to].some(isRecord)) {
    const length = Math.max(from.length, to.length);
    for (let index = 0; index < length; index++) compare(index);
  } else if (isUnknown(to) || JSON.stringify(from) !== JSON.stringify(to)) {
    found.set(propertyPath(path), isNothing(from) ? "add" : isNothing(to) ? "delete" : "update");
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
