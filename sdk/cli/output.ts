import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import type { Command } from "commander";
import { ExpectedError } from "../../provider/client/errors";
import { inJson, inLine, inLines, masked } from "../../provider/mask";

/** The command cannot do what it was asked to do. */
export class CommandError extends ExpectedError {
  constructor(message: string) {
    super(message, "PODLUMI-COMMAND");
  }
}

const start = String.fromCharCode(27);

/** The sequences of {@link Colour}. */
const ownColours = new RegExp(`(${start}\\[(?:1|2|22|31|32|33|39)m)`);

/** The sequences of every colour and every other look of a text. */
export const anyColour = new RegExp(`(${start}\\[[\\d;]*m)`);

/** Ends all colours. */
export const plain = `${start}[0m`;

/** Prints a result to standard output, so that it can be piped. */
export function print(text: string, colours: RegExp = ownColours): void {
  process.stdout.write(`${harmless(text, colours)}\n`);
}

let hidden: readonly string[] = [];

/** From now on, no message shows these texts: the service and workers may repeat what a command has sent. */
export function hide(texts: readonly string[]): void {
  hidden = texts;
}

/** Prints a message to standard error. */
export function tell(text: string): void {
  process.stderr.write(`${harmless(masked(text, hidden), ownColours)}\n`);
}

export function printJson(value: unknown): void {
  print(jsonOf(value, 2));
}

/** JSON to print. */
export function jsonOf(value: unknown, indent?: number): string {
  return inJson(JSON.stringify(value ?? null, undefined, indent));
}

export type Colour = "green" | "red" | "yellow" | "dim" | "bold";

/** Coloured where standard output is a terminal, unless NO_COLOR is set. */
export function coloured(colour: Colour, text: string): string {
  return styleText(colour, text);
}

/**
 * A text for a terminal. Much of what is printed comes from others, so nothing in it steers the terminal: these colours stay
 * where colours are shown, and every other sequence is escaped.
 */
function harmless(text: string, colours: RegExp): string {
  const shown = coloured("bold", "") !== "";
  const parts = text.split(colours);
  return parts.map((part, index) => (index % 2 === 0 ? inLines(part) : shown ? part : "")).join("");
}

interface Table {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The titles of columns with free text, such as names. They are cut where a line would have more columns than `most`. */
  readonly free?: readonly string[];
  /** The titles of columns with numbers, which end below each other. */
  readonly numbers?: readonly string[];
  /** The columns of the terminal; undefined elsewhere. */
  readonly most?: number;
}

const gap = "  ";

/** Columns of free text are cut to no less than this. */
const leastWidth = 16;

/** Rows with a heading, in columns as wide as they need. */
export function table({
  heading,
  rows: given,
  free = [],
  numbers = [],
  most = process.stdout.columns,
}: Table): string {
  const rows = given.map((cells) => cells.map(inLine));
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const amongTitles = (titles: readonly string[]) => (column: number) =>
    titles.includes(heading[column] ?? "");
  if (most > 0) narrow(widths, [...heading.keys()].filter(amongTitles(free)), most);
  const isNumber = amongTitles(numbers);
  const filled = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    const shown = cut(cell, width);
    const rest = " ".repeat(width - widthOf(shown));
    return isNumber(column) ? `${rest}${shown}` : `${shown}${rest}`;
  };
  const line = (cells: readonly string[]) => cells.map(filled).join(gap).trimEnd();
  return [coloured("bold", line(heading)), ...rows.map(line)].join("\n");
}

/** Takes from the widest of the columns that can be cut until a line has no more than `most` characters. */
function narrow(widths: number[], cuttable: readonly number[], most: number): void {
  const width = (column: number) => widths[column] ?? 0;
  const total = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  for (let excess = total - most; excess > 0; excess--) {
    const [widest] = cuttable.filter((one) => width(one) > leastWidth).sort((a, b) => width(b) - width(a));
    if (widest === undefined) return;
    widths[widest] = width(widest) - 1;
  }
}

/** The beginning of a text that is too long, with an ellipsis. It ends with no half of a character. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let start = text;
  while (start !== "" && widthOf(start) >= width) start = start.slice(0, -1);
  return `${start.replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Letters of East Asia that take two columns, of those that are one unit of a text. What has two units, as an emoji, takes two as well. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/g;

/** The columns that a text takes on a terminal. */
function widthOf(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0);
}

/** Asks before something is deleted or removed. Ends the command when the answer is no, or when there is no terminal. */
export async function mustAgree(command: Command, question: string, verb = "delete"): Promise<void> {
  if (!process.stdin.isTTY) {
    command.error(`error: there is no terminal to ask on: give --yes to ${verb} without asking`);
  }
  const person = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D end the question, and the line in which it stands.
  const answer = await person.question(`${question} [y/N] `).catch(() => {
    tell("");
    return "";
  });
  person.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(`nothing was ${verb}d`);
}

/** `1 pod`, `2 pods`. */
export function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 || noun.endsWith("s") ? "" : "s"}`;
}

/** A time of the service to the minute. Its clock is in UTC. */
export function minuteOf(time: string): string {
  return time.replace(/^([\d-]{10})T(\d\d:\d\d).*$/, "$1 $2");
}
