import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Api } from "../../provider/client/api";
import { ConfigurationError, NoAnswerError } from "../../provider/client/errors";
import { startEmulator } from "../../sdk/emulator/service";

const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];

let before: NodeJS.ProcessEnv;
let proxy: Server;
let tunnels: { to?: string; authorization?: string }[];
/** How the proxy answers a request for a tunnel. */
let answer: (socket: Socket) => void;

beforeEach(async () => {
  before = { ...process.env };
  for (const name of variables) delete process.env[name];
  tunnels = [];
  answer = (socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  proxy = createServer().on("connect", ({ url, headers }: IncomingMessage, socket: Socket) => {
    tunnels.push({ to: url, authorization: headers["proxy-authorization"] });
    answer(socket);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
});
afterEach(async () => {
  process.env = before;
  proxy.closeAllConnections();
  await once(proxy.close(), "close");
});

const address = () => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

/** Lists the pods of a remote service, without retries. */
function pods(): Promise<unknown> {
  const settings = {
    apiKey: "rpa_key",
    apiUrl: "https://service.test/v2",
    graphqlUrl: "https://service.test/graphql",
    queueUrl: "https://service.test",
  };
  return new Api(settings).impatient(0).rest.get("/pods");
}

test("requests go through the proxy that the environment names, with its user name and password", async () => {
  process.env.HTTPS_PROXY = `http://robot:p%40ss@${address()}`;
  await expect(pods()).rejects.toBeInstanceOf(NoAnswerError);
  const authorization = `Basic ${Buffer.from("robot:p@ss").toString("base64")}`;
  expect(tunnels).toEqual([{ to: "service.test:443", authorization }]);
});

test("a proxy without a scheme is one of HTTP", async () => {
  process.env.https_proxy = address();
  await expect(pods()).rejects.toBeInstanceOf(NoAnswerError);
  expect(tunnels).toHaveLength(1);
});

test("the service sees TLS, so the proxy learns no key", async () => {
  process.env.HTTP_PROXY = `http://${address()}`;
  let heard = Buffer.alloc(0);
  answer = (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.once("data", (bytes) => {
      heard = bytes;
      socket.destroy();
    });
  };
  await expect(pods()).rejects.toBeInstanceOf(NoAnswerError);
  expect(heard[0]).toBe(0x16); // The first byte of a TLS handshake.
  expect(heard.includes("service.test")).toBe(true);
  expect(heard.includes("rpa_key")).toBe(false);
});

test("what the proxy refuses has not reached the service, and the error says that it was the proxy", async () => {
  process.env.HTTPS_PROXY = `http://robot:secret@${address()}`;
  const error = (await pods().catch((error) => error)) as NoAnswerError;
  expect(error.mayHaveActed).toBe(false);
  expect(error.message).toMatch(
    /^GET \/pods got no answer from https:\/\/service\.test: Proxy response \(407\)/,
  );
  expect(error.message).toContain("the proxy in HTTPS_PROXY");
  expect(error.message).not.toContain("secret");
});

test("a proxy that is said to speak TLS and does not has got no request, and no IP address as a name, which Node.js 26 refuses", async () => {
  process.env.HTTPS_PROXY = `https://${address()}`;
  let heard = Buffer.alloc(0);
  proxy.once("connection", (socket: Socket) => {
    socket.once("data", (bytes) => {
      heard = bytes;
    });
  });
  const error = (await pods().catch((error) => error)) as NoAnswerError;
  expect(error.mayHaveActed).toBe(false);
  expect(error.message).toMatch(
    /^GET \/pods got no answer from https:\/\/service\.test: ERR_SSL_\w+\. Check the/,
  );
  expect(tunnels).toEqual([]);
  expect(heard[0]).toBe(0x16); // The first byte of a TLS handshake.
  expect(heard.includes("127.0.0.1")).toBe(false);
});

test("a certificate that is not trusted, as that of a proxy that reads along, gets no request, and the error says what to do", async () => {
  process.env.HTTPS_PROXY = `http://${address()}`;
  // A key and a certificate that it has signed itself.
  const pem = readFileSync("test/provider/untrusted.pem");
  const heard = jest.fn();
  const inside = createTlsServer({ key: pem, cert: pem }, heard);
  answer = (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    inside.emit("connection", socket);
    close = () => socket.destroy();
  };
  let close = () => {};
  const error = (await pods().catch((error) => error)) as NoAnswerError;
  close();
  expect(error.mayHaveActed).toBe(false);
  expect(error.message).toMatch(
    /^GET \/pods got no answer from https:\/\/service\.test: DEPTH_ZERO_SELF_SIGNED_CERT, a certificate that this machine does not trust: NODE_EXTRA_CA_CERTS names .* Check the network/,
  );
  expect(heard).not.toHaveBeenCalled();
});

test("this machine is reached without it", async () => {
  const emulator = await startEmulator();
  const { RUNPOD_API_KEY: apiKey = "", RUNPOD_API_URL: apiUrl = "" } = emulator.env;
  try {
    process.env.HTTPS_PROXY = process.env.HTTP_PROXY = `http://${address()}`;
    const api = new Api({ apiKey, apiUrl, graphqlUrl: apiUrl, queueUrl: apiUrl });
    expect(await api.rest.list("/pods", "pods")).toEqual([]);
    expect(tunnels).toEqual([]);
  } finally {
    await emulator.close();
  }
});

test("an address that is none is said at once", async () => {
  process.env.HTTPS_PROXY = "http://:99999";
  await expect(pods()).rejects.toThrow(
    new ConfigurationError("HTTPS_PROXY must be the address of a proxy, such as http://proxy.example:3128"),
  );
});
