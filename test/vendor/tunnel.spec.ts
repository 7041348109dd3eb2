import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { EnvHttpProxyAgent, request } from "undici";
import { startEmulator } from "../../sdk/emulator/service";
import { openTunnel } from "./tunnel";

const hasOpenssl = () => {
  try {
    return execFileSync("openssl", ["version"], { stdio: "pipe" }).length > 0;
  } catch {
    process.stderr.write("skipped: the tunnel to the emulator, because there is no openssl\n");
    return false;
  }
};

(hasOpenssl() ? test : test.skip)(
  "a request to the service's own address reaches the emulator by the tunnel",
  async () => {
    const emulator = await startEmulator();
    const { env, close } = await openTunnel(new URL("/", emulator.apiUrl).href);
    const dispatcher = new EnvHttpProxyAgent({
      httpsProxy: env.HTTPS_PROXY,
      requestTls: { ca: readFileSync(String(env.SSL_CERT_FILE)) },
    });
    try {
      const { statusCode, body } = await request("https://api.runpod.io/graphql?api_key=key", {
        dispatcher,
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "a client" },
        body: JSON.stringify({ query: "{ myself { pods { id } } }" }),
      });
      expect([statusCode, await body.json()]).toEqual([200, { data: { myself: { pods: [] } } }]);
      expect(emulator.requests).toMatchObject([{ interface: "graphql", operation: "myself" }]);
    } finally {
      await dispatcher.close();
      close();
      await emulator.close();
    }
  },
);
