import { holdsSecret, isSecret, secret, unwrapped } from "../core/state/secret-value";
import { masked } from "../mask";
import { isRecord, mapped, type Properties, textsIn } from "../value";

/**
 * Wraps each value that is secret at its place in an example. The items of a list have no place, since others can reorder them, so a
 * list with a secret is secret as a whole.
 */
export function secretLike(value: unknown, ...examples: readonly unknown[]): unknown {
  if (examples.some((example) => isSecret(example) || (Array.isArray(example) && holdsSecret(example))))
    return secret(value);
  if (!isRecord(value) || isSecret(value)) return value;
  const inner = (key: string) => examples.map((example) => (isRecord(example) ? example[key] : undefined));
  return mapped(value, (item, key) => secretLike(item, ...inner(key)));
}

function secretTexts(value: unknown): string[] {
  if (isSecret(value)) return textsIn(unwrapped(value));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretTexts) : [];
}

export function isMoreSecret(news: Properties, state: Properties): boolean {
  return JSON.stringify(secretLike(state, news)) !== JSON.stringify(state);
}

/** Masks each secret text of some properties. */
export function maskOf(examples: readonly Properties[], open?: string): (text: string) => string {
  const secrets = examples.flatMap((example) => secretTexts(example)).filter((text) => text !== open);
  return (text) => masked(text, secrets);
}
