import type { Properties } from "../../value";

/** The objects of a kind hold data. */
export interface Data {
  /** Lost for good by a replacement, in words for a message; undefined when nothing is. */
  held(properties: Properties): string | undefined;
  /** Lost by a restart of the object as it is now, in words for a message; undefined where nothing runs. */
  lostByRestart?(present: Properties): string | undefined;
}
