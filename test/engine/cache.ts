import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { once } from "./lock.cjs";

/**
 * The cache folder for a version of the engine, or of another tool of the tests. It is outside the checkout, so that
 * all clones share it: in `$PODLUMI_ENGINE_CACHE`, else in `$XDG_CACHE_HOME/podlumi/engine` (by default
 * `~/.cache/podlumi/engine`). Each version and platform has its own folder.
 */
export function cacheFolder(version: string): string {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const root = process.env.PODLUMI_ENGINE_CACHE || join(caches, "podlumi", "engine");
  return join(root, `${version}-${process.platform}-${process.arch}`);
}

/**
 * Makes a folder unless it exists. The folder appears only when it is complete. When several processes ask at the same
 * time, one makes it and the others wait.
 *
 * @param make fills the empty folder that it gets; the folder then moves to its final place
 */
export async function makeOnce(folder: string, make: (workshop: string) => Promise<void>): Promise<void> {
  const lock = `${folder}.lock`;
  await mkdir(dirname(folder), { recursive: true });
  await once(lock, {
    isDone: () => existsSync(folder),
    waiting: `engine: waiting for another process that makes ${folder}`,
    async work() {
      // Inside the lock's folder, so that removing a stale lock also removes the unfinished work of its owner.
      const workshop = join(lock, "workshop");
      await mkdir(workshop);
      await make(workshop);
      await rename(workshop, folder);
    },
  });
}
