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
 * Runs a command that takes long, with a line at its start, the elapsed time and the latest line of output
 * while it lasts (in place on a terminal, otherwise every 15 seconds), and a line at its end.
 *
 * @param what the line at the start: what is done, why, and about how long it takes
 * @throws Error that carries the end of the output when the command fails
 */
export function run(what: string, command: string, args: string[], options?: RunOptions): Promise<void>;
