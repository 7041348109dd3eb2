import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { run } from "../../sdk/cli/run";
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

/** Runs commands with an emulated account and a folder of its own. */
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
    const { PULUMI_BACKEND_URL: _ofUser, ...environment } = process.env;
    this.env = { ...environment, ...emulator.env, PULUMI_HOME: join(this.folder, "home") };
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

  /** Starts a command in this process. Returns its output so far, its input and its end. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = this.env) {
    const printed = { out: "", err: "" };
    const input = new PassThrough();
    const streams = { stdin: input, stdout: into(printed, "out"), stderr: into(printed, "err") };
    const act = async (): Promise<Ended> => {
      const restore = inProcess({ ...streams, env, exitCode: undefined });
      const folder = process.cwd();
      process.chdir(this.folder);
      await run(args);
      const code = Number(process.exitCode ?? 0);
      process.chdir(folder);
      restore();
      return { code, ...printed };
    };
    turn = turn.then(act);
    return { printed, input, ended: turn };
  }

  /** Starts the built command line as a process of its own, for what only the operating system shows. */
  spawn(args: readonly string[], env: NodeJS.ProcessEnv = this.env, program = binary) {
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

/** The end of the last command: a process has one output, so commands in it take turns. */
let turn: Promise<Ended> = Promise.resolve({ code: 0, out: "", err: "" });

function into<K extends string>(printed: Record<K, string>, stream: K): Writable {
  return new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      printed[stream] += text;
      done();
    },
  });
}

/** Puts values in the place of properties of `process`. Returns what puts the former ones back. */
function inProcess(values: object): () => void {
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  );
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  return () => {
    for (const [name, descriptor = {}] of before) Object.defineProperty(process, name, descriptor);
  };
}

/** Waits until `seen` returns true. */
export async function until(seen: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!seen()) {
    if (Date.now() > end) throw new Error(`not so after a minute: ${seen}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
