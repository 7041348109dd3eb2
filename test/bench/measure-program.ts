import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mixed } from "./program";
import type { TypeCheck } from "./results";

/** Measures the import of podlumi in new processes that have loaded `@pulumi/pulumi` already. */
export function measureImports(runs: number): number[] {
  const script = `
    require("@pulumi/pulumi");
    const began = performance.now();
    require("podlumi");
    console.log(performance.now() - began);`;
  const options = { cwd: resolve("examples/quickstart"), encoding: "utf8" } as const;
  return Array.from({ length: runs }, () => Number(execFileSync(process.execPath, ["-e", script], options)));
}

const typed = 'import * as sdk from "podlumi";';
const untyped = `import * as pulumi from "@pulumi/pulumi";
class Untyped extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    super("pulumi-nodejs:dynamic/podlumi:Untyped", name, args, opts);
  }
}
const sdk = {
  NetworkVolume: Untyped,
  RegistryAuth: Untyped,
  Secret: Untyped,
  Template: Untyped,
  ServerlessEndpoint: Untyped,
  Pod: Untyped,
};`;

/** Measures the type-check of a program, with podlumi's resources and with untyped ones. */
export function measureTypeCheck(runs: number, size = 100): TypeCheck {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-types-"));
  try {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "typed.ts"), `${typed}\n${mixed(size)}\n`);
    writeFileSync(join(folder, "untyped.ts"), `${untyped}\n${mixed(size)}\n`);
    const result: TypeCheck = { size, typed: [], untyped: [] };
    for (let run = 0; run < runs; run++) {
      result.untyped.push(secondsOfCompiler(folder, "untyped.ts"));
      result.typed.push(secondsOfCompiler(folder, "typed.ts"));
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "node16"];

function secondsOfCompiler(cwd: string, file: string): number {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  const printed = execFileSync(
    process.execPath,
    [compiler, ...options, "--types", "node", "--extendedDiagnostics", file],
    { cwd, encoding: "utf8" },
  );
  return Number(/Total time:\s*([\d.]+)s/.exec(printed)?.[1]);
}
