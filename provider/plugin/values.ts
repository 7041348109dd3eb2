import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord, type Properties } from "../core/value";
import { secretKey } from "../identity";
import { masked } from "../mask";

/** The key, and its value for secrets, by which Pulumi tells wrapped values from plain ones. */
const wrapper = { key: secretKey, secret: "1b47061264138c4ac30d75fd1eb44270" };

/** The properties of a request, secrets still wrapped. */
export function fromStruct(struct: Struct | undefined): Properties {
  return (struct?.toJavaScript() ?? {}) as Properties;
}

/** The same values without wrappers. */
export function unwrapped<T>(value: T): T {
  if (Array.isArray(value)) return value.map(unwrapped) as T;
  if (!isRecord(value)) return value;
  if (isSecret(value)) return unwrapped(value.value) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)])) as T;
}

/** Wraps each value that is secret at the same place of one of these. */
export function secretLike(value: unknown, ...examples: readonly unknown[]): unknown {
  if (examples.some(isSecret)) return secret(value);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      secretLike(item, ...examples.map((example) => (Array.isArray(example) ? example[index] : undefined))),
    );
  }
  if (!isRecord(value) || isSecret(value)) return value;
  const inner = (key: string) => examples.map((example) => (isRecord(example) ? example[key] : undefined));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, secretLike(item, ...inner(key))]),
  );
}

/** A value as a secret; nothing stays nothing. */
export function secret(value: unknown): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  return { [wrapper.key]: wrapper.secret, value: unwrapped(value) };
}

/** The properties of an answer. */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(properties)));
}

/** Whether a value is wrapped as a secret. */
export function isSecret(value: unknown): value is { value: unknown } {
  return isRecord(value) && value[wrapper.key] === wrapper.secret;
}

/** All texts inside of secrets. */
function secretTexts(value: unknown, inSecret = false): string[] {
  if (typeof value === "string") return inSecret ? [value] : [];
  if (isSecret(value)) return secretTexts(value.value, true);
  if (Array.isArray(value)) return value.flatMap((item) => secretTexts(item, inSecret));
  return isRecord(value) ? Object.values(value).flatMap((item) => secretTexts(item, inSecret)) : [];
}

/** Whether a value has a secret at any depth. */
export function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** Wraps the values of these properties. */
export function withSecrets(properties: Properties, names: readonly string[]): Properties {
  const wrapped = names.filter((name) => properties[name] !== undefined);
  return { ...properties, ...Object.fromEntries(wrapped.map((name) => [name, secret(properties[name])])) };
}

/** Whether a value is secret in the inputs and plain in the state. */
export function isMoreSecret(news: Properties, state: Properties): boolean {
  return JSON.stringify(secretLike(state, news)) !== JSON.stringify(state);
}

/** Masks each secret text of some properties. */
export function maskOf(examples: readonly Properties[], open?: string): (text: string) => string {
  const secrets = examples.flatMap((example) => secretTexts(example)).filter((text) => text !== open);
  return (text) => masked(text, secrets);
}

/** The properties except those of these names. */
export function without(names: readonly string[], properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}
