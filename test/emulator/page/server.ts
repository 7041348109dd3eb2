import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { type Observed, reportOf } from "./report";

const FILES = join(__dirname, "client");
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
/** Milliseconds between looks. States follow from the time, so nothing tells when they change. */
const POLL = 200;

/** The page and its stream. They are no part of the service: they ask for no key and are not logged. */
export function servePage(app: FastifyInstance, observed: Observed): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(HEADERS);
  });
  for (const name of readdirSync(FILES)) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    app.get(name === "index.html" ? "/" : `/page/${name}`, async (_request, reply) =>
      reply.type(type).send(await readFile(join(FILES, name))),
    );
  }
  app.get("/page/events", (_request, reply) => {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    return reply.type("text/event-stream").send(Readable.from(changes(observed, gone.signal)));
  });
}

/** Every section at first, and then each one that has changed, as a whole: who reconnects has missed nothing. */
async function* changes(observed: Observed, signal: AbortSignal): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  const told = new Map<string, string>();
  while (!signal.aborted) {
    for (const [section, state] of Object.entries(reportOf(observed))) {
      const text = JSON.stringify(state);
      if (told.get(section) === text) continue;
      told.set(section, text);
      yield `event: ${section}\ndata: ${text}\n\n`;
    }
    await sleep(POLL, undefined, { signal }).catch(() => undefined);
  }
}
