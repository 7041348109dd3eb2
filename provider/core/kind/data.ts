import type { Properties } from "../../value";

/** The data in objects of a kind. */
export interface Data {
  /** Lost for good by a replacement, in words for a message; undefined when nothing is. */
  held(properties: Properties): string | undefined;
  /** Each update restarts the object, so that an update without a clear answer is not simply sent again. */
  readonly restartsOnUpdate?: true;
  /** Lost by a restart of the object as it is now, in words for a message; undefined where nothing runs. */
  lostByRestart?(present: Properties): string | undefined;
}
