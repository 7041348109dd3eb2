import { secretKey } from "../../identity";
import { isRecord, keyed, mapped, type Properties } from "../../value";

/** Pulumi's mark beside a secret value. */
export const secretMark = { [secretKey]: "1b47061264138c4ac30d75fd1eb44270" };

/** In a state, a secret is encrypted, and has no `value`. */
export function isSecret(value: unknown): value is { readonly value?: unknown } {
  return isRecord(value) && value[secretKey] === secretMark[secretKey];
}

export function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

export function unwrapped<T>(value: T): T {
  if (Array.isArray(value)) return value.map(unwrapped) as T;
  if (!isRecord(value)) return value;
  if (isSecret(value)) return unwrapped(value.value) as T;
  return mapped(value, unwrapped) as T;
}

/** A value as a secret; nothing stays nothing. */
export function secret(value: unknown): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  return { ...secretMark, value: unwrapped(value) };
}

/** Wraps the values of these properties. */
export function withSecrets(properties: Properties, names: readonly string[]): Properties {
  const wrapped = names.filter((name) => properties[name] !== undefined);
  return { ...properties, ...keyed(wrapped, (name) => secret(properties[name])) };
}
