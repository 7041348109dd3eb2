import type { Readable } from "node:stream";
import type { Listening } from "./events";
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
  listening: Listening,
): AsyncGenerator<LogLine> {
  const resume = (lastEventId: string | undefined) =>
    open(
      `${path}${query(asked)}`,
      { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      listening.signal,
    );
  for await (const { data } of events(resume, listening)) yield* read(data);
}

function read(data: string): LogLine[] {
  try {
    const { ts, source, line } = JSON.parse(data);
    return [{ ts: String(ts), source, line: String(line) }];
  } catch {
    return [];
  }
}
