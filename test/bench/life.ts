import { readFileSync, statSync, symlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { processesOf } from "../harness/kill";
import { Project } from "../harness/project";
import type { Account } from "./account";
import type { Call } from "./calls";

export const phases = ["up", "again", "refresh", "destroy"] as const;
/** The commands in a stack's life, in this order. `again` is an up without changes. */
export type Phase = (typeof phases)[number];

/** The faces of podlumi: the dynamic provider and the plugin. */
export const faces = ["podlumi", "plugin"] as const;
export type Face = (typeof faces)[number];

/** The provider to measure: a face of podlumi, or a dynamic provider that does nothing. */
export type Provider = Face | "idle";

/** One command of the engine. */
export interface Measured {
  seconds: number;
  /** Seconds that engine, program and provider together kept processors busy. 0 except on Linux. */
  processor: number;
  calls: Call[];
  /** Peak resident memory of the provider's process, in bytes. 0 except on Linux. */
  memory: number;
}

/** The state of a stack. */
export interface State {
  /** Size of the state file in bytes. */
  bytes: number;
  /** Size of the largest `__provider` in bytes. */
  providerText: number;
  resources: { type: string; inputs?: Record<string, unknown>; outputs?: Record<string, unknown> }[];
}

export const sdks: Record<Provider, string> = {
  podlumi: "podlumi",
  plugin: "podlumi/plugin",
  idle: "./idle/sdk.cjs",
};
const unattended = ["--yes", "--skip-preview"];

/** An environment in which the engine finds the plugin. */
export const pluginOnPath = () => ({ PATH: [resolve("dist/plugin"), process.env.PATH].join(delimiter) });

/** A stack on the real engine. Each command runs as a process of its own, as for users. */
export class Bench {
  private readonly project: Project;

  private constructor(
    private readonly account: Account,
    environment: Record<string, string>,
  ) {
    this.project = new Project({ env: { ...account.env, ...pluginOnPath(), ...environment } });
    // The idle provider's `__provider` calls `require`, which resolves from the program's folder.
    symlinkSync(join(__dirname, "idle"), join(this.project.folder, "idle"));
  }

  /** A stack of a program that calls its provider's package `sdk`. */
  static create(
    account: Account,
    provider: Provider,
    program: string,
    environment: Record<string, string> = {},
  ): Promise<Bench> {
    return Bench.of(account, `const sdk = require("${sdks[provider]}");\n${program}\n`, environment);
  }

  /** A stack of a whole program. */
  static async of(
    account: Account,
    program: string,
    environment: Record<string, string> = {},
  ): Promise<Bench> {
    const bench = new Bench(account, environment);
    bench.project.write(program);
    await bench.run("stack", "init", "bench");
    return bench;
  }

  /** Runs one phase of the stack's life. */
  phase(phase: Phase, ...flags: string[]): Promise<Measured> {
    return this.run(phase === "again" ? "up" : phase, ...unattended, ...flags);
  }

  private async run(...command: string[]): Promise<Measured> {
    await this.account.calls();
    const stop = watchMemory(this.project.home);
    const before = processorOfEnded();
    const began = performance.now();
    const { ok, printed } = await this.project.pulumi(...command);
    const seconds = (performance.now() - began) / 1000;
    const processor = processorOfEnded() - before;
    const memory = stop();
    if (!ok) throw new Error(`pulumi ${command.join(" ")} failed\n${printed}`);
    return { seconds, processor, calls: await this.account.calls(), memory };
  }

  state(): State {
    const file = join(this.project.folder, "backend/.pulumi/stacks/specification/bench.json");
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8"));
    const resources = checkpoint.latest.resources as State["resources"];
    const texts = resources.map(({ outputs }) => Buffer.byteLength(String(outputs?.__provider ?? "")));
    return { bytes: statSync(file).size, providerText: Math.max(...texts), resources };
  }

  remove(): void {
    this.project.remove();
  }
}

/** Seconds of processor time that the processes took which this one has started, and theirs, as far as they have ended. */
function processorOfEnded(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name of the process, in brackets, can have spaces. (proc(5): cutime and cstime, in hundredths)
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Watches the memory of the provider's process from outside. Returns a function that stops and returns the peak. */
function watchMemory(home: string): () => number {
  if (process.platform !== "linux") return () => 0;
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of processesOf(home, "provider")) peak = Math.max(peak, highWater(pid));
  }, 200);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

function highWater(pid: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // The process has ended.
  }
}
