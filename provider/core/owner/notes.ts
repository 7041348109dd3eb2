import type { ServiceObject } from "../kind/definition";
import type { Naming } from "../names/autonaming";
import type { Properties } from "../value";

/** What this run has learned about a resource. The engine tells it call by call, and podlumi needs it in later ones. */
export interface Notes {
  /** How the engine wants its name made up, where it says so with the check. */
  naming?: Naming;
  /** What the program says of it. Undefined before its inputs were checked in this run. */
  checked?: Checked;
  /** What it had before this run. Undefined: no object, as far as this run has seen. */
  had?: Had;
  /** What comparing its object with the program has found, where that needs no replacement. Undefined while nothing has. */
  compared?: Compared;
  /** podlumi itself asks for the replacement of its object. */
  replaced?: boolean;
  /** The names of the inputs that are secret in the program, or hold something secret. */
  secrets?: readonly string[];
  /** The id of the object that it adopts or takes over. */
  found?: string;
  /** The id of the object that it has in the state, adopted by what the program says still, and that a replacement adopts again. */
  adopted?: string;
  /** The id of the object whose take-over was logged. */
  announced?: string;
  /** The engine has deleted its object, whose loss the user had confirmed. It is still to be checked. */
  guarded?: true;
  /** The requests of its update are over. */
  updated?: true;
  /** What its create or update in this run has left, which failed. */
  left?: Left;
  /** What a replacement that deletes first has kept, for its create to adopt again. */
  kept?: Left;
  /** How often this run has begun its create or update. */
  tries?: number;
  /** What its create in this run has sent. */
  sent?: SentCreate;
  /** Why nothing tells whether its create in this run has created an object. */
  unproven?: Error;
}

/** The requests of a create. One that a hook of the program retries continues them. */
export interface SentCreate {
  /** Digits that identify it in the marks of what it creates. */
  readonly digits: string;
  /** All objects of the kind before the first request. */
  readonly existing: readonly ServiceObject[];
  /** How many requests were sent. */
  attempts: number;
  /** The numbers of the requests that had no clear answer. */
  readonly unclear: number[];
  /** When the last of these failed, by this machine's clock. */
  unclearAt: number;
}

/** The object of a failed create or update, and the state that is kept of it. */
export interface Left {
  readonly id: string;
  readonly state: Properties;
}

/** What the program says of a resource. */
export interface Checked {
  /** The inputs, as check left them. Empty while it looks. */
  declared: Properties;
  /** The program gives its name. */
  readonly nameGiven: boolean;
  /** The engine has checked it without old inputs: it is new, or replaced. */
  readonly isNew: boolean;
  /** Whether its options have a replacement created while its object is still there; undefined where the program does not tell. */
  readonly madeFirst: boolean | undefined;
}

/** What a resource had before this run. */
interface Had {
  /** The id of its object, where this run has compared that, or asked the state for what is replaced. */
  readonly id?: string;
  /** The name of its object; undefined where only the object is known. */
  readonly name?: unknown;
  /** The inputs in its state, as check got them. */
  readonly inputs?: Properties;
  /** The id in `adopt` by which it has adopted nothing yet, and which the program does not ignore (`ignoreChanges`). */
  readonly added?: string;
  /** The URN that its state has: an older one after a rename. */
  readonly urn?: unknown;
}

/** What a comparison has found. */
interface Compared {
  readonly id: string;
  readonly state: Properties;
  readonly changed: readonly string[];
  /**
   * Compared without a check, and with unknown values: the engine is about to delete something first, and asks what of it has to be
   * replaced as well. That it deletes at once.
   */
  readonly early: boolean;
}
