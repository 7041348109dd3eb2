import { timestamp } from "../state/ids";
import type { LogEvent } from "../state/logs";
import { unprocessable } from "../state/problem";
import type { LogQuery } from "./queries";
import type { Call } from "./route";

/** Milliseconds between polls for new lines. */
const POLL = 250;
const DEFAULT_TAIL = 100;

/** The lines of a log as server-sent events: first the existing lines, then new ones (API: Pods, logs). */
export function logEvents(call: Call<unknown, LogQuery>, read: () => LogEvent[]): AsyncIterable<string> {
  const wanted = () => read().filter(({ source }) => source === (call.query.source ?? source));
  const backlog = wanted();
  return follow(call, wanted, resume(call, backlog), backlog.at(-1));
}

/** The existing lines to send. The Last-Event-ID header wins over `since`, which wins over `tail`. */
function resume({ query, headers }: Call<unknown, LogQuery>, backlog: LogEvent[]): LogEvent[] {
  const cursor = headers["last-event-id"];
  if (typeof cursor === "string") {
    const [at, sequence] = cursor.split("/");
    const time = Date.parse(at ?? "");
    if (Number.isNaN(time))
      throw unprocessable(`Last-Event-ID: '${cursor}' is not a timestamp of this stream`);
    return backlog.filter((event) => isAfter(event, time, Number(sequence ?? Number.POSITIVE_INFINITY)));
  }
  if (query.since !== undefined) return backlog.filter(({ at }) => at >= Date.parse(query.since ?? ""));
  const tail = query.tail ?? DEFAULT_TAIL;
  return tail === 0 ? [] : backlog.slice(-tail);
}

const isAfter = (event: LogEvent, at: number, sequence: number) =>
  event.at > at || (event.at === at && event.sequence > sequence);

async function* follow(
  { service, signal }: Call<unknown, LogQuery>,
  read: () => LogEvent[],
  backlog: LogEvent[],
  latest: LogEvent | undefined,
): AsyncGenerator<string> {
  // A comment starts the answer even when there is no line yet.
  yield ": open\n\n";
  yield* backlog.map(format);
  let last = latest;
  while (!signal.aborted) {
    await service.clock.sleep(POLL, signal).catch(() => undefined);
    const lines = linesOf(read);
    if (!lines) return;
    const news = lines.filter((event) => !last || isAfter(event, last.at, last.sequence));
    last = lines.at(-1) ?? last;
    yield* news.map(format);
  }
}

/** Undefined when the pod or worker is gone. That ends the stream. */
function linesOf(read: () => LogEvent[]): LogEvent[] | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function format({ at, sequence, source, line }: LogEvent): string {
  const ts = timestamp(at);
  const id = `${ts}/${String(sequence).padStart(12, "0")}`;
  return `id: ${id}\ndata: ${JSON.stringify({ ts, source, line })}\n\n`;
}
