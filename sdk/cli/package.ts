import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Fields of podlumi's own package.json. */
export const { version, peerDependencies } = require("podlumi/package.json") as {
  version: string;
  peerDependencies: Record<string, string>;
};

/** The folder of podlumi's package. */
export const ownFolder = dirname(require.resolve("podlumi/package.json"));

/**
 * The dependency by which a package.json in a folder gets this very package: its version if npm had it, otherwise the file or the
 * folder from which it was installed.
 */
export function packageRange(folder: string): string {
  const from = (path: string) => `file:${relative(real(folder), path) || "."}`;
  // A clone, or a link to one.
  if (!/[\\/]node_modules[\\/]/.test(join(ownFolder, "/"))) return from(ownFolder);
  const modules = dirname(ownFolder);
  const [, file] = /^file:(.+)$/.exec(resolved(join(modules, ".package-lock.json")) ?? "") ?? [];
  return file === undefined ? `^${version}` : from(resolve(dirname(modules), file));
}

/** Where npm had the package from; undefined where another package manager installed it. */
function resolved(lockfile: string): string | undefined {
  try {
    return JSON.parse(readFileSync(lockfile, "utf8")).packages["node_modules/podlumi"]?.resolved;
  } catch {
    return undefined;
  }
}

/** The address of a folder that may not exist yet, without links. */
function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = dirname(resolve(folder));
    return parent === resolve(folder) ? parent : join(real(parent), resolve(folder).slice(parent.length));
  }
}
