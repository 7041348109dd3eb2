import type { Api } from "../../client/api";

/** Names of a kind's objects, and the place of their mark. */
export interface Naming {
  /**
   * Names are unique in the account, so a replacement under the same name deletes the old object first. "ignoring case": the service
   * takes names that differ in case alone for the same.
   */
  readonly unique?: true | "ignoring case";
  /** Where an object carries its mark. Default: in the name that podlumi makes up. (API: Mark of ownership) */
  readonly mark?: "env" | "description";
  /** Whether the service can give an object another mark. Default: it can. */
  canMark?(api: Api): Promise<boolean>;
  /** An object's write-only value is what containers get for their references to its name. */
  readonly givesValue?: true;
}
