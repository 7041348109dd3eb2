import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CommandError } from "../output";
import { peerDependencies } from "../package";

/** The name of the Pulumi project in a folder. (Pulumi: letters, digits, `-`, `_` and `.`, at most 100) */
export function projectName(folder: string): string {
  const name = basename(resolve(folder)).replace(/[^\w.-]/g, "-");
  return name.replace(/^[^A-Za-z0-9]+/, "").slice(0, 100) || "runpod";
}

const projectFiles = ["Pulumi.yaml", "package.json", "tsconfig.json", "index.ts"] as const;

/** Fails if what `writeProject` and `writePrivately` are to write is there already. */
export function mustBeNew(folder: string, importFile: string | undefined): void {
  const present = projectFiles.filter((file) => existsSync(join(folder, file)));
  if (present.length > 0)
    throw new CommandError(`${folder} has ${present.join(", ")} already: give --out another folder`);
  if (importFile !== undefined && existsSync(importFile))
    throw new CommandError(`${importFile} exists already: give --import another name`);
}

/** Writes the files of a Pulumi project. `range` says which podlumi it needs. */
export async function writeProject(
  folder: string,
  name: string,
  source: string,
  range: string,
): Promise<void> {
  const files: Record<(typeof projectFiles)[number], string> = {
    // In quotes, since YAML takes 2026 and true for no texts.
    "Pulumi.yaml": `name: "${name}"\ndescription: RunPod resources\nruntime: nodejs\n`,
    "package.json": json({
      private: true,
      main: "index.ts",
      dependencies: { "@pulumi/pulumi": peerDependencies["@pulumi/pulumi"], podlumi: range },
      devDependencies: { "@types/node": "^20.0.0", typescript: "^5.9.0" },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "ES2022",
        module: "Node16",
        moduleResolution: "Node16",
        strict: true,
        noEmit: true,
      },
      files: ["index.ts"],
    }),
    "index.ts": source,
  };
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: "wx" });
}

/** Writes a file that may hold secrets. Only its owner can read it. */
export async function writePrivately(file: string, value: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, json(value), { mode: 0o600, flag: "wx" });
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
