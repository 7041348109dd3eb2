import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";

/** What a proxy in between might send. */
export const MALFORMED = "<html><body>Bad gateway</body></html>";

/** Half of the body under the length of all of it. As a stream, or the server would correct the length. */
export function truncated(own: unknown, headers: Record<string, string>) {
  const text = typeof own === "string" && own.length > 1 ? own : '{"id":"cut"}';
  const bytes = Buffer.from(text);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  return {
    headers: { ...headers, "content-length": String(bytes.length), connection: "close" },
    body: Readable.from([half]),
  };
}

export const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** One long string in an object; it never stands in memory as a whole. */
export const oversized = (bytes: number) => Readable.from(padding(bytes));

export function gzipBomb(bytes: number): Readable {
  // A client that leaves early ends both streams, and nobody is left to tell.
  return pipeline(oversized(bytes), createGzip(), () => undefined);
}

const CHUNK = 64 * 1024;
const OPEN = '{"padding":"';
const CLOSE = '"}';

function* padding(bytes: number): Generator<Buffer> {
  yield Buffer.from(OPEN);
  const chunk = Buffer.alloc(CHUNK, "x");
  for (let left = bytes - OPEN.length - CLOSE.length; left > 0; left -= CHUNK)
    yield chunk.subarray(0, Math.min(left, CHUNK));
  yield Buffer.from(CLOSE);
}
