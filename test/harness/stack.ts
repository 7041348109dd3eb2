import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import {
  type Deployment,
  type EngineEvent,
  LocalWorkspace,
  type ProjectSettings,
  PulumiCommand,
  type PulumiFn,
  Stack,
  type UpOptions,
} from "@pulumi/pulumi/automation";
import { parse } from "semver";
import { secretsProvider } from "../engine/vault";
import { removeFolder } from "./remove";
import "./sdk-in-jest";
import { copyEmptyStack } from "./empty-stack";
import { plugins } from "./face";
import { interruptEngine, killProcesses, processesOf } from "./kill";
import { nameIn, type Step, stepOf } from "./step";

/** The result of a command of the engine. */
export interface Run {
  /** The steps that the engine announced before it took them. */
  readonly steps: readonly Step[];
  /** The steps after they were taken. For a refresh only these show what it found. */
  readonly results: readonly Step[];
  /** Outputs of the stack. Secret ones are masked. */
  readonly outputs: Record<string, unknown>;
  /** Messages that the engine showed only for a while, in a status line. */
  readonly progress: readonly string[];
  /** Warnings, each after the name of its resource. */
  readonly warnings: readonly string[];
  /** Everything that was printed. */
  readonly printed: string;
}

/** A command of the engine that failed. */
export class RunFailure extends Error {
  constructor(
    readonly printed: string,
    readonly steps: readonly Step[],
  ) {
    super(printed);
  }
}

const project: ProjectSettings = { name: "specification", runtime: "nodejs" };
const repository = resolve(__dirname, "../..");

/** Pulumi's command, as `PulumiCommand.get` makes it, which asks for the version first. Here the set-up has asked, once for all files. */
const engine: PulumiCommand = Reflect.construct(PulumiCommand, ["pulumi", parse(process.env.PODLUMI_ENGINE)]);

/** An environment in which the engine finds the plugin. */
export const withPlugin = { PATH: [join(repository, "dist", "plugin"), process.env.PATH].join(delimiter) };

/**
 * An environment in which the engine writes the state at the end of a command, and not before and after each step. For where nothing is
 * killed, and nothing looks in between.
 */
export const oneCheckpoint = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/**
 * A stack on the real engine, with its own state backend in a temporary folder. Programs are functions. They load the
 * package as users do: built, and from `node_modules`.
 */
export class TestStack {
  private readonly printedSoFar: string[] = [];

  private constructor(
    private readonly stack: Stack,
    private readonly folder: string,
  ) {
    // The events of a run already contain the outputs. Reading outputs and history takes three more commands.
    stack.outputs = async () => ({});
    stack.info = async () => undefined;
  }

  static async create(
    environment: Record<string, string>,
    config: Record<string, { value: string; secret?: boolean }> = {},
  ): Promise<TestStack> {
    const folder = mkdtempSync(join(tmpdir(), "podlumi-stack-"));
    for (const name of ["work", "backend", "home"]) mkdirSync(join(folder, name));
    symlinkSync(join(repository, "node_modules"), join(folder, "work", "node_modules"));
    const [work, backend] = [join(folder, "work"), join(folder, "backend")];
    const workspace = await LocalWorkspace.create({
      workDir: work,
      projectSettings: { ...project, plugins } as ProjectSettings,
      pulumiHome: join(folder, "home"),
      pulumiCommand: engine,
      secretsProvider,
      envVars: {
        PULUMI_BACKEND_URL: `file://${backend}`,
        PULUMI_CONFIG_PASSPHRASE: "specification",
        PULUMI_SKIP_UPDATE_CHECK: "1",
        ...environment,
      },
    });
    const isOwn = environment.PULUMI_BACKEND_URL === undefined;
    if (isOwn) workspace.createStack = async () => copyEmptyStack(work, backend);
    const stack = await Stack.create("test", workspace);
    const made = new TestStack(stack, folder);
    if (Object.keys(config).length > 0) await made.configure(config);
    return made;
  }

  /** Sets configuration values of the stack. Only secrets take a command of the engine, which encrypts them. */
  async configure(config: Record<string, { value: string; secret?: boolean }>): Promise<void> {
    if (Object.values(config).some(({ secret }) => secret)) return this.stack.setAllConfig(config);
    const { name, workspace } = this.stack;
    const settings = await workspace.stackSettings(name);
    const plain = Object.entries(config).map(([key, { value }]) => [key, value]);
    await workspace.saveStackSettings(name, {
      ...settings,
      config: { ...settings.config, ...Object.fromEntries(plain) },
    });
  }

  /** The same stack with other environment variables. */
  async with(environment: Record<string, string>): Promise<TestStack> {
    const { workDir, pulumiHome, pulumiCommand, envVars } = this.stack.workspace;
    const stack = await LocalWorkspace.selectStack(
      { projectName: "specification", stackName: "test", program: async () => {} },
      { workDir, pulumiHome, pulumiCommand, envVars: { ...envVars, ...environment } },
    );
    return new TestStack(stack, this.folder);
  }

  up(program: () => unknown, options: UpOptions = {}): Promise<Run> {
    return this.run(program, (on) => this.stack.up({ ...on, ...options }));
  }

  preview(program: () => unknown): Promise<Run> {
    return this.run(program, (on) => this.stack.preview({ ...on, diff: true }));
  }

  /** With a program, as `pulumi refresh --run-program` does. */
  refresh(program?: () => unknown): Promise<Run> {
    return this.run(program, (on) => this.stack.refresh({ ...on, runProgram: program !== undefined }));
  }

  /** With a program, as `pulumi destroy --run-program` does. */
  destroy(program?: () => unknown): Promise<Run> {
    return this.run(program, (on) => this.stack.destroy({ ...on, runProgram: program !== undefined }));
  }

  /** `pulumi import`, as a person types it. */
  async import(resources: { type: string; name: string; id: string }[]): Promise<void> {
    await this.stack.import({ resources, generateCode: false, protect: false });
  }

  /** Continues on a new machine that has only the backend. */
  elsewhere(): void {
    const home = mkdtempSync(join(this.folder, "home-"));
    Object.assign(this.stack.workspace, { pulumiHome: home });
  }

  /** Kills processes of this stack: only the provider, only the engine, or all. */
  kill(which: "provider" | "engine" | "everything"): void {
    killProcesses(String(this.stack.workspace.pulumiHome), which);
  }

  /** The ids of the processes of this stack that run: of providers, of engines, or of all. */
  processes(which: "provider" | "engine" | "everything"): number[] {
    return processesOf(String(this.stack.workspace.pulumiHome), which);
  }

  /** Sends the signal of Ctrl-C. */
  interrupt(): void {
    interruptEngine(String(this.stack.workspace.pulumiHome));
  }

  /** Removes the lock that a killed run left, as a user would with `pulumi cancel`. */
  async unlock(): Promise<void> {
    await this.stack.cancel();
  }

  /** Clears pending creates with a refresh, as a user would when Pulumi reports pending operations. */
  clearPending(): Promise<Run> {
    return this.run(undefined, (on) => this.stack.refresh({ ...on, clearPendingCreates: true }));
  }

  /** The resources in the state, as `pulumi stack export` prints them. Secrets are encrypted. */
  async resources(): Promise<StateResource[]> {
    return (await this.stack.exportStack()).deployment.resources ?? [];
  }

  /** Edits the state with `pulumi stack export` and `pulumi stack import`. */
  async edit(change: (resource: StateResource) => unknown): Promise<void> {
    const exported = await this.stack.exportStack();
    for (const resource of exported.deployment.resources)
      if (resource.outputs !== undefined) change(resource);
    await this.stack.importStack(exported);
  }

  /** Takes in an exported state. */
  async takeIn(deployment: Deployment): Promise<void> {
    await this.stack.importStack(deployment);
  }

  /** Everything that was printed, and all files of the state backend. No secret may appear there. */
  leftBehind(): string {
    return [...this.printedSoFar, ...files(join(this.folder, "backend"))].join("\n");
  }

  /** Removes the folder. The stack should be empty by then. */
  remove(): void {
    removeFolder(this.folder);
  }

  private async run(
    program: (() => unknown) | undefined,
    command: (on: Pick<Recording, "onEvent" | "onOutput">) => Promise<{ stdout: string; stderr?: string }>,
  ): Promise<Run> {
    if (program !== undefined) this.stack.workspace.program = (async () => program()) as PulumiFn;
    const told = new Recording();
    try {
      const { stdout, stderr = "" } = await command(told);
      told.printed.push(stdout, stderr);
      return { ...told, printed: told.printed.join("\n") };
    } catch (error) {
      told.printed.push(String(error));
      throw new RunFailure(told.printed.join("\n"), told.steps);
    } finally {
      this.printedSoFar.push(...told.printed);
      expect(told.uncoded).toEqual([]);
    }
  }
}

/** The engine's report of a run. */
class Recording {
  readonly steps: Step[] = [];
  readonly results: Step[] = [];
  readonly printed: string[] = [];
  readonly progress: string[] = [];
  readonly warnings: string[] = [];
  /** Errors and warnings of podlumi without a code. */
  readonly uncoded: string[] = [];
  outputs: Record<string, unknown> = {};

  readonly onOutput = (text: string) => this.printed.push(text);

  readonly onEvent = ({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: EngineEvent) => {
    const step = stepOf(resourcePreEvent?.metadata);
    if (step !== undefined) this.steps.push(step);
    const done = stepOf(resOutputsEvent?.metadata);
    if (done !== undefined) this.results.push(done);
    const { type, new: made } = resOutputsEvent?.metadata ?? {};
    if (type === "pulumi:pulumi:Stack") this.outputs = made?.outputs ?? {};
    const { severity, message, ephemeral, urn } = diagnosticEvent ?? {};
    if (message === undefined) return;
    if (ephemeral) this.progress.push(message.trim());
    if (severity === "warning") this.warnings.push(`${nameIn(urn)} ${withoutName(urn, message.trim())}`);
    // Leave out debug messages: only `--debug` shows them, and Pulumi's own SDK writes whole resources into them.
    if ((severity as string) !== "debug") this.printed.push(message);
    if (needsCode(severity, urn, message)) this.uncoded.push(message);
  };
}

/** A message without the name of its resource, with which podlumi begins it where the command shows a diff. */
function withoutName(urn: string | undefined, message: string): string {
  const name = `${nameIn(urn)}: `;
  return message.startsWith(name) ? message.slice(name.length) : message;
}

/** A resource in the state. */
export interface StateResource {
  urn: string;
  id?: string;
  type: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  initErrors?: string[];
  dependencies?: string[];
}

/** An error or a warning of podlumi that lacks its code. Texts about a hook are Pulumi's. */
function needsCode(severity: string | undefined, urn: string | undefined, message: string): boolean {
  const ours =
    severity === "error"
      ? /^(?:error: )?podlumi:|has a problem: /.test(message)
      : severity === "warning" && urn?.includes("podlumi:") === true && !/ on-error hook /.test(message);
  return ours && !/\[PODLUMI(-[A-Z]+)+\]/.test(message);
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [readFileSync(path, "utf8")];
  });
}
