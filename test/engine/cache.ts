import { existsSync } from "node:fs";
import { mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./progress.cjs";

const TOUCH_EVERY_MS = 2_000;
const STALE_AFTER_MS = 15_000;

/**
 * Where an engine of this version lies, outside the checkout, so that every clone shares it:
 * `$PODLUMI_ENGINE_CACHE` or else `$XDG_CACHE_HOME/podlumi/engine` (`~/.cache` by default), one folder for each
 * version and platform.
 */
export function cacheFolder(version: string): string {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const root = process.env.PODLUMI_ENGINE_CACHE || join(caches, "podlumi", "engine");
  return join(root, `${version}-${process.platform}-${process.arch}`);
}

/**
 * Makes a folder unless it is there. It appears complete or not at all, and of several processes that ask at
 * once, one makes it while the others wait.
 *
 * @param make fills the empty folder that it gets, which is then moved to its place
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
    // The process that held the lock before may have finished after this one looked.
    if (existsSync(folder)) return;
    // Inside the lock: whoever removes a stale lock also removes what its owner left half-made.
    const workshop = join(lock, "workshop");
    await mkdir(workshop);
    await make(workshop);
    await rename(workshop, folder);
  } finally {
    clearInterval(touch);
    await rm(lock, { recursive: true, force: true });
  }
}

/** A lock is a folder, because making one is atomic; its owner keeps its time fresh for as long as it lives. */
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
