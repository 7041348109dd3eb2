import { rmSync } from "node:fs";

/**
 * Removes a folder in which `pulumi` has run. What podlumi asks it may end, and write its log, a moment after the command: `rmSync` alone
 * does not see a file that comes while it works.
 */
export function removeFolder(folder: string): void {
  for (let left = 50; ; left--) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
