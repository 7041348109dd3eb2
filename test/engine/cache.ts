import { existsSync } from "node:fs";
import { mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./progress.cjs";

const TOUCH_EVERY_MS = 2_000;
const STALE_AFTER_MS = 15_000;

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
  for (let attempt = 0; !existsSync(folder); attempt++) {
    if (await acquire(lock)) {
      await makeHolding(lock, folder, make);
    } else {
      if (attempt === 0) say(`engine: waiting for another process that makes ${folder}`);
      await sleep(500);
    }
  }
}

async function makeHolding(lock: string, folder: string, make: (workshop: string) => Promise<void>) {
  const touch = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {});
  }, TOUCH_EVERY_MS);
  try {
    // Another process may have finished the folder between the check and the lock.
    if (existsSync(folder)) return;
    // Inside the lock's folder, so that removing a stale lock also removes the unfinished work of its owner.
    const workshop = join(lock, "workshop");
    await mkdir(workshop);
    await make(workshop);
    await rename(workshop, folder);
  } finally {
    clearInterval(touch);
    await rm(lock, { recursive: true, force: true });
  }
}

/** The lock is a folder, because making one is atomic. Its owner touches it regularly; an old one is stale. */
async function acquire(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const touched = await stat(lock).catch(() => undefined);
  if (touched && Date.now() - touched.mtimeMs > STALE_AFTER_MS) {
    await rm(lock, { recursive: true, force: true });
  }
  return false;
}
