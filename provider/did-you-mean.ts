import { closest, distance } from "fastest-levenshtein";

/** A candidate that users may also call by its name. */
export interface Named {
  readonly id: string;
  readonly name?: unknown;
}

/**
 * `; did you mean "a" or "b"?` for an unknown name; empty when no candidate is close. The closest have all words of the name, as
 * "NVIDIA GeForce RTX 4090" has those of "RTX 4090". Then come those with the words as parts of theirs, then those that differ by a few
 * letters.
 */
export function didYouMean(name: string, candidates: readonly (string | Named)[]): string {
  const wanted = name.toLowerCase();
  const words = wanted.split(/\s+/);
  const farFrom = (candidate: string) => {
    if (words.every((word) => wordsOf(candidate).includes(word))) return -1;
    if (words.every((word) => candidate.includes(word))) return 0;
    return sameLetters(wanted, candidate) ? 0.5 : distance(wanted, candidate);
  };
  const all = candidates
    .map((candidate) => (typeof candidate === "string" ? { id: candidate } : candidate))
    .flatMap(({ id, name = id }) =>
      [id, String(name)].map((text) => ({ id, far: farFrom(text.toLowerCase()) })),
    );
  // Of a short name, two letters are nearly all.
  const most = name.length < 5 ? 1 : Math.max(2, name.length / 3);
  const least = Math.min(...all.map(({ far }) => far));
  const limit = least <= 0 ? least : most;
  const close = all.filter(({ far }) => far <= limit).sort((a, b) => a.far - b.far);
  const ids = [...new Set(close.map(({ id }) => id))].slice(0, 3);
  return ids.length === 0 ? "" : `; did you mean ${oneOf(ids)}?`;
}

/** A name that is one word, such as the id of a data center, and its parts: `NVIDIA A100-SXM4-80GB` has `A100`. */
const wordsOf = (name: string) => [...name.split(/\s+/), ...name.split(/[\s-]+/)];

/** Letters in another order, as in "RTX 4900" for "RTX 4090": the likeliest mistake of all. */
function sameLetters(a: string, b: string): boolean {
  return a.length === b.length && [...a].sort().join() === [...b].sort().join();
}

/** Suggests names of objects. */
export function nearestName(name: string, objects: readonly Named[]): string {
  const names = objects.map((object) => object.name).filter((candidate) => typeof candidate === "string");
  return didYouMean(name, names);
}

/** More names than this are too many for a message. */
const shortList = 8;

/**
 * Suggests the property that was probably meant: its name is similar, or the key begins with it (`imageName`), or it begins with the key
 * (`user`), also within another property (`gpu` for `compute.gpuTypeId`). When none is close, it lists the properties or their number.
 */
export function nearestProperty(
  key: string,
  names: readonly string[],
  nested: readonly string[] = [],
): string {
  if (names.length === 0) return "";
  const beginsWithKey = (candidate: string) => key.length > 2 && candidate.startsWith(key);
  const leaf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const name =
    nested.find((path) => leaf(path) === key) ??
    misspelt(key, names) ??
    names.find((candidate) => key.startsWith(candidate) || beginsWithKey(candidate)) ??
    nested.find((path) => beginsWithKey(leaf(path)));
  if (name !== undefined) return `; did you mean "${name}"?`;
  return names.length > shortList
    ? `; the documentation lists the ${names.length} that there are`
    : `; it takes ${[...names].sort().join(", ")}`;
}

/** The name from which the key differs by a few letters. */
export function misspelt(key: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const nearest = closest(key, names);
  return distance(key, nearest) <= Math.max(2, nearest.length / 3) ? nearest : undefined;
}

/** `"a", "b" or "c"`. */
export function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length < 2 ? `${quoted[0]}` : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}
