/**
 * `npm run matrix`: installs podlumi from `npm pack` with each package manager under each version of Node.js, and takes a program
 * through its whole life, with both faces. Prints a table. `--node 22` and `--manager pnpm` run a part of it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { devDependencies, version } from "../../package.json";
import { useEngine } from "../engine";
import { cacheFolder, makeOnce } from "../engine/cache";
import { say } from "../engine/progress.cjs";
import { modules, projectFiles, run, wholeLife } from "./life";

const { "@pulumi/pulumi": pinned, "@types/node": types, typescript } = devDependencies;

/** The latest of each major version when this was last tried, and the latest SDK of Pulumi that runs on it. */
const nodes = { "20.20.2": pinned, "22.23.3": "3.276.0", "24.21.0": "3.276.0", "26.10.0": "3.276.0" };

/** A package manager, and what a project sets for it. */
interface Manager {
  /** Its package on npm, with its version, and the file in it that runs. None: the npm that the machine has. */
  readonly tool?: { readonly from: string; readonly file: string };
  readonly files: Readonly<Record<string, string>>;
}

const managers: Record<string, Manager> = {
  npm: { files: {} },
  // Nothing is hoisted, so that a package finds only what it depends on.
  "pnpm strict": {
    tool: { from: "pnpm@10.34.8", file: "pnpm/bin/pnpm.cjs" },
    files: { ".npmrc": "hoist=false\nfrozen-lockfile=false\n" },
  },
  "yarn 4": {
    tool: { from: "@yarnpkg/cli-dist@4.18.1", file: "@yarnpkg/cli-dist/bin/yarn.js" },
    files: { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n" },
  },
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { node: { type: "string" }, manager: { type: "string" } } });
  const tried = { nodes: partOf(nodes, values.node), managers: partOf(managers, values.manager) };
  await useEngine();
  const work = mkdtempSync(join(tmpdir(), "podlumi-matrix-"));
  let failed = 0;
  try {
    await run(resolve("."), process.env, "npm", "pack", "--ignore-scripts", "--pack-destination", work);
    const tarball = join(work, `podlumi-${version}.tgz`);
    console.log(`| Node.js | Pulumi's SDK | Package manager | Face | Result |\n|---|---|---|---|---|`);
    for (const [node, sdk] of tried.nodes) {
      for (const [name, manager] of tried.managers) {
        const folder = join(work, `${name}-${node}`.replace(" ", "-"));
        const result = (face: string, text: string) =>
          console.log(`| ${node} | ${sdk} | ${name} | ${face} | ${text} |`);
        try {
          const bin = await nodeFolder(node);
          await install(folder, tarball, sdk, bin, manager);
          for (const [face, module] of Object.entries(modules)) {
            const began = Date.now();
            await wholeLife(folder, module, bin);
            result(face, `whole life in ${Math.round((Date.now() - began) / 1000)} s`);
          }
        } catch (error) {
          failed++;
          result("", "failed");
          say((error as Error).message);
        }
        rmSync(folder, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  if (failed > 0) throw new Error(`${failed} of the set-ups failed`);
}

/** The entries whose names begin with what the command line names. */
function partOf<T>(all: Readonly<Record<string, T>>, beginning = ""): [string, T][] {
  const part = Object.entries(all).filter(([name]) => name.startsWith(beginning));
  if (part.length === 0) throw new Error(`there is no "${beginning}", but ${Object.keys(all).join(", ")}`);
  return part;
}

/** The folder with the `node` of a version, from the package `node` on npm. */
async function nodeFolder(node: string): Promise<string> {
  const modules = await tool(`node@${node}`);
  return join(modules, "node", "bin");
}

/** Installs a package of npm into the cache, once. Returns the `node_modules` that has it. */
async function tool(from: string): Promise<string> {
  const folder = cacheFolder(from.replaceAll("/", "-"));
  await makeOnce(folder, async (workshop) => {
    writeFileSync(join(workshop, "package.json"), "{}");
    await run(workshop, process.env, "npm", "install", "--no-audit", "--no-fund", from);
  });
  return join(folder, "node_modules");
}

/** Makes a project as `pulumi new typescript` does, and installs what it needs. */
async function install(
  folder: string,
  tarball: string,
  sdk: string,
  bin: string,
  { tool: manager, files }: Manager,
): Promise<void> {
  mkdirSync(folder);
  const manifest = {
    name: "matrix",
    private: true,
    dependencies: { "@pulumi/pulumi": sdk, podlumi: `file:${tarball}` },
    devDependencies: { "@types/node": types, typescript },
  };
  const all = { ...projectFiles, ...files, "package.json": JSON.stringify(manifest) };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  const PATH = [bin, process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, CI: "1", YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
  if (manager === undefined) await run(folder, env, "npm", "install", "--no-audit", "--no-fund");
  else await run(folder, env, "node", join(await tool(manager.from), manager.file), "install");
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
