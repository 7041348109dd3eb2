/**
 * `npm run mutation`: changes the rules of provider/core, one at a time, and looks whether a quick specification fails. What no
 * specification notices is printed. Fails below the floor. It keeps its results, so that a second run tries only what changed.
 * Takes files to change; default: a sample that ends within minutes.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Per cent of the changes that a specification notices. On 2026-11-23 it was 94.3 of 53 changes. */
const floor = 90;
const version = "9.6.1";
const usual = ["provider/core/references.ts"];

const root = resolve(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache", `stryker-${version}`);
const tools = ["core", "jest-runner"].map((name) => `@stryker-mutator/${name}@${version}`);
if (!existsSync(cache))
  execFileSync("npm", ["install", "--prefix", cache, "--no-audit", "--no-fund", ...tools], {
    stdio: "ignore",
  });

const sandbox = mkdtempSync(join(tmpdir(), "podlumi-mutation-"));
const given = process.argv.slice(2);
const settings = {
  mutate: given.length > 0 ? given : usual,
  plugins: [join(cache, "node_modules/@stryker-mutator/jest-runner/dist/src/index.js")],
  testRunner: "jest",
  jest: { configFile: "test/mutation/jest.config.cjs" },
  coverageAnalysis: "perTest",
  // What is changed when a module loads, such as a table, would need all specifications each time.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: join(cache, "results.json"),
  // Outside of the repository, where Jest would find the package twice.
  tempDirName: sandbox,
  ignorePatterns: ["dist", "docs", "bench", "examples", "acceptance", "coverage"],
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 0, break: given.length > 0 ? null : floor },
  mutator: { excludedMutations: ["StringLiteral"] },
  timeoutMS: 20_000,
};
const file = join(cache, "stryker.json");
writeFileSync(file, JSON.stringify(settings));
const stryker = join(cache, "node_modules/@stryker-mutator/core/bin/stryker.js");
process.exitCode = spawnSync("node", [stryker, "run", file], { cwd: root, stdio: "inherit" }).status ?? 1;
rmSync(sandbox, { recursive: true, force: true });
