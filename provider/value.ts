/** Named values: inputs, outputs, request bodies. */
export type Properties = Record<string, unknown>;

export function isRecord(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The engine's placeholder for a value that a preview does not know, at any depth and for any type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
  return value === unknownValue;
}

export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (isRecord(value)) return Object.values(value).some(hasUnknown);
  return isUnknown(value);
}

/** Not set: `null`, `""`, `[]` and `{}` clear a value, and the service returns any of them, or nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Certainly given. */
export function isThere(value: unknown): boolean {
  return value !== undefined && !isUnknown(value);
}

/** Empty at every depth, such as `{ network: [] }`. */
export function isBlank(value: unknown): boolean {
  return isEmpty(value) || (isRecord(value) && Object.values(value).every(isBlank));
}

/**
 * The observed value has everything that the program declares. Keys that the service added do not matter. Lists
 * of plain values are sets (ports, data centers, pools, versions). Lists of objects have an order (CPU selections in
 * order of preference).
 */
export function covers(observed: unknown, declared: unknown): boolean {
  if (isBlank(declared)) return isBlank(observed);
  if (Array.isArray(declared)) {
    if (!Array.isArray(observed)) return false;
    if (declared.some(isRecord))
      return (
        observed.length === declared.length && declared.every((item, index) => covers(observed[index], item))
      );
    const [have, want] = [new Set(observed), new Set(declared)];
    return have.size === want.size && [...want].every((item) => have.has(item));
  }
  if (isRecord(declared)) {
    return (
      isRecord(observed) && Object.entries(declared).every(([key, value]) => covers(observed[key], value))
    );
  }
  return (
    observed === declared || (isScalar(observed) && isScalar(declared) && `${observed}` === `${declared}`)
  );
}

/** A value with `filling` for its unknown parts. In a list of plain values, they may stand anywhere. */
export function withUnknown(value: unknown, filling: unknown): unknown {
  if (isUnknown(value)) return filling;
  if (Array.isArray(value)) {
    if (value.some(isUnknown)) return filling;
    return value.map((item, index) => withUnknown(item, Array.isArray(filling) ? filling[index] : undefined));
  }
  return isRecord(value) ? mapped(value, (item, key) => withUnknown(item, Object(filling)[key])) : value;
}

/** A number and the same number as text count as equal, so both are scalars here. */
function isScalar(value: unknown): value is number | string {
  return typeof value === "number" || typeof value === "string";
}

/** The observed value, in the form of the declared value where both mean the same, so that no change shows. */
export function asWritten(observed: unknown, declared: unknown): unknown {
  if (declared !== undefined && isBlank(declared) && isBlank(observed)) return declared;
  if (isRecord(observed) && isRecord(declared)) {
    const keys = Object.keys({ ...observed, ...declared });
    return keyed(keys, (key) => asWritten(observed[key], declared[key]));
  }
  if (Array.isArray(observed) && Array.isArray(declared) && covers(observed, declared)) {
    return declared.map((item, index) => (isRecord(item) ? asWritten(observed[index], item) : item));
  }
  return isScalar(observed) && isScalar(declared) && covers(observed, declared) ? declared : observed;
}

/**
 * The properties that a program declared, without their values: `true` for a value, an outline for a nested object. By the outline in
 * the state, a later run knows which properties the program removed, and a refresh knows which inputs to return.
 */
export type Outline = true | Outline[] | { [key: string]: Outline };

export function outline(declared: unknown): Outline {
  if (Array.isArray(declared) && declared.some(isRecord)) return declared.map(outline);
  if (!isRecord(declared)) return true;
  return mapped(declared, outline);
}

export function pick(value: unknown, shape: Outline): unknown {
  if (shape === true) return value;
  if (Array.isArray(shape)) {
    return Array.isArray(value) ? value.map((item, index) => pick(item, shape[index] ?? true)) : value;
  }
  if (!isRecord(value)) return value;
  const keys = Object.keys(shape).filter((key) => value[key] !== undefined);
  return keyed(keys, (key) => pick(value[key], shape[key] as Outline));
}

/** All texts of a value, and its numbers as texts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export function filtered<Value>(
  properties: Readonly<Record<string, Value>>,
  test: (name: string, value: Value) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(properties).filter(([name, value]) => test(name, value)));
}

export function without(names: readonly string[], properties: Properties): Properties {
  return filtered(properties, (name) => !names.includes(name));
}

/** Without unknown values. */
export function knownOf(properties: Properties = {}): Properties {
  return filtered(properties, (_name, value) => !isUnknown(value));
}

export function defined(properties: Properties): Properties {
  return filtered(properties, (_name, value) => value !== undefined);
}

export function keyed<Value>(names: readonly string[], of: (name: string) => Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}

export function mapped<Value, Other>(
  properties: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Other,
): Record<string, Other> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, change(value, name)]));
}
