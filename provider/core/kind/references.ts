import type { Path } from "../../path";
import type { Failure } from "../../schema/failure";
import type { Properties } from "../../value";

/** Conditions between a resource and the objects that its inputs name. They fail in the preview. */
export interface ReferencesOf<Kind> {
  /** The fields that matter to `find`. Nothing is looked up when none of them is new or changed. */
  readonly about: readonly string[];
  find(known: KnownOf<Kind>, inputs: Properties): Promise<Failure[]>;
}

/** A property of the object whose id stands at a path of the inputs; undefined when nobody knows it yet. */
export type KnownOf<Kind> = (target: Kind, path: Path, name: string) => Promise<unknown>;
