import { subscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { version } from "../version";
import type { Errand, Proof } from "./errand";
import { ConfigurationError, ExpectedError, NoAnswerError } from "./errors";
import { isLoopback } from "./loopback";
import type { requests } from "./policy";

type Connector = import("undici").buildConnector.connector;

/** The effect of a request on the service. It decides when the request may be sent again. */
export type Effect = keyof typeof requests;

/** One request, on its way through retry and pace to the service. */
export interface Request {
  /** Names the request in messages. Holds no secret. */
  readonly call: string;
  readonly effect: Effect;
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly errand?: Errand;
  /** Return the body of a success as a stream. */
  readonly streamed?: true;
  /** Milliseconds for which this request asks the service to hold its response back. */
  readonly hold?: number;
  /** Number of the attempt, from 1. */
  readonly attempt?: number;
  /** Outcome of the attempt before. */
  readonly after?: string;
  /** Milliseconds for which the rate limit held it back. */
  readonly held?: number;
  /** Told before each attempt for how many milliseconds the rate limit held it back. */
  readonly onHeld?: (milliseconds: number) => void;
  /** Proves a condition that must hold when it is sent. */
  readonly proof?: Pick<Proof, "renew" | "isRecent"> | undefined;
  readonly signal?: AbortSignal;
}

/** A response of any status, with its whole body, or with a stream if the request wants one. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly stream?: Readable;
  /** Refused for the rate limit. The pace holds back the next attempt for as long as necessary. */
  readonly paced?: true;
  /** A sentence about an earlier attempt of the request that had no clear answer. */
  readonly unclear?: string | undefined;
}

/** Sends a request: a link of the chain (retry, pace), or the transport at its end. */
export type Send = (request: Request) => Promise<HttpResponse>;

/** Milliseconds (connect, headers, body), bytes (response), characters (event) and levels of JSON (depth). */
export const limits = {
  connect: 10_000,
  headers: 60_000,
  body: 60_000,
  response: 64 * 1024 * 1024,
  event: 1024 * 1024,
  depth: 64,
};

/** undici sends no such header by itself, and the guard of the service's addresses refuses requests without it. (API: General) */
const identity = { "user-agent": `podlumi/${version}` };

/** undici's code for a tunnel that the proxy refuses: the message has the proxy's status. */
const refusedByProxy = "UND_ERR_ABORTED";

/** Errors of failed connections. After them, the service cannot have seen the request. */
const unconnected = new WeakSet<object>();

subscribe("undici:client:connectError", (event) => {
  unconnected.add((event as { readonly error: Error }).error);
});

/** Codes of Node.js for a certificate that it does not trust. */
const untrusted = /CERT|LEAF_SIGNATURE/;

const untrustedCertificate =
  "a certificate that this machine does not trust: NODE_EXTRA_CA_CERTS names a file with more to trust, such as that of a proxy";

/** undici's code for a request that it cannot send, such as one with a letter beyond ASCII in a header. */
const neverSent = "UND_ERR_INVALID_ARG";

/** The end of the chain, with limits on time and size. Does not follow redirects. */
export function transport(): Send {
  const bounds = {
    connect: { timeout: limits.connect },
    bodyTimeout: limits.body,
    maxResponseSize: limits.response,
  };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  return async (request) => {
    const { url, method, headers, body, signal, hold = 0 } = request;
    const known = dispatchers.get(url.origin) ?? dispatcherFor(url, bounds);
    dispatchers.set(url.origin, known);
    const dispatcher = await known;
    try {
      const response = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...identity, ...headers },
        body,
        signal,
        headersTimeout: limits.headers + hold,
      });
      const head = { status: response.statusCode, headers: response.headers };
      if (request.streamed && head.status === 200) return { ...head, body: "", stream: response.body };
      return { ...head, body: await response.body.text() };
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (code === neverSent) {
        throw new ExpectedError(`${request.call} cannot be sent: ${message}`, "PODLUMI-NOT-SENT", {
          cause: error,
        });
      }
      // The code of a reason to abort is not one of Node.js or undici.
      const outcome = signal?.aborted || code === "" || code === refusedByProxy ? message : code;
      const reason = untrusted.test(code) ? `${outcome}, ${untrustedCertificate}` : outcome;
      const mayHaveActed = !unconnected.has(error as Error);
      throw new NoAnswerError(request.call, url.origin, mayHaveActed, reason, { cause: error });
    }
  };
}

/** Pooled connections, through the proxy that the environment names. Loopback needs no proxy. */
async function dispatcherFor(url: URL, bounds: import("undici").Agent.Options): Promise<Dispatcher> {
  // Loaded with the first request, because most runs without changes send none. `require`, because Jest in users' projects refuses
  // `import()`. By its file, because Bun's own module `undici` sends no requests.
  const { Agent, EnvHttpProxyAgent }: typeof import("undici") = require("undici/index.js");
  if (isLoopback(url)) return new Agent(bounds);
  const httpProxy = proxy("http_proxy", "HTTP_PROXY");
  const httpsProxy = proxy("https_proxy", "HTTPS_PROXY");
  // For a proxy at an IP address, undici names the address in TLS, which Node.js 26 refuses. Without it, the connector finds the right one.
  const clientFactory = (_proxy: URL, { connect }: { connect?: Connector }) =>
    new Agent({ connect: (to, done) => connect?.({ ...to, servername: undefined }, done) });
  return new EnvHttpProxyAgent({ ...bounds, httpProxy, httpsProxy, clientFactory });
}

/** The proxy in the first of these variables that is set. An address without a scheme means HTTP, as in curl. */
function proxy(...variables: string[]): string | undefined {
  const variable = variables.find((name) => process.env[name]);
  if (variable === undefined) return undefined;
  const value = String(process.env[variable]);
  const address = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol)) return address;
  throw new ConfigurationError(
    `${variable} must be the address of a proxy, such as http://proxy.example:3128`,
  );
}
