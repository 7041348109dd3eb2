/**
 * Program: makes a fresh clone ready. Installs the dependencies and builds the package when they are missing or
 * out of date; otherwise it is done in a moment and says nothing. Every npm script that runs something starts
 * with it. It runs before anything is installed: plain JavaScript, no dependencies.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./engine/progress.cjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const inRoot = { cwd: root };

try {
  if (!dependenciesAreInstalled()) {
    await run(
      "setup: installing the dependencies, missing or out of date (about 30 s)",
      "npm",
      ["ci", "--no-audit", "--no-fund"],
      inRoot,
    );
  }
  const stamp = join(root, "node_modules", ".cache", "podlumi-build");
  if (read(stamp) !== digestOfBuild()) {
    await run(
      "setup: building dist/, missing or out of date (about 10 s)",
      "npm",
      ["run", "--silent", "build"],
      inRoot,
    );
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, digestOfBuild());
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// `node test/setup.mjs FILE …` goes on as that program, in this process, so that signals and its exit code are its own.
const [, , file] = process.argv;
if (file !== undefined) {
  process.argv.splice(1, 2, join(root, file));
  const { register } = await import("tsx/cjs/api");
  register();
  createRequire(import.meta.url)(join(root, file));
}

/** npm keeps in node_modules a lockfile of what it installed there; it leaves out what this platform lacks. */
function dependenciesAreInstalled() {
  const installed = read(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  const have = JSON.parse(installed).packages;
  const want = JSON.parse(read(join(root, "package-lock.json"))).packages;
  return Object.entries(want).every(([path, { version, optional, devOptional }]) =>
    path in have ? have[path].version === version : path === "" || optional || devOptional,
  );
}

/** Of what goes into the build and of what came out, so that a build by hand or a lost file counts as well. */
function digestOfBuild() {
  const hash = createHash("sha256");
  const files = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  const folders = ["sdk", "provider", "test/emulator", "dist"];
  for (const file of [...files, ...folders.flatMap(filesBelow)]) {
    hash.update(`${file}\0`).update(read(join(root, file)) ?? "");
  }
  return hash.digest("hex");
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .sort();
}

function read(file) {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : undefined;
}
