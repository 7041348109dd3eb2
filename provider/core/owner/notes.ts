import type { Naming } from "../names/naming";
import type { Properties } from "../value";

/** What this run has learned about a resource. */
export interface Notes {
  /** The URN that its state has: an older one after a rename. */
  formerUrn?: unknown;
  /** How the engine wants its name made up, where it says so with the check. */
  naming?: Naming;
  /** Its inputs were checked in this run. */
  checked?: true;
  /** The inputs in its state, as check got them. */
  inputs?: Properties;
  /** What the program declares of it, as check left it. */
  declared?: Properties;
  /** The names of the inputs that are secret in the program, or hold something secret. */
  secrets?: readonly string[];
  /** The name of its object. */
  name?: unknown;
  /** The program gives its name. */
  nameGiven?: boolean;
  /** Whether its options have a replacement made while its object is still there; undefined where the program does not tell. */
  madeFirst?: boolean;
  /** The id of the object that it adopts or takes over. */
  found?: string;
  /** The id of the object whose take-over was logged. */
  announced?: string;
  /** The id and state of its object, and what differs, when no difference needs a replacement. */
  compared?: Compared;
  /** podlumi itself asks for the replacement of its object, and has looked at the data that it holds. */
  replaced?: true;
  /** The engine has checked it without old inputs: it is new, or replaced. */
  isNew?: true;
  /** The engine has deleted its object, whose loss the user had confirmed. It is still to be checked. */
  guarded?: true;
  /** The requests of its update are over. */
  updated?: true;
  /** It has an object, or had one when this run began. */
  existed?: true;
}

/** What a comparison has found that needs no replacement. */
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
