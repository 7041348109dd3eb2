// JavaScript, because test/setup.mjs needs it before anything is installed.
const { mkdirSync, rmSync, statSync, utimes } = require("node:fs");
const { setTimeout: sleep } = require("node:timers/promises");
const { say } = require("./progress.cjs");

const TOUCH_EVERY_MS = 2_000;
const STALE_AFTER_MS = 15_000;

async function once(lock, { isDone, waiting, work }) {
  for (let isTold = false; !isDone(); isTold = true) {
    if (acquire(lock)) return holding(lock, async () => isDone() || work());
    if (!isTold) say(waiting);
    await sleep(500);
  }
}

async function holding(lock, work) {
  const touch = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), TOUCH_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(touch);
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Making a folder is atomic. An old one is of a process that was killed. */
function acquire(lock) {
  // Answers undefined where the folder exists.
  if (mkdirSync(lock, { recursive: true }) !== undefined) return true;
  const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (Date.now() - touched > STALE_AFTER_MS) rmSync(lock, { recursive: true, force: true });
  return false;
}

module.exports = { once };
