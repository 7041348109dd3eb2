import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";

/** A page as a proxy between client and service sends it. */
export const MALFORMED = "<html><body>Bad gateway</body></html>";

/** Half of the body, with the length of the whole. A stream, because Fastify corrects the length of other bodies. */
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

/** An object with one long string. It is streamed, so that it never fills the memory. */
export const oversized = (bytes: number) => Readable.from(padding(bytes));

export function gzipBomb(bytes: number): Readable {
  // Ignore the error of a client that leaves early: both streams have ended.
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

/** The same answer with null for these properties, in each object at any depth. */
export function blanked(own: unknown, names: readonly string[]): string {
  return JSON.stringify(blank(typeof own === "string" ? JSON.parse(own) : {}, names));
}

function blank(body: unknown, names: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((item) => blank(item, names));
  if (typeof body !== "object" || body === null) return body;
  const entries = Object.entries(body);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, names.includes(name) ? null : blank(value, names)]),
  );
}
