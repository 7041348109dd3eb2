import type { Pending } from "../engine/export";
import type { Kind } from "./kind/definition";
import type { UnfinishedCreate } from "./owner/open-create";
import type { Properties } from "./value";

/** A create that an earlier run left pending. */
export interface InterruptedCreate {
  readonly kind: Kind;
  readonly pending: Pending;
}

/** An object that this run has deleted. */
interface Deleted {
  readonly kind: Kind;
  readonly name: unknown;
  readonly urn: unknown;
}

/** A resource of the program that has no object yet, and that a new name may have given. The account has some objects of its kind. */
export interface Newcomer {
  readonly kind: Kind;
  readonly inputs: Properties;
}

/** A variable that refers to a secret of the account by its name. */
export interface SecretReference {
  readonly urn: unknown;
  readonly property: string;
  /** That of the secret. */
  readonly name: string;
}

/** An object that stays. It was created from `id`, and its `property` names another object by now. */
interface Origin {
  readonly kind: Kind;
  readonly property: string;
  readonly id: string;
  readonly inputs: Properties;
}

/** What the calls of a run leave to its end (`end.ts`): only then is it clear what becomes of it. */
export class AtEnd {
  /**
   * Create calls of which requests may still take effect, by the URN; those of earlier runs by the id of what they created. The end
   * deletes the twins that they have created, or names them.
   */
  readonly unfinished = new Map<unknown, UnfinishedCreate>();
  /** Creates of earlier runs that creates of this one have waited for, by their URN. The end names what nothing has taken over. */
  readonly interrupted = new Map<string, InterruptedCreate>();
  /** The kinds of the objects of the state that this run has read or deleted. The end looks for orphans of these. */
  readonly kindsInState = new Set<Kind>();
  /** The kinds of the objects that this run was to delete, and that the service did not show, by their ids. The end looks again. */
  readonly absent = new Map<string, Kind>();
  /** What this run has deleted, by the ids. The end looks for what still refers to it. */
  readonly deleted = new Map<string, Deleted>();
  /** What the program declares for the first time. The end of a preview warns where it may have had another name, with data or an id. */
  readonly newcomers: Newcomer[] = [];
  /** What new or changed variables of the program refer to by name. The end warns where nothing has the name. */
  readonly secretReferences: SecretReference[] = [];
  /** What stays, and was created from another object than the program names by now. The end warns of that object. */
  readonly origins: Origin[] = [];
  /** How many objects of the state a refresh has begun to read, and how many the account does not have. The end warns where it has none. */
  readonly refreshed = { asked: 0, gone: 0 };
}
