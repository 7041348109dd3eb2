import { closest, distance } from "fastest-levenshtein";

/** Something that is wanted by its id, and has another name beside it. */
export interface Named {
  readonly id: string;
  readonly name?: unknown;
}

/**
 * `; did you mean "a" or "b"?` for a name that there is none of, or nothing when no other comes close: by a few letters,
 * or, before that, because it has all words of what is wanted, as "NVIDIA GeForce RTX 4090" has those of "RTX 4090".
 */
export function didYouMean(name: string, others: readonly (string | Named)[]): string {
  const wanted = name.toLowerCase();
  const words = wanted.split(/\s+/);
  const farFrom = (other: string) =>
    words.every((word) => other.includes(word)) ? 0 : distance(wanted, other);
  const all = others
    .map((other) => (typeof other === "string" ? { id: other } : other))
    .flatMap(({ id, name = id }) =>
      [id, String(name)].map((one) => ({ id, far: farFrom(one.toLowerCase()) })),
    );
  const limit = all.some(({ far }) => far === 0) ? 0 : Math.max(2, name.length / 3);
  const close = all.filter(({ far }) => far <= limit).sort((a, b) => a.far - b.far);
  const closest = [...new Set(close.map(({ id }) => id))].slice(0, 3);
  return closest.length === 0 ? "" : `; did you mean ${oneOf(closest)}?`;
}

/** The same for the name of an object; some objects have none. */
export function nearestName(name: string, objects: readonly Named[]): string {
  const names = objects.map((object) => object.name).filter((other) => typeof other === "string");
  return didYouMean(name, names);
}

/**
 * The property that was probably meant: a misspelt one, or one with something behind it (`imageName`, `gpuTypeId`). Where none
 * comes close, all that there are.
 */
export function nearestProperty(key: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const misspelt = closest(key, names);
  const near = distance(key, misspelt) <= Math.max(2, misspelt.length / 3);
  const name = near ? misspelt : names.find((one) => key.startsWith(one));
  return name !== undefined ? `; did you mean "${name}"?` : `; it takes ${[...names].sort().join(", ")}`;
}

/** `"a", "b" or "c"`. */
export function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length < 2 ? `${quoted[0]}` : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}
