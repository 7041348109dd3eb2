import { readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withLateTables } from "./late-tables";
import { run } from "./progress.cjs";

const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** The version of the engine that the tests use, from `pulumi/go.mod`. */
export function pinnedVersion(): string {
  return pinnedIn("pulumi", "github.com/pulumi/pulumi/pkg/v3");
}

/** The version of a Go module in the go.mod of a folder. */
export function pinnedIn(folder: string, module: string): string {
  const line = goMod(folder)
    .split("\n")
    .find((one) => one.startsWith(`require ${module} v`));
  if (line === undefined)
    throw new Error(`test/engine/${folder}/go.mod does not name the version of ${module}`);
  return line.slice(line.lastIndexOf(" v") + 2);
}

/** The oldest Go that builds the engine. */
export function requiredGo(): string {
  return /^go (\S+)$/m.exec(goMod("pulumi"))?.[1] ?? "";
}

/** Builds the engine and its Node.js language host from source with Go, into `root/bin`. */
export async function buildFromSource(root: string): Promise<void> {
  const bin = join(root, "bin");
  await mkdir(bin, { recursive: true });
  await goBuild(bin, {
    command: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    module: "language-nodejs",
    takes: "1 to 2 minutes",
  });
  const modules = join(root, "modules");
  await mkdir(modules);
  await goBuild(bin, {
    command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    module: "pulumi",
    takes: "about 6 minutes",
    linkerFlags: `-s -w -X ${VERSION_VARIABLE}=v${pinnedVersion()}`,
    modfile: await withLateTables(modules, inModule("pulumi")),
  });
  await rm(modules, { recursive: true });
  await copyDynamicProvider(bin);
}

interface GoProgram {
  command: string;
  /** The folder whose go.mod pins the version. */
  module: string;
  takes: string;
  linkerFlags?: string;
  /** The go.mod to build with. Default: that of the folder. */
  modfile?: string;
}

export function goBuild(
  bin: string,
  { command, module, takes, linkerFlags = "-s -w", modfile = "go.mod" }: GoProgram,
): Promise<void> {
  return run(
    `engine: building ${basename(command)} from source with Go (${takes}, once)`,
    "go",
    ["build", "-v", "-modfile", modfile, "-ldflags", linkerFlags, "-o", bin, command],
    inModule(module),
  );
}

/** Runs a command of Go in the folder of a go.mod. Without cgo, a build needs no C compiler. */
export function inModule(module: string) {
  return { cwd: join(__dirname, module), env: { ...process.env, CGO_ENABLED: "0" } };
}

/** The engine starts a dynamic provider with this script. The script resolves the SDK from the program's folder. */
async function copyDynamicProvider(bin: string): Promise<void> {
  const name = "pulumi-resource-pulumi-nodejs";
  const script = join(bin, name);
  await copyFile(join(dirname(require.resolve("@pulumi/pulumi/package.json")), name), script);
  await chmod(script, 0o755);
}

function goMod(module: string): string {
  return readFileSync(join(__dirname, module, "go.mod"), "utf8");
}
