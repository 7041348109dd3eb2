import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { secretsProvider } from "../engine/vault";
import { onPlugin, plugins } from "./face";
import { withInline } from "./inline";
import { interruptEngine, killProcesses } from "./kill";
import { removeFolder } from "./remove";

/** The program is plain JavaScript, so that Pulumi does not load the TypeScript compiler. */
const PROJECT = `name: specification
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins: ${JSON.stringify(plugins)}
`;

/** A project in a folder, as users have it. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "podlumi-project-"));
  /** The `PULUMI_HOME` of the present machine. */
  home = join(this.folder, "home");
  readonly environment: NodeJS.ProcessEnv;
  /**
   * Programs that {@link declare} writes run in this process, which is faster. Functions of such programs would see
   * the environment of this process.
   */
  inline = false;
  private declared: string | undefined;

  /** `environment` overrides everything else. `from` is a folder to copy. Default: an empty project. */
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

  /** Writes a program. Each line declares a resource. */
  declare(...lines: string[]): void {
    const face = onPlugin ? "podlumi/plugin" : "podlumi";
    const program = [`const podlumi = require("${face}");`, ...lines].join("\n");
    this.write(program);
    this.declared = program;
  }

  /** Writes a whole program in JavaScript. It runs in a process of its own. */
  write(program: string): void {
    this.file("index.js", program);
    this.declared = undefined;
  }

  /** Writes a file of the project. */
  file(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Continues on a new machine that has only the backend, and removes the old machine's lock. */
  async elsewhere(): Promise<void> {
    this.home = mkdtempSync(join(this.folder, "home-"));
    this.environment.PULUMI_HOME = this.home;
    await this.pulumi("stack", "select", "dev");
    await this.pulumi("cancel", "--yes", "--stack", "dev");
  }

  /** Moves a resource from one stack of the project to another. */
  async moveState(urn: string, from: string, to: string): Promise<void> {
    const [source, dest] = [from, to].map((name) => `organization/specification/${name}`);
    const { ok, printed } = await this.pulumi(
      ...["state", "move", "--source", String(source), "--dest", String(dest), urn, "--yes"],
    );
    if (!ok) throw new Error(printed);
  }

  /** Runs podlumi's own command line. */
  podlumi(...args: string[]): Promise<Ended> {
    return this.run(process.execPath, [resolve("dist/sdk/cli/main.js"), ...args]);
  }

  /** Sends the signal of Ctrl-C. */
  interrupt(): void {
    interruptEngine(this.home);
  }

  /** Kills the processes of this project. */
  kill(which: "provider" | "everything"): void {
    killProcesses(this.home, which);
  }

  remove(): void {
    removeFolder(this.folder);
  }

  /** Writes a program of these lines and runs an up. Throws unless it succeeds. */
  async up(...lines: string[]): Promise<void> {
    this.declare(...lines);
    const { ok, printed } = await this.pulumi("up", "--yes", "--skip-preview");
    if (!ok) throw new Error(printed);
  }

  pulumi(...args: string[]): Promise<Ended> {
    const isInit =
      args[0] === "stack" && args[1] === "init" && this.environment.VAULT_SERVER_URL !== undefined;
    const secrets = isInit ? ["--secrets-provider", secretsProvider] : [];
    const command = (flags: string[]) =>
      this.run("pulumi", [...args, ...secrets, ...flags, "--non-interactive"]);
    const runs = args[0] === "up" || args[0] === "preview";
    return this.inline && runs && this.declared !== undefined
      ? withInline(this.declared, command)
      : command([]);
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

/** The output of a command, and its success. */
export interface Ended {
  readonly ok: boolean;
  readonly printed: string;
}
