/** Writes one line of progress to standard error. */
export function say(text: string): void;

/** How {@link run} starts its command. */
export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the command is stopped. Default: no limit. */
  limit?: number;
}

/**
 * Runs a command that takes long. Prints a line at its start and at its end. In between it shows the elapsed time and
 * the latest line of output: in place on a terminal, otherwise every 15 seconds. Each line says what the command does.
 *
 * @param what the first line: what the command does, and at its end in parentheses, about how long it takes
 * @throws Error with the end of the output when the command fails
 */
export function run(what: string, command: string, args: string[], options?: RunOptions): Promise<void>;
