import type { Kind } from "./kind/definition";
import type { Run } from "./run";
import type { Properties } from "./value";

/** A resource, and what the program says of it. */
export interface Resource {
  readonly kind: Kind;
  readonly run: Run;
  readonly inputs: Properties;
}

/** A resource that has an object, as the state has it. */
export interface Existing {
  readonly kind: Kind;
  readonly run: Run;
  readonly id: string;
  readonly state: Properties;
}

/** The same, with what the program says of it. */
export interface Edit extends Existing, Resource {}
