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
  /** The `PULUMI_HOME` of the machine that runs it. */
  home = join(this.folder, "home");
  readonly environment: NodeJS.ProcessEnv;

  /** `environment` comes last: another backend, or what a CI system sets. `from` is a folder to copy. */
  constructor(
    { env }: { env: Record<string, string> },
    environment: Record<string, string> = {},
    from?: string,
  ) {
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
      ...environment,
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

  /** Goes on on another machine: nothing is left of the last one, and what it locked is unlocked. */
  async elsewhere(stack = "dev"): Promise<void> {
    this.home = mkdtempSync(join(this.folder, "home-"));
    this.environment.PULUMI_HOME = this.home;
    await this.pulumi("stack", "select", stack);
    await this.pulumi("cancel", "--yes", "--stack", stack);
  }

  /** podlumi's own command line. */
  podlumi(...args: string[]): Promise<Ended> {
    return this.run(process.execPath, [resolve("dist/sdk/cli/main.js"), ...args]);
  }

  /** Ends the processes of this project at once. */
  kill(which: "provider" | "everything"): void {
    killProcesses(this.home, which);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** An up of a program of these lines, which has to succeed. */
  async up(...lines: string[]): Promise<void> {
    this.declare(...lines);
    const { ok, printed } = await this.pulumi("up", "--yes", "--skip-preview");
    if (!ok) throw new Error(printed);
  }

  pulumi(...args: string[]): Promise<Ended> {
    return this.run("pulumi", [...args, "--non-interactive"]);
  }

  /** Runs a command in the project's folder. */
  run(command: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> {
    return new Promise((done, failed) => {
      const env = { ...this.environment, ...environment };
      const child = spawn(command, args, { cwd: this.folder, env });
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
      child.on("error", failed);
      child.on("close", (code) => done({ ok: code === 0, printed }));
    });
  }
}

/** What a command printed; `ok` tells how it ended. */
export interface Ended {
  readonly ok: boolean;
  readonly printed: string;
}
