import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CommandError } from "../output";
import { packageRange, peerDependencies, version } from "../package";
import type { LanguageName } from "../program/program";
import { projectHead } from "../program/yaml";

/** The name of the Pulumi project in a folder. (Pulumi: letters, digits, `-`, `_` and `.`, at most 100) */
export function projectName(folder: string): string {
  const name = basename(resolve(folder)).replace(/[^\w.-]/g, "-");
  return name.replace(/^[^A-Za-z0-9]+/, "").slice(0, 100) || "runpod";
}

/** The files of a project in each language. */
const filesOf: Record<
  LanguageName,
  (source: string, name: string, folder: string) => Readonly<Record<string, string>>
> = {
  typescript: (source, name, folder) => ({
    "Pulumi.yaml": lines(...projectHead(name), "runtime: nodejs"),
    "package.json": json({
      private: true,
      main: "index.ts",
      dependencies: { "@pulumi/pulumi": peerDependencies["@pulumi/pulumi"], podlumi: packageRange(folder) },
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
  }),
  python: (source, name) => ({
    "Pulumi.yaml": lines(
      ...projectHead(name),
      "runtime: { name: python, options: { toolchain: pip, virtualenv: venv } }",
      `packages: { podlumi: podlumi@${version} }`,
    ),
    "requirements.txt": lines("pulumi>=3.216.0,<4.0.0", "sdks/podlumi"),
    "__main__.py": source,
  }),
  yaml: (source) => ({ "Pulumi.yaml": source }),
};

/** Fails if what `writeProject` and `writePrivately` are to write is there already. */
export function mustBeNew(folder: string, language: LanguageName, importFile: string | undefined): void {
  const files = Object.keys(filesOf[language]("", "", folder));
  const present = files.filter((file) => existsSync(join(folder, file)));
  if (present.length > 0)
    throw new CommandError(`${folder} has ${present.join(", ")} already: give --out another folder`);
  if (importFile !== undefined && existsSync(importFile))
    throw new CommandError(`${importFile} exists already: give --import another name`);
}

/** Writes the files of a Pulumi project. */
export async function writeProject(
  folder: string,
  name: string,
  language: LanguageName,
  source: string,
): Promise<void> {
  const files = filesOf[language](source, name, folder);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: "wx" });
}

/** Writes a file that may hold secrets. Only its owner can read it. */
export async function writePrivately(file: string, value: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, json(value), { mode: 0o600, flag: "wx" });
}

const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
