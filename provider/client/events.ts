import type { Readable } from "node:stream";
import { backoff, systemClock } from "./clock";
import { ExpectedError, isNotFound } from "./errors";
import { limits } from "./transport";

interface ServerSentEvent {
  /** The last id that its connection sent; undefined when it sent none. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Opens a stream. With an id, the stream starts after the event with that id. */
type Open = (lastEventId: string | undefined) => Promise<Readable>;

/** The service's streams do not end by themselves. (API: Logs) */
interface Listening {
  /** Milliseconds without an event after which to stop. With it, the end of a connection ends the stream, too. */
  readonly quiet?: number;
  readonly signal?: AbortSignal;
}

/** With `quiet`: connections in a row that may drop without an event. */
const mostCuts = 5;

/** A dropped connection resumes after the last event. A 404 on resuming ends the stream, because the object is gone. */
export async function* events(open: Open, { quiet, signal }: Listening): AsyncGenerator<ServerSentEvent> {
  let last: string | undefined;
  for (let opened = 0, cuts = 0; !signal?.aborted; opened++, cuts++) {
    try {
      if (cuts > 0) await systemClock.sleep(backoff(cuts - 1, systemClock), signal);
      const stream = await open(last);
      for await (const event of until(stream, quiet)) {
        last = event.id ?? last;
        cuts = 0;
        yield event;
      }
      if (quiet !== undefined) return;
    } catch (error) {
      if (error instanceof Quiet || signal?.aborted || (opened > 0 && isNotFound(error))) return;
      // Service errors and timeouts end the stream; dropped connections resume.
      if (error instanceof ExpectedError) throw error;
      if (quiet !== undefined && cuts >= mostCuts) {
        throw new ExpectedError(
          `the connection was cut ${mostCuts} times in a row before a line came: check whether a proxy is in between`,
          "PODLUMI-NO-ANSWER",
          { cause: error },
        );
      }
    }
  }
}

class Quiet extends Error {}

/** The events of one connection. Throws {@link Quiet} after `quiet` milliseconds of waiting for one event. */
async function* until(stream: Readable, quiet: number | undefined): AsyncGenerator<ServerSentEvent> {
  const patience = () =>
    quiet === undefined ? undefined : setTimeout(() => stream.destroy(new Quiet()), quiet);
  // An abandoned stream may fail later.
  stream.on("error", () => undefined);
  let timer = patience();
  try {
    for await (const event of parsed(stream)) {
      clearTimeout(timer);
      yield event;
      timer = patience();
    }
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

/** Parses server-sent events by the HTML standard. Drops an event that the stream leaves incomplete. */
async function* parsed(stream: Readable): AsyncGenerator<ServerSentEvent> {
  let id: string | undefined;
  let data: string[] = [];
  let size = 0;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    // A carriage return at the end may be the first half of CRLF, so it waits for the next chunk.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "id") id = value;
      if (field === "data") data.push(value);
      size += line.length;
      if (line !== "") continue;
      if (data.length > 0) yield { id, data: data.join("\n") };
      data = [];
      size = 0;
    }
    if (size + rest.length > limits.event)
      throw new ExpectedError(
        `a server-sent event is longer than ${limits.event} characters`,
        "PODLUMI-UNREADABLE",
      );
  }
}
