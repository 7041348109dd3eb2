import { distance } from "fastest-levenshtein";
import { oneOf } from "./check";

/** `; did you mean "a" or "b"?` for a name that there is none of, or nothing when no other comes close. */
export function didYouMean(name: string, others: readonly string[]): string {
  const wanted = name.toLowerCase();
  const close = [...new Set(others)]
    .map((other) => ({ other, lower: other.toLowerCase() }))
    .map(({ other, lower }) => ({ other, far: lower.includes(wanted) ? 0 : distance(wanted, lower) }))
    .filter(({ far }) => far <= Math.max(2, name.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ other }) => other);
  return close.length === 0 ? "" : `; did you mean ${oneOf(close)}?`;
}
