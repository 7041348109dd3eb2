import { Agent, type Dispatcher, request as send } from "undici";
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
  /** Milliseconds for which the service may hold its answer back, because it was asked to. */
  readonly hold?: number;
  /** Ends the request when the caller has given up. */
  readonly signal?: AbortSignal;
}

/** An answer of whatever status, with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A link of the chain: the next one, or the wire. */
export type Send = (request: Request) => Promise<Answer>;

/** What a request may take: milliseconds, bytes, and levels of JSON. */
export const limits = {
  connect: 10_000,
  headers: 60_000,
  body: 60_000,
  answer: 64 * 1024 * 1024,
  heard: 1024 * 1024,
  depth: 64,
};

/** Failures after which the service cannot have seen the request. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
]);

/** What a stream that never ends has to say in so many milliseconds. Nothing when it cannot be had. */
export async function listen(request: Request, milliseconds: number): Promise<string> {
  let heard = "";
  try {
    const { method, headers } = request;
    const signal = AbortSignal.timeout(milliseconds);
    const answer = await send(request.url, { method, headers, signal });
    if (answer.statusCode !== 200) return heard;
    for await (const chunk of answer.body.setEncoding("utf8")) {
      heard += chunk;
      if (heard.length > limits.heard) break;
    }
  } catch {
    // The time is up, or the connection was cut: what was heard is what there is.
  }
  return heard;
}

/** The end of the chain: pooled connections, bounded in time and size. Redirects are answers like any other. */
export function transport(): Send {
  const agent = new Agent({
    connect: { timeout: limits.connect },
    bodyTimeout: limits.body,
    maxResponseSize: limits.answer,
  });
  return async (request) => {
    try {
      const { method, headers, body, signal, hold = 0 } = request;
      const headersTimeout = limits.headers + hold;
      const options = { dispatcher: agent, method, headers, body, signal, headersTimeout };
      const answer = await send(request.url, options);
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new NoAnswerError(request.call, request.url.origin, !neverSent.has(code ?? ""), code ?? message, {
        cause: error,
      });
    }
  };
}
