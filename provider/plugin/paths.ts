import { removedKeys } from "../core/compare/diff";
import { type Path, propertyPath } from "../path";
import type { Field } from "../schema/field";
import { covers, isRecord, isUnknown, type Properties } from "../value";

type PathChange = "ADD" | "DELETE" | "UPDATE";

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
  const collect = (path: Path, was: unknown, is: unknown, outline: unknown, cleared?: Properties) => {
    const compare = (key: string | number) => {
      const [inWas, inIs, inOutline] = [was, is, outline].map((value) => Object(value)[key]);
      collect([...path, key], inWas, inIs, inOutline);
    };
    if (isRecord(was) && isRecord(is)) {
      const isCleared = (key: string) => isNothing(was[key]) || (cleared && covers(was[key], cleared[key]));
      const removed = removedKeys(is, outline).filter((key) => !isCleared(key));
      [...Object.keys(is), ...removed].forEach(compare);
    } else if (Array.isArray(was) && Array.isArray(is) && [...was, ...is].some(isRecord)) {
      const length = Math.max(was.length, is.length);
      for (let index = 0; index < length; index++) compare(index);
    } else if (isUnknown(is) || JSON.stringify(was) !== JSON.stringify(is)) {
      changes.set(propertyPath(path), isNothing(was) ? "ADD" : isNothing(is) ? "DELETE" : "UPDATE");
    }
  };
  collect([name], from, to, declared, clearedKeys);
  // No path below differs, but the property does.
  if (changes.size === 0) changes.set(propertyPath([name]), "UPDATE");
  return changes;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
