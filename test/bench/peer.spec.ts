import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { EnvHttpProxyAgent, request } from "undici";
import { startEmulator } from "../emulator";
import { testLong } from "../harness/long";
import { phases } from "./life";
import { measurePeer, peerOf } from "./measure-peer";
import { openTunnel } from "./tunnel";

testLong(
  "another provider is measured beside podlumi, with the kinds that both have",
  async () => {
    const lives = await measurePeer(
      "dist/plugin/pulumi-resource-podlumi",
      { faces: ["plugin"], sizes: [2], latency: 0, runs: 1 },
      () => undefined,
    );
    expect(lives.map(({ provider }) => provider)).toEqual(["plugin", "pulumi-resource-podlumi"]);
    const [plugin, other] = lives;
    // It is the same plugin, so that it asks the same.
    expect(other?.calls).toEqual(plugin?.calls);
    expect(phases.map((phase) => other?.seconds[phase].length)).toEqual([1, 1, 1, 1]);
  },
  180_000,
);

test("a provider that the table does not have is told where to add it", () => {
  expect(() => peerOf("/bin/pulumi-resource-unheard-of")).toThrow(/add others to test\/bench\/peers\.ts/);
});

const hasOpenssl = () => {
  try {
    return execFileSync("openssl", ["version"], { stdio: "pipe" }).length > 0;
  } catch {
    process.stderr.write("skipped: the tunnel of --peer, because there is no openssl\n");
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
        headers: { "content-type": "application/json" },
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
