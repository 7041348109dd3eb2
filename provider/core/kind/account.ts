import type { Failure } from "../../schema/failure";
import type { Properties } from "../../value";

/** A refusal to expect: a failure where it is certain, otherwise a warning. */
export interface Finding extends Failure {
  readonly certain: boolean;
}

/** The object of a resource that this run has compared with the program. */
export interface Compared {
  readonly id: string;
  readonly state: Properties;
  /** The fields that differ. */
  readonly changed: readonly string[];
  /** podlumi itself asks for another one. */
  readonly isReplaced: boolean;
}

/** What a kind sees of the resources of a run. */
export interface Resources {
  readonly holders: { of(id: string): string | undefined };
  record(urn: unknown): {
    readonly before: Properties | undefined;
    readonly declared: Properties | undefined;
    readonly compared: Compared | undefined;
  };
}
