import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import type { Command } from "commander";
import { ExpectedError } from "../../provider/client/errors";
import { inLine } from "../../provider/mask";

/** The command cannot do what it was asked to do. */
export class CommandError extends ExpectedError {
  constructor(message: string) {
    super(message, "PODLUMI-COMMAND");
  }
}

/** Prints a result to standard output, so that it can be piped. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a message to standard error. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

export type Colour = "green" | "red" | "yellow" | "dim" | "bold";

/** Coloured where standard output is a terminal, unless NO_COLOR is set. */
export function coloured(colour: Colour, text: string): string {
  return styleText(colour, text);
}

/** Rows with a heading, in columns as wide as they need. */
export function table(heading: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((cells) => cells.map(inLine));
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [coloured("bold", line(heading)), ...rows.map(line)].join("\n");
}

/** Asks before something is deleted. Ends the command when the answer is no, or when there is no terminal. */
export async function mustAgree(command: Command, question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    command.error("error: there is nobody to ask: give --yes to delete without asking");
  }
  const person = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await person.question(`${question} [y/N] `);
  person.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("nothing was deleted");
}

/** `1 pod`, `2 pods`. */
export function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 || noun.endsWith("s") ? "" : "s"}`;
}
