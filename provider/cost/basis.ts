import { isSecret } from "../core/state/secret-value";
import type { Properties } from "../value";
import { filtered, isRecord, isUnknown, keyed, mapped } from "../value";

/** The properties of a kind that decide its cost. The rest of `mounts` may be unknown, as the id of a new volume is. */
export const basis = {
  Cluster: ["compute", "disk", "mounts.persistent"],
  NetworkVolume: ["size", "type"],
  Pod: ["gpu", "cpu", "cloud", "placements", "disk", "mounts.persistent", "desiredStatus"],
  ServerlessEndpoint: ["gpu", "cpu", "workers", "disk"],
} as const satisfies Record<string, readonly string[]>;

/** The kinds whose objects cost money. */
export type CostKind = keyof typeof basis;

/**
 * The values of these properties, by their paths; null for a part that its object leaves out. `adopts`: the program adopts the object,
 * so what is left out is what the object has, and no default. `hasTemplate`: a template may give what is left out.
 */
export type Basis = Readonly<Record<string, unknown>> & {
  readonly adopts?: boolean;
  readonly hasTemplate?: boolean;
};

export function isCostKind(kind: string | undefined): kind is CostKind {
  return kind !== undefined && Object.hasOwn(basis, kind);
}

/** The basis of what the program declares and of what the object has. Reads no other property: a preview may not know the id of a template. */
export function basisOf(
  kind: CostKind,
  declared: Readonly<Properties>,
  had: Readonly<Properties> = {},
): Basis {
  const values = basis[kind].map((path) => [path, filled(valueAt(declared, path), valueAt(had, path))]);
  const hasTemplate = "templateId" in declared;
  return { ...Object.fromEntries(values), adopts: declared.adopt !== undefined, hasTemplate };
}

/** The value at a path of the basis. A part of what cannot be read is all of it, so that it cannot be read either. */
export function valueAt(values: Readonly<Properties>, path: string): unknown {
  const [name = "", inner] = path.split(".");
  const value = values[name] ?? undefined;
  if (inner === undefined || value === undefined) return value;
  return isRecord(value) && !isSecret(value) ? (value[inner] ?? null) : value;
}

/** What the program declares. What it leaves out, in objects too, is what the object has. With a secret, it stays one. */
export function filled(declared: unknown, had: unknown): unknown {
  if (declared === undefined) return had;
  if (!isRecord(declared) || !isRecord(had)) return declared;
  const keys = Object.keys({ ...had, ...declared });
  return keyed(keys, (key) => filled(declared[key] ?? undefined, had[key]));
}

/**
 * What an update leaves alone of what the object has. A key that the program removes from an object gets its default again, and so do
 * the keys of an object that it removes.
 */
export function leftAlone(
  had: Properties = {},
  before: Properties = {},
  declared: Properties = {},
): Properties {
  return mapped(had, (value, name) => {
    const earlier = before[name];
    if (!isRecord(earlier) || !isRecord(value)) return value;
    return declared[name] === undefined ? undefined : filtered(value, (key) => !(key in earlier));
  });
}

/** Without what is unknown. The plugin's preview of a replacement has all outputs of the new object so; its inputs say what the program says. */
export function knownOf(outputs: Properties = {}): Properties {
  return filtered(outputs, (_name, value) => !isUnknown(value));
}

/** Why a value in a file of Pulumi, or a value inside it, cannot be read; undefined when it can. */
export function unreadableReason(value: unknown): string | undefined {
  if (isUnknown(value)) return "is not known before `pulumi up`";
  if (value === "[secret]" || isSecret(value)) return "is a secret";
  if (typeof value !== "object" || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const reason = unreadableReason(inner);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
