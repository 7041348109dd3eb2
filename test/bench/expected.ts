import { availableParallelism } from "node:os";
import type { Phase } from "./life";
import { levels } from "./program";

/** How many creates or deletes the engine runs at a time. */
export const lanes = 4 * availableParallelism();

/**
 * The round trips that a phase of the mixed stack is expected to make, one after the other. It may make fewer: the engine
 * creates the first resources while it checks the last ones.
 */
export function expectedTrips(phase: Phase, size: number): number {
  // What refers to something waits for it, and the engine has a limit of its own.
  const changes = Math.max(levels(size), Math.ceil(size / lanes));
  switch (phase) {
    case "up":
      // The program tells of its kinds with the first resource, so all looks go out at once.
      return 1 + changes;
    case "again":
      return 0;
    case "refresh":
      return 1;
    case "destroy":
      // At its first need, each kind is listed, for whose its objects are; and once those that may name a secret or a credential.
      return levels(size) + changes + 1;
  }
}
