import type { Properties } from "../../value";

/** An object as the service returns it. Its keys are the resource's outputs. */
export type Observed = Properties;

/** An observed object with its id. */
export type ServiceObject = Observed & { id: string };

/** The value that `read` gives a write-only field when the service tells that somebody else has set it. */
export const setElsewhere = Symbol("set elsewhere");

/** How an object is read. */
export interface Reading {
  /** How old a response may be, in milliseconds. Default: 0. */
  readonly age?: number;
  /** Also what no program declares, even if that takes another request. */
  readonly isWhole?: boolean;
}
