import { execFile } from "node:child_process";
import { chmod, cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Packages that tell how strong a password is. `pulumi config set` asks them whether a plain value looks like a secret. They
 * read their dictionaries at the start of every process, and take half of the start of `pulumi`.
 */
const checkers = ["github.com/nbutton23/zxcvbn-go", "github.com/ccojocar/zxcvbn-go"];

/** They load dictionaries at their first use, too, when there are none yet. So only what loads them at the start goes. */
const changes = [
  { file: "frequency/frequency.go", from: "func init() {", to: "func Load() {" },
  { file: "matching/matching.go", from: "func init() {\n\tloadFrequencyList()\n}\n", to: "" },
  {
    file: "matching/matching.go",
    from: "func loadFrequencyList() {",
    to: "func loadFrequencyList() {\n\tfrequency.Load()",
  },
];

/**
 * Makes a `go.mod` in `folder` like that of `module`, with which the dictionaries are read at their first use. Returns its
 * path, for `go build -modfile`.
 */
export async function withLateTables(
  folder: string,
  module: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const go = async (...args: string[]) => (await promisify(execFile)("go", args, module)).stdout;
  const file = join(folder, "go.mod");
  for (const name of ["go.mod", "go.sum"]) await cp(join(module.cwd, name), join(folder, name));
  for (const [index, checker] of checkers.entries()) {
    const { Dir } = JSON.parse(await go("mod", "download", "-json", checker));
    const copy = join(folder, `checker${index}`);
    await cp(Dir, copy, { recursive: true });
    await makeWritable(copy);
    for (const change of changes) await edit(join(copy, change.file), change);
    await writeFile(join(copy, "go.mod"), `module ${checker}\n`);
    await go("mod", "edit", `-replace=${checker}=${copy}`, file);
  }
  return file;
}

async function edit(file: string, { from, to }: { from: string; to: string }): Promise<void> {
  const text = await readFile(file, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${file} has changed: see test/engine/late-tables.ts`);
  await writeFile(file, text.replace(from, to));
}

/** Go's cache of modules is for reading only. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? makeWritable(path) : chmod(path, 0o644));
  }
}
