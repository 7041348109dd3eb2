import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type Argument, InvalidArgumentError, Option } from "commander";
import { isTimestamp } from "../../provider/client/clock";
import { didYouMean, oneOf } from "../../provider/did-you-mean";
import type { KindName } from "../../provider/resources";
import { duration, units } from "../../provider/schema/duration";
import { CommandError, tell } from "./output";
import { languages } from "./program/program";

/** Milliseconds of `90s`, `30m`, `2h` or `7d`. */
export function milliseconds(text: string): number {
  const found = duration(text);
  if (Number.isNaN(found)) throw new InvalidArgumentError("It must be a time such as 90s, 30m, 2h or 7d.");
  return found;
}

/** The same, within a range in milliseconds. */
export function timeFrom({
  least,
  most,
}: {
  readonly least: number;
  readonly most: number;
}): typeof milliseconds {
  return (text) => {
    const found = milliseconds(text);
    if (found >= least && found <= most) return found;
    throw new InvalidArgumentError(`It must be a time from ${asTime(least)} to ${asTime(most)}.`);
  };
}

/** Milliseconds in the largest unit that has no rest. */
function asTime(time: number): string {
  const [unit, size = 1] = Object.entries(units).findLast(([, size]) => time % size === 0) ?? [];
  return `${time / size}${unit}`;
}

/** A point in time: a timestamp (RFC 3339), or the time since then such as `10m`. */
export function moment(text: string): string {
  return momentIn(text, "a time such as 10m");
}

/** The same. The error for what is none names the `forms` of others, beside a timestamp. */
function momentIn(text: string, forms: string): string {
  const since = duration(text);
  const time = new Date(isTimestamp(text) ? text : Date.now() - since);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError(`It must be ${forms}, or 2026-06-01T12:00:00Z with its zone.`);
}

/** The same, or a day, which begins at midnight UTC: that is how bills go. */
export function dayOrMoment(text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  return momentIn(isDay ? `${text}T00:00:00Z` : text, "a time such as 10m, a day such as 2026-06-01");
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** The vCPUs of a container, of which the service wants a power of two. (API: Catalog, CPUs) */
export function powerOfTwo(text: string): number {
  const value = wholeNumber(2, 1024)(text);
  if (Number.isInteger(Math.log2(value))) return value;
  throw new InvalidArgumentError("It must be a power of two, such as 2, 4 or 8.");
}

/** An option or an argument that takes one of these words. Another word gets the nearest of them suggested. */
export function oneOfThese<T extends Option | Argument>(parameter: T, words: readonly string[]): T {
  parameter.choices(words);
  parameter.argParser((text: string) => {
    if (words.includes(text)) return text;
    throw new InvalidArgumentError(`It must be ${oneOf(words)}${didYouMean(text, words)}`);
  });
  return parameter;
}

/**
 * Reads a kind: its name or the last word of the name, in the singular or the plural, in upper or lower case, such as
 * `Pod`, `pods`, `endpoints`, `volumes`.
 */
export function kindAmong<K extends KindName>(kinds: readonly K[]): (text: string) => K {
  const plain = (name: string) => name.toLowerCase().replace(/s$/, "");
  return (text) => {
    const lastWord = (kind: string) => kind.split(/(?=[A-Z])/).at(-1) ?? "";
    const kind = kinds.find((one) => [one, lastWord(one)].map(plain).includes(plain(text)));
    if (kind !== undefined) return kind;
    throw new InvalidArgumentError(
      `It must be a kind, such as Pod, pods or volumes: ${oneOf(kinds)}${didYouMean(plain(text), kinds)}`,
    );
  };
}

/** An option or an argument that takes one of these kinds, in any of the ways in which one may write it. */
export function oneKindOf<T extends Option | Argument, K extends KindName>(
  parameter: T,
  kinds: readonly K[],
): T {
  parameter.choices(kinds);
  parameter.argParser(kindAmong(kinds));
  return parameter;
}

/**
 * The content of a file, or of standard input for `-`. Says that it waits for that: nobody may be about to write there. The error of a file
 * that an option names has the option.
 */
export async function contentOf(file: string, option?: string): Promise<string> {
  if (file !== "-")
    return readFile(file).then(decoded, ({ code, message }) => {
      const named = JSON.stringify(file);
      const why = code === "ENOENT" ? `there is no file ${named}` : `${named} cannot be read: ${message}`;
      throw new CommandError(option === undefined ? why : `${option}: ${why}`);
    });
  const slow = setTimeout(() => tell("podlumi: waiting for the end of standard input …"), 3_000);
  return text(process.stdin).finally(() => clearTimeout(slow));
}

/** A text in UTF-8, or in UTF-16 as `>` of Windows PowerShell writes it, without the mark of the encoding. */
function decoded(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** The value in a JSON text. `source` tells where the text is from. */
export function fromJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message repeats the text, which may be secret.
    throw new CommandError(`${source} is no JSON`);
  }
}

/** `--language`: in what a command writes a program. */
export function language(): Option {
  return new Option("--language <language>", "what to write")
    .choices(Object.keys(languages))
    .default("typescript");
}

/** `project/stack`, or the name of a stack of the project in this folder. */
export function stackName(text: string): string {
  const parts = text.split("/");
  if (parts.some((part) => part === ""))
    throw new InvalidArgumentError("It must be project/stack, such as shop/dev.");
  if (parts.length > 1) return parts.slice(-2).join("/");
  const file = "Pulumi.yaml";
  const project = existsSync(file)
    ? /^name:\s*["']?([\w.-]+)/m.exec(readFileSync(file, "utf8"))?.[1]
    : undefined;
  if (project === undefined) {
    throw new InvalidArgumentError("It must be project/stack: no Pulumi.yaml here names a project.");
  }
  return `${project}/${text}`;
}

/** How a person names an object. */
export const nameOrId = "its id, its name, or the name of its resource";

/** `--stack`: whose resource a name means. */
export function stackOfResource(): Option {
  return new Option(
    "--stack <project/stack>",
    "whose resource it is, default the stack that `pulumi` has selected in this folder",
  ).argParser(stackName);
}
