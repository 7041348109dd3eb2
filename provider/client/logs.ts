import type { Readable } from "node:stream";
import { events } from "./events";
import { query } from "./query";

/** Who wrote a line: the container, or the system around it. */
export type LogSource = "container" | "system";

/** A line of a log. */
export interface LogLine {
  /** Time (RFC 3339). */
  ts: string;
  source: LogSource;
  line: string;
}

/** Which lines of a log to read. (API: Logs) */
export interface LogQuery {
  /** Number of past lines, 0 to 5000. Default 100. Not together with `since`. */
  tail?: number;
  /** All lines since this time (RFC 3339). */
  since?: string;
  /** Lines of this source only. Default: both. */
  source?: LogSource;
}

/** Until when to read a log. */
export interface LogReading {
  /** Wait for new lines until what writes them is gone. */
  readonly follow?: boolean;
  /** Without `follow`: milliseconds without a line after which the log counts as complete, since the service never ends it. Default 2000. */
  readonly quiet?: number;
  readonly signal?: AbortSignal;
}

/** Sends the request for a stream. */
export type OpenStream = (
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
) => Promise<Readable>;

/** The lines of a log. Skips events that cannot be read. (API: Logs) */
export async function* logLines(
  open: OpenStream,
  path: string,
  asked: LogQuery,
  { follow, quiet = 2_000, signal }: LogReading,
): AsyncGenerator<LogLine> {
  const resume = (lastEventId: string | undefined) =>
    open(
      `${path}${query(asked)}`,
      { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      signal,
    );
  for await (const { data } of events(resume, { quiet: follow ? undefined : quiet, signal }))
    yield* read(data);
}

function read(data: string): LogLine[] {
  try {
    const { ts, source, line } = JSON.parse(data);
    return [{ ts: String(ts), source, line: String(line) }];
  } catch {
    return [];
  }
}
