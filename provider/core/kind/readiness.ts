import type { Api } from "../../client/api";
import type { Properties } from "../../value";
import type { Observed } from "./object";

/** The steps after the request of a create or an update. */
export interface Readiness {
  /** Runs after each create and update, and again in the next `pulumi up` when it fails. */
  make(unready: Unready): Promise<Observed>;
  /** Fields that `make` may leave otherwise than the state has them when it fails. */
  readonly unsettled?: readonly string[];
  /** The release that an update is about to replace; undefined where nobody waits for the new one. Asked before the update is sent. */
  previousRelease?(api: Api, id: string, patch: Properties, inputs: Properties): Promise<number | undefined>;
  /** A read shows that the object is ready. Without this function, only an update finds that out. */
  isSeen?(observed: Observed): boolean;
  /** The state does not prove that `make` has done what the program says. */
  isUnproven?(state: Properties, inputs: Properties): boolean;
}

/** An object that a request has created or changed. */
export interface Unready {
  readonly api: Api;
  readonly id: string;
  /** Everything that was asked of the service. */
  readonly wanted: Properties;
  /** The last response. */
  readonly observed: Observed;
  /** The state before an update, or empty after a create. */
  readonly before: Properties;
  /** This call has created the object. */
  readonly isNew: boolean;
  readonly previousRelease?: number | undefined;
}
