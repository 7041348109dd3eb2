import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import { fast, PassingClock } from "./account";
import { Project } from "./project";
import { TestStack } from "./stack";

/** The emulated account of the running test, and its stack or project. */
export let emulator: Emulator;
export let stack: TestStack;
export let project: Project;
/** The clock of the emulated service. */
export let clock: PassingClock;

const projects: Project[] = [];

/** The tests that share an account: one test, or all of the file or block. */
type Whose = "each" | "all";

const hooks = {
  each: { before: beforeEach, after: afterEach },
  all: { before: beforeAll, after: afterAll },
};

function account(whose: Whose, options: EmulatorOptions): void {
  hooks[whose].before(async () => {
    clock = new PassingClock();
    emulator = await startEmulator({ clock, ...options, timings: { ...fast.timings, ...options.timings } });
  });
  hooks[whose].after(() => emulator.close());
}

interface StackOptions extends EmulatorOptions {
  /** Variables that override the emulator's environment. */
  readonly env?: Record<string, string>;
  readonly config?: Parameters<typeof TestStack.create>[1];
}

/** Sets up an empty account and a stack. */
export function emulatedStack(whose: Whose, { env, config, ...options }: StackOptions = {}): void {
  account(whose, options);
  hooks[whose].before(async () => {
    stack = await TestStack.create({ ...emulator.env, ...env }, config);
  });
  hooks[whose].after(() => stack.remove());
}

/** Sets up an empty account for each test, which makes its projects with {@link newProject}. */
export function emulatedAccount(): void {
  account("each", {});
  afterEach(() => {
    for (const one of projects.splice(0)) one.remove();
  });
}

/** A project with a backend of its own and a stack of this name. Its programs run in this process. */
export async function newProject(name = "dev"): Promise<Project> {
  const made = new Project(emulator);
  made.inline = true;
  projects.push(made);
  await made.pulumi("stack", "init", name);
  return made;
}

/** Runs a command of the project that has to succeed. Returns what it printed. */
export async function pulumi(...args: string[]): Promise<string> {
  const { ok, printed } = await project.pulumi(...args);
  if (!ok) throw new Error(`pulumi ${args.join(" ")}\n${printed}`);
  return printed;
}

/** Sets up an empty account, and a project for the command line with a stack of this name. */
export function emulatedProject(whose: Whose, name = "dev", options: EmulatorOptions = {}): void {
  account(whose, options);
  hooks[whose].before(async () => {
    project = new Project(emulator);
    await project.pulumi("stack", "init", name);
  });
  hooks[whose].after(() => project.remove());
}
