import type { Properties } from "../../value";

/** The objects of a kind hold data. */
export interface Data {
  /** What a replacement would lose for good, in words for a message; undefined when nothing is lost. */
  held(properties: Properties): string | undefined;
  /** What a restart of the object loses, as it is now, in words for a message; undefined where nothing runs. */
  lostByRestart?(present: Properties): string | undefined;
}
