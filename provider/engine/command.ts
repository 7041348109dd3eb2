import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** How far up the engine may be: it starts a provider itself, or through a script or a host. */
const generations = 3;

/** The ids of the processes from which this one comes, the nearest first. */
export function* ancestors(): Generator<number> {
  for (let id = process.ppid, generation = 0; id > 0 && generation < generations; generation++) {
    yield id;
    id = parentOf(id);
  }
}

/** The names of a destroy. */
const destroys = ["destroy", "down", "dn"];

/** The engine's command. What it says is undefined where this machine does not show the command. */
export class Command {
  /** The words after the engine's own name, behind the flags that its environment sets. */
  private readonly words: readonly string[] | undefined;
  /** What it does, such as `up`. */
  private readonly verb: string | undefined;

  /** Takes the words of the processes from which this one comes, the nearest first. */
  constructor(
    processes: readonly (readonly string[])[],
    private readonly environment: NodeJS.ProcessEnv = process.env,
  ) {
    const words = processes.map(wordsAfterPulumi).find((found) => found !== undefined);
    this.words = words && [...flagsIn(environment), ...words.flatMap(apart)];
    // Pulumi takes no word after several short flags in one for a value: `-yf destroy` is a destroy.
    this.verb = words && subcommand(words);
  }

  /** Whether it deletes only what the user asks it to delete, as a destroy does, and `pulumi do`. */
  get asksForDeletions(): boolean | undefined {
    return this.is(...destroys, "do");
  }

  /** Whether it deletes all that the stack has, and in the end its providers. */
  get deletesAll(): boolean {
    return this.is(...destroys) === true && !this.isPartial;
  }

  /** Whether it changes what it previews. */
  get isUpdate(): boolean | undefined {
    return this.is("up", "update", "watch");
  }

  /** Whether it runs the program, if at all, only to learn what that declares (`--run-program`): a refresh or a destroy. */
  get onlyReadsProgram(): boolean | undefined {
    return this.is("refresh", ...destroys);
  }

  /** Whether it may be of a stack of this name: it names that one, with or without its project, or none that can be seen. */
  mayBeOf(stack: string): boolean {
    const [, named] = this.stackFlags ?? [];
    return named === undefined || named.split("/").at(-1) === stack;
  }

  /** Whether it leaves out a part of what the program declares. */
  get isPartial(): boolean | undefined {
    return this.words?.some((word) =>
      /^(-[tx]|--(target|target-replace|target-snippet|exclude|exclude-protected))(=|$)/.test(word),
    );
  }

  /** Whether it takes the creates of interrupted runs out of the state, which it does before it asks a provider. */
  get clearsPendingCreates(): boolean | undefined {
    const imports = this.words?.some((word) => /^--import-pending-creates(=|$)/.test(word));
    return imports || this.isGiven("--clear-pending-creates");
  }

  /** Whether a refresh asks the providers that the program gives by now, and not those in the state. */
  get runsProgram(): boolean | undefined {
    return this.isGiven("--run-program") ?? isOn(this.environment.PULUMI_RUN_PROGRAM ?? "");
  }

  /** Whether it continues with other resources after one has failed. */
  get continuesOnError(): boolean {
    return this.isGiven("--continue-on-error") ?? isOn(this.environment.PULUMI_CONTINUE_ON_ERROR ?? "");
  }

  /** Whether it writes the state only at its end, so that nothing shows there what it does meanwhile. */
  get writesOnlyAtEnd(): boolean {
    return isOn(this.environment.PULUMI_SKIP_CHECKPOINTS ?? "");
  }

  /** Whether its display is a diff, which shows messages without the resource that they are of. */
  get showsDiff(): boolean | undefined {
    return this.words && (this.isGiven("--diff") ?? false);
  }

  /** Whether it shows details, by `--debug` or `-d`. */
  get showsDetails(): boolean | undefined {
    return this.words?.some((word) => word.startsWith("--debug") || word === "-d");
  }

  /** The file that it names for the stack's configuration; undefined when it names none. */
  get configFile(): string | undefined {
    return valueOfFlag(["--config-file"], this.words ?? []);
  }

  /** The flags with which it names its stack. */
  get stackFlags(): readonly string[] | undefined {
    const { words } = this;
    const stack = words && valueOfFlag(["--stack", "-s"], words);
    return words && (stack === undefined ? [] : ["--stack", stack]);
  }

  /** What it says of a flag that is on or off; undefined where it does not name the flag. The last one counts. */
  private isGiven(flag: string): boolean | undefined {
    const given = this.words?.findLast((word) => word === flag || word.startsWith(`${flag}=`));
    return given === undefined ? undefined : isOn(given.split("=")[1] ?? "true");
  }

  private is(...names: readonly string[]): boolean | undefined {
    return this.words && names.includes(this.verb ?? "");
  }
}

const isOn = (text: string) => ["1", "t", "T", "TRUE", "true", "True"].includes(text);

/** The command of the engine that started this process. */
export function commandOfEngine(): Command {
  return new Command([...ancestors()].map(wordsOf));
}

/**
 * Whether Pulumi runs the program of a stack in this process for a change, and not for a refresh or a destroy (`--run-program`). The engine has
 * started this process, or this process has started the engine (Automation API), perhaps several. Undefined where that does not show it.
 */
export function runsForChange(
  stack: string,
  above = commandOfEngine(),
  below: readonly (readonly string[])[] = children().map(wordsOf),
): boolean | undefined {
  const started = below.map((words) => new Command([words])).filter((one) => one.mayBeOf(stack));
  const changes = [above, ...started].some((one) => one.isUpdate);
  const reads = [above, ...started].some((one) => one.onlyReadsProgram);
  return changes === reads ? undefined : changes;
}

/** Tells, as often as it is asked, whether the engine lives that started this process: a killed one cannot end its providers. */
export function watchOfEngine(): () => boolean {
  // Where there is no `/proc`, several calls of `ps` take too long for the start.
  let line = shownParent(process.pid) === undefined ? undefined : lineToEngine();
  return () => {
    line ??= lineToEngine();
    const parents = [process.ppid, ...line.map(shownParent)];
    return line.every((id, index) => isThere(id) && (parents[index] ?? id) === id);
  };
}

/** The processes from the parent of this one to the engine. Only the parent where nothing shows the engine. */
function lineToEngine(): readonly number[] {
  const line = [...ancestors()];
  const at = line.findIndex((id) => wordsAfterPulumi(wordsOf(id)) !== undefined);
  return line.slice(0, Math.max(at, 0) + 1);
}

/** Whether there is such a process: also one that has ended, as long as its parent has not asked for its end. */
function isThere(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Pulumi takes each flag also from a variable: `PULUMI_OPTION_TARGET` sets `--target`. */
const optionPrefix = "PULUMI_OPTION_";

/** The flags that an environment sets. What stands in the command itself comes after them, and counts. */
function flagsIn(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!name.startsWith(optionPrefix) || !value) return [];
    return [`--${name.slice(optionPrefix.length).toLowerCase().replaceAll("_", "-")}=${value}`];
  });
}

/** An environment that sets no flags of Pulumi's commands: they are meant for the user's own. */
export function withoutFlags(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith(optionPrefix)));
}

/** The short flags of a word, each as a word of its own. The rest after the first that has a value is that: `-fsdev` is `-f -s=dev`. */
function apart(word: string): string[] {
  const [all, letters = ""] = /^-([^-=\scCmpstvx]*[cCmpstvx]?)=?/.exec(word) ?? [""];
  const flags = [...letters].map((letter) => `-${letter}`);
  const last = flags.pop();
  if (last === undefined) return [word];
  const value = word.slice(all.length);
  return [...flags, value === "" ? last : `${last}=${value}`];
}

/** The flags before a command that have no value. Pulumi takes the word after any other flag for its value. */
const bare =
  /^(-[eQh]|--(emoji|fully-qualify-stack-names|help|version|non-interactive|logflow|logtostderr|disable-integrity-checking))$/;

/** The command: the first word that is neither a flag nor a flag's value. */
function subcommand(words: readonly string[]): string | undefined {
  const hasValueAfter = (word = "") => /^(--[^=]+|-[^=])$/.test(word) && !bare.test(word);
  return words.find((word, index) => !word.startsWith("-") && !hasValueAfter(words[index - 1]));
}

/** The value of a flag, by any of its names; the last one counts. */
function valueOfFlag(names: readonly string[], words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => names.some((one) => word === one || word.startsWith(`${one}=`)));
  const word = words[at];
  return word !== undefined && names.includes(word) ? words[at + 1] : word?.replace(/^[^=]*=/, "");
}

function wordsAfterPulumi(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => /^pulumi(\.exe)?$/.test(basename(word)));
  return at < 0 ? undefined : words.slice(at + 1);
}

/** The words of a process's command line, from `/proc`, or from `ps` where there is none. */
function wordsOf(id: number): readonly string[] {
  const shown = contents(`/proc/${id}/cmdline`);
  return shown === undefined ? (asked(id, "args") ?? "").split(/\s+/) : shown.split("\0");
}

/** The ids of the processes that this one has started, from `/proc`, or from `ps` where there is none. */
function children(): number[] {
  if (shownParent(process.pid) !== undefined)
    return readdirSync("/proc")
      .map(Number)
      .filter((id) => shownParent(id) === process.pid);
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const all = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return all.filter(([, parent]) => parent === process.pid).map(([id = 0]) => id);
}

function parentOf(id: number): number {
  return shownParent(id) ?? (Number(asked(id, "ppid")) || 0);
}

/** The parent of a process that `/proc` shows; undefined where there is no `/proc`, or no such process. */
function shownParent(id: number): number | undefined {
  const [, parent] = /^PPid:\s*(\d+)$/m.exec(contents(`/proc/${id}/status`) ?? "") ?? [];
  return parent === undefined ? undefined : Number(parent);
}

/** What `ps` tells of a process; undefined without `ps`. */
function asked(id: number, what: "args" | "ppid"): string | undefined {
  const { status, stdout } = spawnSync("ps", ["-ww", "-o", `${what}=`, "-p", String(id)], {
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : undefined;
}

function contents(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Where a link leads; undefined when there is none. */
export function linked(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
