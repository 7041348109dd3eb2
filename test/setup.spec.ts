import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MINIMUM_VERSION } from "./engine/on-path";

const folder = mkdtempSync(join(tmpdir(), "podlumi-setup-"));
const at = (...path: string[]) => join(folder, ...path);
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  for (const path of ["test/engine", "node_modules"]) mkdirSync(at(path), { recursive: true });
  for (const file of ["setup.mjs", "engine/lock.cjs", "engine/progress.cjs"])
    cpSync(`test/${file}`, at("test", file));
  for (const file of ["package-lock.json", "node_modules/.package-lock.json"])
    writeFileSync(at(file), JSON.stringify({ packages: {} }));
  // A second build at the same time fails, since the folder is there.
  const build = "mkdir dist && sleep 1 && echo built >> builds";
  writeFileSync(at("package.json"), JSON.stringify({ scripts: { build } }));
});
afterEach(() => {
  for (const path of ["dist", "builds", "node_modules"]) rmSync(at(path), { recursive: true, force: true });
});

const setUp = () => promisify(execFile)("node", ["test/setup.mjs"], { cwd: folder });
const builds = () => readFileSync(at("builds"), "utf8");

test("two set-ups at once build once", async () => {
  const [one, two] = await Promise.all([setUp(), setUp()]);
  expect(builds()).toBe("built\n");
  expect(one.stderr + two.stderr).toContain("waiting for another one in this folder");
});

test("a set-up that was killed stops no other", async () => {
  mkdirSync(at(".setup.lock"));
  utimesSync(at(".setup.lock"), new Date(0), new Date(0));
  await setUp();
  expect(builds()).toBe("built\n");
});

test("the first one begins with how long it takes, and what shortens that", async () => {
  rmSync(at("node_modules"), { recursive: true });
  const { stderr } = await setUp().catch((error) => error);
  const [first] = stderr.split("\n");
  expect(first).toContain("about 6 minutes");
  expect(first).toContain(`an installed pulumi ${MINIMUM_VERSION} or later`);
});
