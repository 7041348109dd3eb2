import type { Dispatcher } from "undici";
import { ConfigurationError } from "./errors";
import { isLoopback } from "./loopback";

type Bounds = import("undici").Agent.Options;

type Connector = import("undici").buildConnector.connector;

/** Pooled connections, through the proxy that the environment names. Loopback needs no proxy. */
export async function dispatcherFor(url: URL, bounds: Bounds): Promise<Dispatcher> {
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
