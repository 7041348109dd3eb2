import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { ancestors, Command, commandOfEngine, linked, withoutFlags } from "./command";
import { type State, stateIn } from "./export";

/** Milliseconds that a Pulumi command may take. A state of 1000 resources takes one second. */
const patience = 20_000;

/**
 * Asks Pulumi about its states; undefined when Pulumi cannot be asked. The engine shows a provider one resource after
 * the other, and some only at the end of a run. To know earlier whether a state has an object, podlumi asks Pulumi
 * itself. That takes a moment, so it asks only about objects whose mark or name raises the question.
 */
export interface Pulumi {
  state(stack: string): Promise<State | undefined>;
  /** All stacks of the backend, with organization and project. */
  stacks(): Promise<string[] | undefined>;
  /** The value of a key of a stack's configuration, as it is now; undefined without one, or when Pulumi does not tell. */
  setting(stack: string, key: string): Promise<string | undefined>;
  /** The stack of this run's command, with organization and project; undefined where nothing shows the command. */
  current(): Promise<string | undefined>;
  /** The command of this run. */
  command(): Command;
}

/** The `pulumi` command of this machine. */
export const pulumi: Pulumi = {
  async state(stack) {
    return answered(async () => stateIn(stack, parsed(await output(["stack", "export", "--stack", stack]))));
  },
  async stacks() {
    const found = () => output(["stack", "ls", "--all", "--json", "--fully-qualify-stack-names"]);
    return answered(async () => {
      const listed = parsed<{ name: string }[]>(await found());
      return Array.isArray(listed) ? listed.map(({ name }) => name) : undefined;
    });
  },
  async setting(stack, key) {
    const file = this.command().configFile;
    const from = file === undefined ? [] : ["--config-file", file];
    // A key without a value is no answer either.
    const found = await answered(() => output(["config", "get", key, "--stack", stack, ...from]), 2);
    return found?.trim();
  },
  async current() {
    const flags = this.command().stackFlags;
    if (flags === undefined) return undefined;
    const [, named] = flags;
    if (named?.split("/").length === 3) return named;
    // What the command names without a project is of the project that it runs in. A state may have the objects of another one.
    const ask = () => output(["stack", "--show-name", "--fully-qualify-stack-names", ...flags]);
    return (await answered(ask))?.trim();
  },
  command() {
    command ??= commandOfEngine();
    return command;
  },
};

/** The engine's command stays the same. Where there is no `/proc`, each look at it takes several calls of `ps`. */
let command: Command | undefined;

/** Milliseconds. What has taken longer did not fail because of a moment, and another try takes as long. */
const shortTry = 3_000;

/**
 * Asks again where there is no answer: in a folder of states, Pulumi fails while a run writes one of them. That of a run which writes a lot
 * lets 1 in 25 questions fail. A state that cannot be read at all is asked for in vain each time, so the attempts are few.
 */
async function answered<T>(ask: () => Promise<T | undefined>, times = 3): Promise<T | undefined> {
  const began = Date.now();
  for (let left = times - 1; ; left--) {
    const answer = await ask();
    if (answer !== undefined || left === 0 || Date.now() - began > shortTry) return answer;
  }
}

/** A backend whose stacks have empty states, for tests. */
export const emptyBackend: Pulumi = {
  state: async (name) => stateIn(name, { deployment: {} }),
  stacks: async () => [],
  setting: async () => undefined,
  current: async () => undefined,
  command: () => new Command([]),
};

/** How many states to export at once: a backend may hold hundreds. */
const atOnce = 4;

/** The states of some stacks. Calls `otherwise` for each stack whose state cannot be read. */
export async function states(
  { state }: Pick<Pulumi, "state">,
  stacks: readonly string[],
  otherwise: (stack: string) => void,
): Promise<State[]> {
  const waiting = [...stacks];
  const found: State[] = [];
  const lane = async () => {
    for (let stack = waiting.pop(); stack !== undefined; stack = waiting.pop()) {
      const one = await state(stack);
      if (one === undefined) otherwise(stack);
      else found.push(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return found;
}

/** Unreadable text is undefined, which means "unknown" and never "empty". */
function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How to run Pulumi: its executable, and the folder of the project, whose `Pulumi.yaml` may name the backend. */
interface Executable {
  readonly program: string;
  readonly cwd: string;
}

/**
 * Takes the executable and the folder of the engine that started this process, where `/proc` shows them. The executable
 * need not be on the PATH. A provider's own folder is that of the program (`main`), which may be another one. Without
 * `/proc`, uses the PATH and the folder of the shell.
 */
function executable(): Executable {
  for (const id of ancestors()) {
    const program = linked(`/proc/${id}/exe`);
    const cwd = linked(`/proc/${id}/cwd`);
    if (program !== undefined && cwd !== undefined && basename(program) === "pulumi") return { program, cwd };
  }
  const { PWD = "." } = process.env;
  return { program: "pulumi", cwd: existsSync(PWD) ? PWD : "." };
}

/** The output of a Pulumi command; undefined when it fails or does not exist. */
function output(args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    // Detached: at the end of a run, the engine interrupts the provider's whole process group.
    const { program, cwd } = executable();
    const child = spawn(program, [...args, "--non-interactive"], {
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...withoutFlags(process.env), PULUMI_SKIP_UPDATE_CHECK: "1" },
    });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // A wrapper of Pulumi can have started it as a process of its own, which would keep the output open.
      child.stdout.destroy();
    }, patience);
    const end = (text: string | undefined) => {
      clearTimeout(timer);
      done(text);
    };
    const parts: Buffer[] = [];
    child.on("error", () => end(undefined));
    child.on("close", (code) => end(code === 0 ? Buffer.concat(parts).toString("utf8") : undefined));
    // Where too many files are open, there is no process, and no output either.
    (child.stdout as typeof child.stdout | undefined)?.on("data", (part: Buffer) => parts.push(part));
  });
}
