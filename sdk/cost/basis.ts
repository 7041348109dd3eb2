import { isSecret } from "../../provider/core/state/secret-value";
import type { CpuType, GpuType } from "../../provider/functions/catalog/types";
import type { Properties } from "../../provider/value";
import { filtered, isRecord, isUnknown, keyed, mapped } from "../../provider/value";

/** The properties of a kind that decide its cost. The rest of `mounts` may be unknown, as the id of a new volume is. */
export const basis = {
  Cluster: ["compute", "disk", "mounts.persistent"],
  NetworkVolume: ["size", "type"],
  Pod: ["gpu", "cpu", "cloud", "placements", "disk", "mounts.persistent", "desiredStatus"],
  ServerlessEndpoint: ["gpu", "cpu", "workers", "disk"],
} as const satisfies Record<string, readonly string[]>;

/** The list prices of the catalog. */
export interface Prices {
  readonly gpus: readonly GpuType[];
  readonly cpus: readonly CpuType[];
}

/** The kinds whose objects cost money. */
export type CostKind = keyof typeof basis;

/**
 * The values of these properties, by their paths; null for a missing part of an object. `adopts`: the program adopts the object, so a
 * missing value is the object's, and no default.
 */
export type Basis = Readonly<Record<string, unknown>> & {
  readonly adopts?: boolean;
};

export function isCostKind(kind: string | undefined): kind is CostKind {
  return kind !== undefined && Object.hasOwn(basis, kind);
}

/** Reads no property beside the basis: a preview may not know the id of a template. */
export function basisOf(
  kind: CostKind,
  declared: Readonly<Properties>,
  present: Readonly<Properties> = {},
): Basis {
  const values = basis[kind].map((path) => [path, filled(valueAt(declared, path), valueAt(present, path))]);
  return { ...Object.fromEntries(values), adopts: declared.adopt !== undefined };
}

/** The value at a path of the basis. Where a value cannot be read, a part of it is the whole value, so that it cannot be read either. */
export function valueAt(values: Readonly<Properties>, path: string): unknown {
  const [name = "", inner] = path.split(".");
  const value = values[name] ?? undefined;
  if (inner === undefined || value === undefined) return value;
  return isRecord(value) && !isSecret(value) ? (value[inner] ?? null) : value;
}

/** The declared value. Values that the program leaves out, in objects too, are those of the object. */
export function filled(declared: unknown, present: unknown): unknown {
  if (declared === undefined) return present;
  if (!isRecord(declared) || !isRecord(present)) return declared;
  const keys = Object.keys({ ...present, ...declared });
  return keyed(keys, (key) => filled(declared[key] ?? undefined, present[key]));
}

/** The object's values that an update leaves alone. Keys that the program removes from an object, or with it, get their defaults again. */
export function leftAlone(
  present: Properties = {},
  before: Properties = {},
  declared: Properties = {},
): Properties {
  return mapped(present, (value, name) => {
    const earlier = before[name];
    if (!isRecord(earlier) || !isRecord(value)) return value;
    return declared[name] === undefined ? undefined : filtered(value, (key) => !(key in earlier));
  });
}

/** The reason why a value in a file of Pulumi, or a value inside it, cannot be read; undefined when it can. */
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
