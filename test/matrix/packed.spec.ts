import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { dependencies, version } from "../../package.json";
import { startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { modules, projectFiles, run, wholeLife } from "./life";

// `npm run matrix` does the same with package managers, and with several versions of Node.js.

const repository = resolve("node_modules");
let folder: string;

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to);
}

beforeAll(() => {
  // Other specifications compile programs against the declarations.
  process.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
  folder = mkdtempSync(join(tmpdir(), "podlumi-packed-"));
  const pack = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", pack, { stdio: "ignore" });
  // As pnpm does it: each package is beside what it depends on, and the program finds only what it names itself.
  const store = join(folder, "node_modules", ".store", "node_modules");
  mkdirSync(store, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, `podlumi-${version}.tgz`), "-C", store]);
  link(join(store, "package"), join(store, "podlumi"));
  for (const name of [...Object.keys(dependencies), "@pulumi/pulumi"])
    link(join(repository, name), join(store, name));
  link(join(store, "package"), join(folder, "node_modules", "podlumi"));
  for (const name of ["@pulumi/pulumi", "typescript", "@types/node"])
    link(join(repository, name), join(folder, "node_modules", name));
  for (const [name, text] of Object.entries(projectFiles)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a generated project asks for the file from which the package was installed, or for its version", async () => {
  const emulator = await startEmulator(fast);
  const store = join(folder, "node_modules", ".store", "node_modules");
  const lockfile = join(store, ".package-lock.json");
  const asked = async (out: string) => {
    const command = [join(store, "package", "dist", "sdk", "cli", "main.js"), "generate", "--out", out];
    await run(folder, { ...process.env, ...emulator.env }, process.execPath, ...command);
    return JSON.parse(readFileSync(join(folder, out, "package.json"), "utf8")).dependencies.podlumi;
  };
  try {
    const resolved = `file:../../podlumi-${version}.tgz`;
    writeFileSync(lockfile, JSON.stringify({ packages: { "node_modules/podlumi": { resolved } } }));
    expect(await asked("infra")).toBe(`file:../podlumi-${version}.tgz`);
    rmSync(lockfile);
    expect(await asked("other")).toBe(`^${version}`);
  } finally {
    await emulator.close();
  }
});

test("a program of users lives its whole life with the package as it is published", async () => {
  expect(readdirSync(join(folder, "node_modules")).sort()).toEqual([
    ".store",
    "@pulumi",
    "@types",
    "podlumi",
    "typescript",
  ]);
  await wholeLife(folder, modules["dynamic provider"]);
});
