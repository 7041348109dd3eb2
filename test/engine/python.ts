import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder, makeOnce } from "./cache";
import { isOnPath } from "./on-path";
import { run } from "./progress.cjs";
import { goBuild, pinnedIn, pinnedVersion } from "./source";

const HOST = "pulumi-language-python";
const SDK = "github.com/pulumi/pulumi/sdk/v3";
/** Its go.mod pins the last version of Pulumi's SDK for Go that has the hosts. */
const MODULE = "language-nodejs";
const REQUIREMENTS = join(__dirname, "language-python", "requirements.txt");
const GENERATOR = "generate-sdk";

/**
 * Makes what the specifications of programs in Python need, once: the generator of SDKs, an environment with Pulumi's
 * SDK, and the language host. `$PODLUMI_TEST_PYTHON`, the folder of its commands, tells that all of it is there.
 */
export async function usePython(): Promise<void> {
  try {
    const environment = await preparedEnvironment();
    await useHost();
    await useGenerator();
    process.env.PODLUMI_TEST_PYTHON = join(environment, "bin");
  } catch (error) {
    const [reason] = (error as Error).message.trim().split("\n").slice(-1);
    throw new Error(`the specifications of programs in Python are skipped: ${reason}`);
  }
}

async function preparedEnvironment(): Promise<string> {
  const script =
    "import ensurepip, sys; assert sys.version_info >= (3, 9); print(sys.implementation.cache_tag)";
  const { stdout } = await promisify(execFile)("python3", ["-c", script]).catch(() => {
    throw new Error("no Python 3.9 or later with venv");
  });
  const environment = cacheFolder(`python-${digest(REQUIREMENTS)}-${stdout.trim()}`);
  await makeOnce(environment, async (folder) => {
    await run("engine: making an environment for Python (once)", "python3", ["-m", "venv", folder]);
    await run("engine: installing Pulumi's SDK for Python (15 MB, once)", join(folder, "bin", "python"), [
      "-m",
      "pip",
      "install",
      "--no-compile",
      "--requirement",
      REQUIREMENTS,
    ]);
  });
  return environment;
}

async function useHost(): Promise<void> {
  if (isOnPath(HOST)) return;
  const cached = cacheFolder(`language-python-${pinnedIn(MODULE, SDK)}`);
  await makeOnce(cached, async (root) => {
    const bin = join(root, "bin");
    await mkdir(bin);
    await goBuild(bin, { command: `${SDK}/python/cmd/${HOST}`, module: MODULE, takes: "about 1 minute" });
    const cwd = join(__dirname, MODULE);
    const { stdout } = await promisify(execFile)("go", ["list", "-m", "-f", "{{.Dir}}", SDK], { cwd });
    // The host starts each program by this script.
    const script = join(bin, `${HOST}-exec`);
    await copyFile(join(stdout.trim(), "python", "cmd", `${HOST}-exec`), script);
    await chmod(script, 0o755);
  });
  process.env.PATH = [process.env.PATH, join(cached, "bin")].join(delimiter);
}

/** Builds the generator of SDKs for other languages, once: `$PODLUMI_TEST_GENERATE_SDK`. */
async function useGenerator(): Promise<void> {
  const source = join(__dirname, "pulumi", GENERATOR, "main.go");
  const cached = cacheFolder(`${GENERATOR}-${pinnedVersion()}-${digest(source)}`);
  await makeOnce(cached, (root) =>
    goBuild(root, { command: `./${GENERATOR}`, module: "pulumi", takes: "about 2 minutes" }),
  );
  process.env.PODLUMI_TEST_GENERATE_SDK = join(cached, GENERATOR);
}

/** Tells versions of a file apart. */
const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 8);
