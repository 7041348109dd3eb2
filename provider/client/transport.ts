import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { dispatcherFor } from "./dispatcher";
import { NoAnswerError } from "./errors";
import type { requests } from "./policy";

/** What a request does to the service; decides when it may be sent again. */
export type Effect = keyof typeof requests;

/** One request, on its way through the chain. */
export interface Request {
  /** For messages; holds nothing secret. */
  readonly call: string;
  readonly effect: Effect;
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body of a success is wanted as it comes. */
  readonly streamed?: true;
  /** Milliseconds for which the service may hold its answer back, because it was asked to. */
  readonly hold?: number;
  /** Which attempt it is, from 1 on, what came of the one before, and for how many milliseconds it was held back. */
  readonly attempt?: number;
  readonly after?: string;
  readonly held?: number;
  /** Ends the request when the caller has given up. */
  readonly signal?: AbortSignal;
}

/** An answer of whatever status, with its whole body, or with the stream that was wanted. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly stream?: Readable;
}

/** A link of the chain: the next one, or the wire. */
export type Send = (request: Request) => Promise<Answer>;

/** What a request may take: milliseconds, bytes, levels of JSON, and characters of a server-sent event. */
export const limits = {
  connect: 10_000,
  headers: 60_000,
  body: 60_000,
  answer: 64 * 1024 * 1024,
  event: 1024 * 1024,
  depth: 64,
};

/** What undici calls a tunnel that the proxy does not make; the message has the proxy's status. */
const refusedByProxy = "UND_ERR_ABORTED";

/** Failures after which the service cannot have seen the request. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  refusedByProxy,
]);

/** The end of the chain: bounded in time and size. Redirects are answers like any other. */
export function transport(): Send {
  const bounds = {
    connect: { timeout: limits.connect },
    bodyTimeout: limits.body,
    maxResponseSize: limits.answer,
  };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  return async (request) => {
    const { url, method, headers, body, signal, hold = 0 } = request;
    const known = dispatchers.get(url.origin) ?? dispatcherFor(url, bounds);
    dispatchers.set(url.origin, known);
    const where = { origin: url.origin, path: `${url.pathname}${url.search}` };
    const what = { method, headers, body, signal, headersTimeout: limits.headers + hold };
    const dispatcher = await known;
    try {
      const answer = await dispatcher.request({ ...where, ...what });
      const head = { status: answer.statusCode, headers: answer.headers };
      if (request.streamed && head.status === 200) return { ...head, body: "", stream: answer.body };
      return { ...head, body: await answer.body.text() };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === undefined || code === refusedByProxy ? message : code;
      throw new NoAnswerError(request.call, url.origin, !neverSent.has(code ?? ""), reason, { cause: error });
    }
  };
}
