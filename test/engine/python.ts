import { execFile } from "node:child_process";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder, makeOnce } from "./cache";
import { digest, useGenerator } from "./generator";
import { useHost } from "./host";
import { reason } from "./index";
import { run } from "./progress.cjs";
import { inModule } from "./source";

const SDK = "github.com/pulumi/pulumi/sdk/v3";
/** Its go.mod pins the last version of Pulumi's SDK for Go that has this host. */
const MODULE = "language-nodejs";
const HOST = "pulumi-language-python";
const REQUIREMENTS = join(__dirname, "language-python", "requirements.txt");

/**
 * Makes what the specifications of programs in Python need, once: an environment with Pulumi's SDK, the language host
 * and the generator of SDKs. `$PODLUMI_TEST_PYTHON`, the folder of Python, tells that all of it is there.
 */
export async function usePython(): Promise<void> {
  try {
    const environment = await environmentWithPulumi();
    const command = `${SDK}/python/cmd/${HOST}`;
    await useHost({ command, pinned: { in: MODULE, of: SDK }, complete: copyStarter });
    await useGenerator();
    process.env.PODLUMI_TEST_PYTHON = join(environment, "bin");
  } catch (error) {
    throw new Error(`the specifications of programs in Python are skipped: ${reason(error)}`);
  }
}

async function environmentWithPulumi(): Promise<string> {
  const script =
    "import ensurepip, sys; assert sys.version_info >= (3, 9); print(sys.implementation.cache_tag)";
  const { stdout } = await promisify(execFile)("python3", ["-c", script]).catch(() => {
    throw new Error("no Python 3.9 or later with venv");
  });
  const environment = cacheFolder(`python-environment-${digest(REQUIREMENTS)}-${stdout.trim()}`);
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

/** The host starts each program by a script beside it. */
async function copyStarter(bin: string): Promise<void> {
  const { stdout } = await promisify(execFile)("go", ["list", "-m", "-f", "{{.Dir}}", SDK], inModule(MODULE));
  const script = join(bin, `${HOST}-exec`);
  await copyFile(join(stdout.trim(), "python", "cmd", `${HOST}-exec`), script);
  await chmod(script, 0o755);
}
