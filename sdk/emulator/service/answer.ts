import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { text } from "node:stream/consumers";

/** A request of this process. Its path begins with that of the interface: `/v2/pods`. */
export interface InnerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Cuts the connection. */
  readonly signal?: AbortSignal | undefined;
}

export interface InnerAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/**
 * Answers a request without any network: over HTTP, but through memory. (Fastify's own `inject` loads a module that Jest
 * cannot load.)
 */
export async function answerFrom(server: Server, asked: InnerRequest): Promise<InnerAnswer> {
  const { method, path, body = "", signal } = asked;
  const [client, other] = connection();
  server.emit("connection", other);
  const own = { "content-length": Buffer.byteLength(body), connection: "close" };
  // Nothing stands between, which would turn away who does not say who it is.
  const headers = { "user-agent": "this process", ...asked.headers, ...own };
  return new Promise((answered, failed) => {
    const sent = request({ createConnection: () => client, host: "emulator", method, path, headers, signal });
    sent.on("error", failed);
    sent.on("response", (answer) => {
      const { statusCode: status = 0, headers } = answer;
      text(answer).then((body) => answered({ status, headers, body }), failed);
    });
    sent.end(body);
  });
}

/** The ends of a connection in memory. When the server's end is cut, as a fault does, so is the other one. */
function connection(): [client: Duplex, server: Duplex] {
  const [client, server] = duplexPair();
  server.once("close", () => client.destroy());
  return [client, Object.assign(server, { resetAndDestroy: () => server.destroy() })];
}
