import { Delegations } from "./delegations";
import { GlobalVolumes } from "./global-volumes";
import type { PlainKind } from "./objects";

/** The kinds that stand alone, by the names of their lists. */
export const plainKinds = {
  globalVolumes: GlobalVolumes,
  delegations: Delegations,
};

type Plain = { readonly [Name in keyof typeof plainKinds]: InstanceType<(typeof plainKinds)[Name]> };

/** Something for each of them. */
export function ofPlainKinds<T>(make: (kind: PlainKind, name: keyof Plain) => T): Record<keyof Plain, T> {
  const entries = Object.entries(plainKinds) as unknown as [keyof Plain, PlainKind][];
  return Object.fromEntries(entries.map(([name, kind]) => [name, make(kind, name)])) as Record<
    keyof Plain,
    T
  >;
}

export type { Plain };
