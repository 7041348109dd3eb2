import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gte, valid } from "semver";

/** The first version whose `pulumi import --file` takes the inputs and outputs of a resource as given. */
export const MINIMUM_VERSION = "3.254.0";

/** An engine that is there, or why there is none. */
export type Found = { folder: string; version: string } | { missing: string };

/** Looks for a Pulumi CLI on PATH that is recent enough and has the Node.js language host beside it. */
export async function findOnPath(path = process.env.PATH ?? ""): Promise<Found> {
  const folder = path.split(delimiter).find((entry) => entry !== "" && existsSync(join(entry, "pulumi")));
  if (!folder) return { missing: "no pulumi on PATH" };
  const command = join(folder, "pulumi");
  const version = await versionOf(command);
  if (!version) return { missing: `${command} does not tell its version` };
  if (!gte(version, MINIMUM_VERSION)) {
    return { missing: `${command} is version ${version}, older than ${MINIMUM_VERSION}` };
  }
  // A package manager may link the commands into a folder of its own.
  const beside = [folder, dirname(realpathSync(command))];
  if (!beside.some((entry) => existsSync(join(entry, "pulumi-language-nodejs")))) {
    return { missing: `${command} has no pulumi-language-nodejs beside it` };
  }
  return { folder, version };
}

async function versionOf(command: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(command, ["version"], {
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      timeout: 10_000,
    });
    return valid(stdout.trim());
  } catch {
    return null;
  }
}
