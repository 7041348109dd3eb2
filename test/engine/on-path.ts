import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gte, valid } from "semver";

/** The first version whose `pulumi import --file` takes a resource's inputs and outputs unchanged. */
export const MINIMUM_VERSION = "3.254.0";

/** The engine that was found, or why there is none. */
export type Found = { folder: string; version: string } | { missing: string };

/** Looks on PATH for a recent enough Pulumi CLI with the Node.js language host in the same folder. */
export async function findOnPath(path = process.env.PATH ?? ""): Promise<Found> {
  const folder = path.split(delimiter).find((entry) => entry !== "" && existsSync(join(entry, "pulumi")));
  if (!folder) return { missing: "no pulumi on PATH" };
  const command = join(folder, "pulumi");
  const version = await versionOf(command);
  if (!version) return { missing: `${command} does not tell its version` };
  if (!gte(version, MINIMUM_VERSION)) {
    return { missing: `${command} is version ${version}, older than ${MINIMUM_VERSION}` };
  }
  // The command may be a link that a package manager made. Then the language host may be beside its target.
  const beside = [folder, dirname(realpathSync(command))];
  if (!beside.some((entry) => existsSync(join(entry, "pulumi-language-nodejs")))) {
    return { missing: `${command} has no pulumi-language-nodejs beside it` };
  }
  return { folder, version };
}

/** Whether a folder of PATH has a file of this name. */
export function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
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
