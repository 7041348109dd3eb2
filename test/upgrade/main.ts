/**
 * Program: keeps the states that a release makes, for the releases after it. `--package <folder>` names a built
 * checkout; default: this one. The states go into test/upgrade/<version>/.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { transformSync } from "esbuild";
import { startEmulator } from "../../sdk/emulator/service";
import { useEngine } from "../engine";
import { fast } from "../harness/account";
import { Project } from "../harness/project";
import { record, withoutMachine } from "./account";

const faces = { dynamic: "podlumi", plugin: "podlumi/plugin" };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { package: { type: "string", default: "." } } });
  const { version, exports } = JSON.parse(readFileSync(join(values.package, "package.json"), "utf8"));
  await useEngine();
  const folder = resolve(__dirname, version);
  mkdirSync(folder, { recursive: true });
  for (const [face, module] of Object.entries(faces)) {
    if (face === "plugin" && exports["./plugin"] === undefined) continue;
    const file = join(folder, `${face}.json`);
    if (existsSync(file)) throw new Error(`${file} exists: a release keeps its states`);
    writeFileSync(file, `${JSON.stringify(await stateOf(module, values.package), undefined, 1)}\n`);
    console.log(file);
  }
}

/** The state of a stack with a resource of each kind, and the requests that made its objects. */
async function stateOf(module: string, from: string) {
  const emulator = await startEmulator(fast);
  const requests = record(emulator);
  const project = new Project(emulator);
  try {
    rmSync(join(project.folder, "node_modules"));
    symlinkSync(resolve(from, "node_modules"), join(project.folder, "node_modules"));
    // A release without the plugin has no folder of it.
    if (module === faces.dynamic)
      project.file("Pulumi.yaml", "name: specification\nruntime: nodejs\nmain: index.js\n");
    const program = readFileSync(join(__dirname, "program.ts"), "utf8");
    project.file("program.js", transformSync(program, { loader: "ts", format: "cjs" }).code);
    project.write(`require("./program.js").declare(require("${module}"));`);
    await project.pulumi("stack", "init", "test");
    const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
    if (!ok) throw new Error(printed);
    const exported = await project.pulumi("stack", "export", "--show-secrets");
    const kept = { requests, state: withoutMachine(emulator, exported.printed) };
    const machine = [homedir(), tmpdir(), resolve("."), resolve(from), "127.0.0.1", `//${hostname()}`];
    const told = machine.filter((one) => JSON.stringify(kept).includes(one));
    if (told.length > 0) throw new Error(`the state says ${told.join(", ")}`);
    return kept;
  } finally {
    project.remove();
    await emulator.close();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
