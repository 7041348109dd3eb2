import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Account } from "../account";
import { whenGone } from "../gone";
import { reportOf } from "./report";

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
/** Milliseconds between polls. States are computed from the time, so no event tells that one has changed. */
const POLL = 200;

/** The page and its event stream. They are not part of the service, so they need no key and are not logged. */
export function servePage(app: FastifyInstance): void {
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
  app.get("/page/events", ({ account }, reply) => {
    return reply.type("text/event-stream").send(Readable.from(changes(account, whenGone(reply))));
  });
}

/** Sends every section first, then each changed section as a whole, so that a reconnected page is complete. */
async function* changes(account: Account, signal: AbortSignal): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  const told = new Map<string, string>();
  while (!signal.aborted) {
    for (const [section, state] of Object.entries(reportOf(account))) {
      const text = JSON.stringify(state);
      if (told.get(section) === text) continue;
      told.set(section, text);
      yield `event: ${section}\ndata: ${text}\n\n`;
    }
    await sleep(POLL, undefined, { signal }).catch(() => undefined);
  }
}
