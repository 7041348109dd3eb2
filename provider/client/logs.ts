/** Who wrote a line: the container, or the system around it. */
export type LogSource = "container" | "system";

/** A line of a log. */
export interface LogLine {
  /** Time (RFC 3339). */
  ts: string;
  source: LogSource;
  /** The text, without its end of line. */
  line: string;
}

/** The lines of a log to read. (API: Logs) */
export interface LogQuery {
  /** Number of past lines, 0 to 5000. Default 100. Not together with `since`. */
  tail?: number;
  /** All lines since this time (RFC 3339). */
  since?: string;
  /** Lines of this source only. Default: both. */
  source?: LogSource;
}

export interface LogReading {
  /** Wait for new lines until what writes them is gone. */
  readonly follow?: boolean;
  /**
   * Without `follow`: milliseconds after which the log counts as complete, since the service never ends it. They count without a line,
   * or from the beginning to the time of a late line. Default 2000.
   */
  readonly quiet?: number;
  readonly signal?: AbortSignal;
}

/** No line when the event cannot be read. (API: Logs) */
export function linesIn(data: string): LogLine[] {
  try {
    const { ts, source, line } = JSON.parse(data);
    return [{ ts: String(ts), source, line: String(line) }];
  } catch {
    return [];
  }
}
