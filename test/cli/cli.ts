import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import { removeFolder } from "../harness/remove";

/** The API key of these specifications. Nothing printed may contain it. */
export const apiKey = "rpa_CLI_0123456789ABCDEF";

export const binary = resolve("dist/sdk/cli/main.js");

/** What a command printed, and its exit code. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command line as a process, with an emulated account and a folder of its own. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), "podlumi-cli-"));
  private readonly running = new Set<Emulator>();
  env: NodeJS.ProcessEnv = {};

  async emulate(options: EmulatorOptions = {}): Promise<Emulator> {
    const timings = {
      provisioning: 0,
      starting: 0,
      stopping: 0,
      queueReady: 0,
      templateRelease: 0,
      jobTime: 0,
    };
    const emulator = await startEmulator({ apiKey, ...options, timings: { ...timings, ...options.timings } });
    this.running.add(emulator);
    this.env = { ...process.env, ...emulator.env, PULUMI_HOME: join(this.folder, "home") };
    return emulator;
  }

  /** Puts a shell script in the place of Pulumi. Returns its path. */
  pulumi(script: string): string {
    const bin = join(this.folder, "bin");
    mkdirSync(bin, { recursive: true });
    const path = join(bin, "pulumi");
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    this.env.PATH = [bin, process.env.PATH].join(delimiter);
    return path;
  }

  async run(...args: string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** Starts a command without waiting for its end. Returns its output so far, its input and its end. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = this.env, program = binary) {
    const child = spawn(process.execPath, [program, ...args], { cwd: this.folder, env });
    const printed = { out: "", err: "" };
    child.stdout.on("data", (text) => (printed.out += text));
    child.stderr.on("data", (text) => (printed.err += text));
    const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, ...printed })));
    return {
      printed,
      ended,
      input: child.stdin,
      stop: (signal: NodeJS.Signals = "SIGTERM") => child.kill(signal),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((emulator) => emulator.close()));
    removeFolder(this.folder);
  }
}

/** Waits until `seen` returns true. */
export async function until(seen: () => boolean): Promise<void> {
  while (!seen()) await new Promise((resolve) => setTimeout(resolve, 20));
}
