import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
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

/**
 * Whether the engine's command deletes only what the user asks it to delete, as a destroy does, and `pulumi do`. Undefined where
 * this machine does not show the command.
 */
export function asksForDeletions(commands?: readonly string[][]): boolean | undefined {
  const words = engineWords(commands);
  if (words === undefined) return undefined;
  return ["destroy", "down", "dn", "do"].includes(subcommand(words) ?? "");
}

/** Whether the engine's command changes what it previews; undefined where this machine does not show the command. */
export function isUpdate(commands?: readonly string[][]): boolean | undefined {
  const words = engineWords(commands);
  return words && ["up", "update"].includes(subcommand(words) ?? "");
}

/** Whether the engine's command leaves out a part of what the program declares; undefined where this machine does not show the command. */
export function isPartial(commands?: readonly string[][]): boolean | undefined {
  return engineWords(commands)?.some((word) =>
    /^(--(target|target-replace|target-snippet|exclude)|-[a-z]*t)(=|$)/i.test(word),
  );
}

/**
 * Whether a refresh of the engine's command asks the providers that the program gives by now, and not those in the state; undefined where
 * this machine does not show the command.
 */
export function runsProgram(
  commands?: readonly string[][],
  environment: NodeJS.ProcessEnv = process.env,
): boolean | undefined {
  const given = engineWords(commands)?.findLast((word) => /^--run-program(=|$)/.test(word));
  const isOn = (text: string) => ["1", "t", "T", "TRUE", "true", "True"].includes(text);
  if (given !== undefined) return isOn(given.split("=")[1] ?? "true");
  return isOn(environment.PULUMI_RUN_PROGRAM ?? "");
}

/** The flags before a command that have no value. Pulumi takes the word after any other flag for its value. */
const bare =
  /^(-[eQh]|--(emoji|fully-qualify-stack-names|help|version|non-interactive|logflow|logtostderr|disable-integrity-checking))$/;

/** The command: the first word that is neither a flag nor a flag's value. */
function subcommand(words: readonly string[]): string | undefined {
  const hasValueAfter = (word = "") => /^(--[^=]+|-[^=])$/.test(word) && !bare.test(word);
  return words.find((word, index) => !word.startsWith("-") && !hasValueAfter(words[index - 1]));
}

/** The file that the engine's command names for the stack's configuration; undefined when it names none. */
export function configFile(commands?: readonly string[][]): string | undefined {
  return valueOfFlag("--config-file", engineWords(commands) ?? []);
}

/** The flags with which the engine's command names its stack; undefined where this machine does not show that, or short flags in one word hide it. */
export function stackFlags(commands?: readonly string[][]): readonly string[] | undefined {
  const words = engineWords(commands);
  if (words?.some((word) => /^-[^-=]*s/.test(word) && !/^-s(=|$)/.test(word))) return undefined;
  const stack = words && (valueOfFlag("--stack", words) ?? valueOfFlag("-s", words));
  return words && (stack === undefined ? [] : ["--stack", stack]);
}

/** The value of a flag; the last one counts. */
function valueOfFlag(flag: string, words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return words[at] === flag ? words[at + 1] : words[at]?.slice(`${flag}=`.length);
}

/** The words of the engine's command, without its own name; undefined where this machine does not show it. */
function engineWords(
  commands: readonly (readonly string[])[] = [...ancestors()].map(wordsOf),
): readonly string[] | undefined {
  return commands.map(wordsAfterPulumi).find((found) => found !== undefined);
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

function parentOf(id: number): number {
  const status = contents(`/proc/${id}/status`);
  const shown = status === undefined ? asked(id, "ppid") : /^PPid:\s*(\d+)$/m.exec(status)?.[1];
  return Number(shown) || 0;
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
