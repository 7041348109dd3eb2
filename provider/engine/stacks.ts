import { spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Milliseconds: a state of 1000 resources takes one second. */
const patience = 20_000;

/** A resource, as an export of a stack's state has it. */
interface Exported {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly external?: boolean;
  /** Its object is deleted, and its replacement still to be made. */
  readonly pendingReplacement?: boolean;
}

/** The part of an export that matters here. */
interface Deployment {
  readonly manifest?: { readonly time?: string };
  readonly resources?: readonly Exported[];
  readonly pending_operations?: readonly { readonly resource: Exported; readonly type: string }[];
}

/** A stack's state. */
export interface State {
  /** The stack, with its organization and project. */
  readonly name: string;
  /** Whose objects it has: URNs by ids. */
  readonly holders: ReadonlyMap<string, string>;
  /** Everything that it speaks of: what the program only reads (`get`), too. */
  readonly ids: ReadonlySet<string>;
  /** The ids of its provider resources. */
  readonly providers: ReadonlySet<string>;
  /** What a run is making, or was when it was interrupted: URNs, once for each of these runs. */
  readonly pending: readonly string[];
  /** When it was written, in milliseconds since the epoch; 0 when it does not say. */
  readonly at: number;
}

/**
 * What Pulumi tells of its states; undefined when it cannot be asked. The engine tells a provider of one resource after the
 * other, and of some only in the end: who has to know before that whether a state has an object, asks Pulumi itself. That
 * takes a moment, so it is asked only about objects whose mark or name raises the question.
 */
export interface Pulumi {
  state(stack: string): Promise<State | undefined>;
  /** All stacks of the backend, with organization and project. */
  stacks(): Promise<string[] | undefined>;
}

/** The Pulumi of this machine. */
export const pulumi: Pulumi = {
  async state(stack) {
    const text = await output(["stack", "export", "--stack", stack]);
    return stateIn(stack, text);
  },
  async stacks() {
    const text = await output(["stack", "ls", "--all", "--json", "--fully-qualify-stack-names"]);
    return parsed<{ name: string }[]>(text)?.map(({ name }) => name);
  },
};

/** How many stacks are asked for their states at once: a backend may hold hundreds. */
const atOnce = 4;

/** The states of some stacks; of those that cannot be asked, what `otherwise` makes of them. */
export async function states(
  { state }: Pulumi,
  stacks: readonly string[],
  otherwise: (stack: string) => void = () => undefined,
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

/** An exported state; undefined for what is none. */
function stateIn(name: string, text: string | undefined): State | undefined {
  const exported = parsed<{ deployment?: Deployment }>(text);
  if (exported?.deployment === undefined) return undefined;
  const { resources = [], pending_operations: pending = [], manifest } = exported.deployment ?? {};
  const present = resources.filter(({ external, pendingReplacement }) => !external && !pendingReplacement);
  const providers = resources.filter(({ type }) => type.startsWith("pulumi:providers:"));
  return {
    name,
    holders: new Map(present.flatMap(({ id, urn }) => (id === undefined ? [] : [[id, urn] as const]))),
    ids: new Set(resources.flatMap(({ id, pendingReplacement }) => (pendingReplacement ? [] : (id ?? [])))),
    pending: pending.filter(({ type }) => type === "creating").map(({ resource }) => resource.urn),
    at: Date.parse(manifest?.time ?? "") || 0,
    providers: new Set(providers.flatMap(({ id }) => id ?? [])),
  };
}

/** What cannot be read tells nothing, and never that there is nothing. */
function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How to ask Pulumi: its program, and the folder of the project, whose `Pulumi.yaml` may name the backend. */
interface Place {
  readonly program: string;
  readonly cwd: string;
}

/**
 * As the engine that started this process has it, where the system tells: it need not be on the PATH, and a provider runs in
 * the folder of the program (`main`), which may lie elsewhere. Otherwise as the shell has it.
 */
function place(): Place {
  for (let id = process.ppid, generation = 0; generation < 3; id = parentOf(id), generation++) {
    const program = linked(`/proc/${id}/exe`);
    const cwd = linked(`/proc/${id}/cwd`);
    if (program !== undefined && cwd !== undefined && basename(program) === "pulumi") return { program, cwd };
  }
  const { PWD = "." } = process.env;
  return { program: "pulumi", cwd: existsSync(PWD) ? PWD : "." };
}

function linked(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function parentOf(id: number): number {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

/** What a command of Pulumi prints; undefined when it fails, or is not there. */
function output(args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    // In a group of its own: the engine interrupts the whole group of a provider at the end of a run.
    const { program, cwd } = place();
    const child = spawn(program, [...args, "--non-interactive"], {
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("error", () => done(undefined));
    child.on("close", (code) => {
      clearTimeout(timer);
      done(code === 0 ? Buffer.concat(parts).toString("utf8") : undefined);
    });
  });
}
