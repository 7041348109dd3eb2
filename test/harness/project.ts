import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { killProcesses } from "./kill";

/** JavaScript as it is: the compiler of TypeScript is not loaded. */
const PROJECT = `name: specification
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
`;

/** A project in a folder, as users have it: the end of a program's process is the end of the program. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "podlumi-project-"));
  /** Its `PULUMI_HOME`. */
  readonly home = join(this.folder, "home");
  private readonly environment: NodeJS.ProcessEnv;

  /** Holds a copy of the folder `from`, or a program that is yet to be written. */
  constructor({ env, from }: { env: Record<string, string>; from?: string }) {
    for (const name of ["backend", "home"]) mkdirSync(join(this.folder, name));
    symlinkSync(resolve("node_modules"), join(this.folder, "node_modules"));
    if (from === undefined) writeFileSync(join(this.folder, "Pulumi.yaml"), PROJECT);
    else cpSync(from, this.folder, { recursive: true });
    this.environment = {
      ...process.env,
      ...env,
      PULUMI_HOME: this.home,
      PULUMI_BACKEND_URL: `file://${join(this.folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "specification",
      PULUMI_SKIP_UPDATE_CHECK: "1",
    };
  }

  /** Each resource is a line of the program. */
  declare(...lines: string[]): void {
    this.write(['const podlumi = require("podlumi");', ...lines].join("\n"));
  }

  /** A program in JavaScript, whole. */
  write(program: string): void {
    writeFileSync(join(this.folder, "index.js"), program);
  }

  /** Ends the processes of this project at once. */
  kill(which: "provider" | "everything"): void {
    killProcesses(this.home, which);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What a command printed; `ok` tells how it ended. */
  pulumi(...args: string[]): Promise<{ ok: boolean; printed: string }> {
    return new Promise((done, failed) => {
      const child = spawn("pulumi", [...args, "--non-interactive"], {
        cwd: this.folder,
        env: this.environment,
      });
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
      child.on("error", failed);
      child.on("close", (code) => done({ ok: code === 0, printed }));
    });
  }
}
