import type { Readable } from "node:stream";
import type { Clock } from "./clock";
import { backoff, systemClock } from "./clock";
import { ExpectedError, isNotFound } from "./errors";
import { limits } from "./transport";

/** One server-sent event. */
export interface ServerSentEvent {
  /** The last id that the stream gave, with which it can be resumed; undefined when it gave none. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Opens a stream, behind the event with this id where there is one. */
export type Open = (lastEventId: string | undefined) => Promise<Readable>;

/** When to stop listening; a stream of the service has no end of its own. */
export interface Listening {
  /** Milliseconds without an event. */
  readonly quiet?: number;
  readonly signal?: AbortSignal;
}

/**
 * The events of a stream, one at a time: nothing is read ahead of who takes them. A stream that is cut is resumed
 * behind its last event; it has ended when what it tells of is gone (404).
 */
export async function* events(
  open: Open,
  { quiet, signal }: Listening = {},
  clock: Clock = systemClock,
): AsyncGenerator<ServerSentEvent> {
  let last: string | undefined;
  for (let opened = 0, cuts = 0; !signal?.aborted; opened++, cuts++) {
    try {
      if (cuts > 0) await clock.sleep(backoff(cuts - 1, clock), signal);
      const stream = await open(last);
      for await (const event of until(stream, quiet)) {
        last = event.id;
        cuts = 0;
        yield event;
      }
    } catch (error) {
      if (error instanceof Quiet || signal?.aborted || (opened > 0 && isNotFound(error))) return;
      // What the service says, and what it does not say for long, ends it; a cut does not.
      if (error instanceof ExpectedError) throw error;
    }
  }
}

/** Nothing was said for long enough. */
class Quiet extends Error {}

/** The events of one connection, until none came for so many milliseconds. The time runs only while it waits for one. */
async function* until(stream: Readable, quiet: number | undefined): AsyncGenerator<ServerSentEvent> {
  const patience = () =>
    quiet === undefined ? undefined : setTimeout(() => stream.destroy(new Quiet()), quiet);
  // A stream that is left before its end says so to nobody in particular.
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

/** Text becomes events as it comes, by the rules of the HTML standard. What never ends its line is no event. */
async function* parsed(stream: Readable): AsyncGenerator<ServerSentEvent> {
  let id: string | undefined;
  let data: string[] = [];
  let size = 0;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    // A carriage return at the end may be half of a line's end.
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
