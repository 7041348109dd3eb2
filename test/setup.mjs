/**
 * Program: installs the dependencies and builds the package when they are missing or out of date. Otherwise it does
 * nothing and prints nothing. The npm scripts begin with it, so a fresh clone needs no setup. It is plain JavaScript
 * without dependencies, because it runs before anything is installed.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "./engine/lock.cjs";
import { run, say } from "./engine/progress.cjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const inRoot = { cwd: root };

const firstTime =
  "setup: about a minute, the first time. What runs Pulumi then downloads it, or builds it from source in about 6 minutes; " +
  "an installed pulumi 3.254.0 or later takes its place";

const stamp = join(root, "node_modules", ".cache", "podlumi-build");

try {
  await once(join(root, ".setup.lock"), {
    isDone: () => dependenciesAreInstalled() && isBuilt(),
    waiting: "setup: waiting for another one in this folder",
    work: setUp,
  });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// `node test/setup.mjs FILE …` then runs that program in this process, so that it gets signals and sets the exit code.
const [, , file] = process.argv;
if (file !== undefined) {
  process.argv.splice(1, 2, join(root, file));
  const { register } = await import("tsx/cjs/api");
  register();
  createRequire(import.meta.url)(join(root, file));
}

async function setUp() {
  if (!existsSync(join(root, "node_modules"))) say(firstTime);
  if (!dependenciesAreInstalled()) {
    await run(
      "setup: installing the dependencies, missing or out of date (about 30 s)",
      "npm",
      ["ci", "--no-audit", "--no-fund"],
      inRoot,
    );
  }
  if (!isBuilt()) {
    await run(
      "setup: building dist/, missing or out of date (about 20 s)",
      "npm",
      ["run", "--silent", "build"],
      inRoot,
    );
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, digestOfBuild());
  }
}

/** npm keeps a lockfile of the installed packages in node_modules. It leaves out packages for other platforms. */
function dependenciesAreInstalled() {
  const installed = read(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  const have = JSON.parse(installed).packages;
  const want = JSON.parse(read(join(root, "package-lock.json"))).packages;
  return Object.entries(want).every(([path, { version, optional, devOptional }]) =>
    path in have ? have[path].version === version : path === "" || optional || devOptional,
  );
}

function isBuilt() {
  try {
    return read(stamp) === digestOfBuild();
  } catch (error) {
    // Another process builds, and removes what this one reads.
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

/** Covers the inputs and the results of the build, so that a build by hand or a lost file makes it out of date. */
function digestOfBuild() {
  const hash = createHash("sha256");
  const files = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  const folders = ["sdk", "provider", "dist"];
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
