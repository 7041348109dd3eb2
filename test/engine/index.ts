import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { cacheFolder, makeOnce } from "./cache";
import { findOnPath, MINIMUM_VERSION } from "./on-path";
import { run, say } from "./progress.cjs";
import { buildFromSource, pinnedVersion, requiredGo } from "./source";

const INSTALLER_LIMIT_MS = 5 * 60_000;

/**
 * Finds or installs the real Pulumi engine. Returns the folder with `pulumi`, its Node.js language host and the script
 * that starts a dynamic provider. It uses the first of these that works:
 *
 * 1. a recent enough `pulumi` on PATH,
 * 2. the vendor's installer,
 * 3. a build from source with Go, for networks that reach only package registries.
 *
 * The results of the second and the third are kept in a cache outside the checkout. Progress, and one line that names
 * the engine, go to standard error.
 */
export async function enginePath(): Promise<string> {
  const found = await findOnPath();
  if ("folder" in found) {
    say(`engine: pulumi ${found.version} on PATH, in ${found.folder}`);
    return found.folder;
  }
  const version = pinnedVersion();
  const cached = cacheFolder(version);
  let way = "from the cache";
  if (!existsSync(cached)) {
    say(
      `engine: ${found.missing}, so that the first time it is downloaded, or built from source in about 6 minutes; an installed pulumi ${MINIMUM_VERSION} or later takes its place`,
    );
    await makeOnce(cached, async (root) => {
      way = await obtain(version, root, found.missing);
    });
  }
  const folder = join(cached, "bin");
  say(`engine: pulumi ${version} ${way}, in ${folder}`);
  return folder;
}

/** Finds or installs the engine with {@link enginePath}, and puts it first on the PATH of this process. */
export async function useEngine(): Promise<void> {
  process.env.PATH = [await enginePath(), process.env.PATH].join(delimiter);
}

/** Installs or builds the engine into `root/bin`. Returns how. */
async function obtain(version: string, root: string, missing: string): Promise<string> {
  const failures = [missing];
  try {
    await runInstaller(version, root);
    return "from the vendor's installer";
  } catch (error) {
    failures.push(`the vendor's installer failed: ${reason(error)}`);
    say(`  not to be had (${reason(error)}): building it instead`);
  }
  try {
    await buildFromSource(root);
    return "built from source";
  } catch (error) {
    const noGo = (error as NodeJS.ErrnoException).code === "ENOENT";
    failures.push(`the build from source failed: ${noGo ? "no go on PATH" : (error as Error).message}`);
  }
  throw new Error(
    [
      "There is no Pulumi engine, and no way to get one worked:",
      ...failures.map((failure) => `- ${failure}`),
      `Install Pulumi ${MINIMUM_VERSION} or later (https://www.pulumi.com/docs/install/),`,
      `or Go ${requiredGo()} or later (https://go.dev/dl/) to have it built, and start again.`,
    ].join("\n"),
  );
}

async function runInstaller(version: string, root: string): Promise<void> {
  // Downloads go into `root`, so that they are removed with it when the installer is stopped.
  const downloads = join(root, "downloads");
  await mkdir(downloads);
  try {
    await run(
      `engine: running the vendor's installer for pulumi ${version} (about 1 minute, once)`,
      process.execPath,
      ["--import", "tsx", join(__dirname, "official-installer.ts"), version, root],
      { cwd: __dirname, env: { ...process.env, TMPDIR: downloads }, limit: INSTALLER_LIMIT_MS },
    );
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

/** The last line of a command's output, which says why it failed. */
export function reason(error: unknown): string {
  return (error as Error).message.trim().split("\n").at(-1) ?? "";
}
