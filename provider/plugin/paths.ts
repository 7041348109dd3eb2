import { removedKeys } from "../core/compare/diff";
import { type Path, propertyPath } from "../path";
import type { Field } from "../schema/field";
import { covers, isRecord, isUnknown, type Properties } from "../value";

export type PathChange = "add" | "delete" | "update";

/** The difference that the engine shows. */
export interface DetailedDifference {
  readonly changes: boolean;
  /** Properties whose change replaces the object. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly paths: ReadonlyMap<string, PathChange>;
}

/** The paths at which two values differ, for the engine's detailed diff. Only keys count that the program declares, or declared before. */
export function changedPaths(
  name: string,
  from: unknown,
  to: unknown,
  { clearedKeys }: Pick<Field, "clearedKeys"> = {},
  declared?: unknown,
): Map<string, PathChange> {
  const changes = new Map<string, PathChange>();
  collect([name], from, to, clearedKeys, declared, changes);
  // No path below differs, but the property does.
  if (changes.size === 0) changes.set(propertyPath([name]), "update");
  return changes;
}

/** `cleared` has the values of removed keys. */
function collect(
  path: Path,
  from: unknown,
  to: unknown,
  cleared: Properties | undefined,
  declared: unknown,
  changes: Map<string, PathChange>,
): void {
  const compare = (key: string | number) => {
    const [was, is, outline] = [from, to, declared].map((value) => Object(value)[key]);
    collect([...path, key], was, is, undefined, outline, changes);
  };
  if (isRecord(from) && isRecord(to)) {
    const isCleared = (key: string) => isNothing(from[key]) || (cleared && covers(from[key], cleared[key]));
    const removed = removedKeys(to, declared).filter((key) => !isCleared(key));
    [...Object.keys(to), ...removed].forEach(compare);
  } else if (Array.isArray(from) && Array.isArray(to) && [...from, ...to].some(isRecord)) {
    const length = Math.max(from.length, to.length);
    for (let index = 0; index < length; index++) compare(index);
  } else if (isUnknown(to) || JSON.stringify(from) !== JSON.stringify(to)) {
    changes.set(propertyPath(path), isNothing(from) ? "add" : isNothing(to) ? "delete" : "update");
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
