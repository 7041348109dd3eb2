import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";

// The provider's process loads one bundle, which contains its libraries.

const cwd = resolve("examples/quickstart");
const compiled = `bundle.${process.arch}.compiled`;

test.each(["dist/provider/bundle.js", "dist/plugin/bundle.js"])(
  "every character of %s is ASCII, because another one doubles the memory that its text takes",
  (bundle) => {
    expect(readFileSync(bundle).findIndex((byte) => byte > 127)).toBe(-1);
  },
);

describe("what V8 has compiled at the build", () => {
  test.each(["dist/provider", "dist/plugin"])("in %s is taken", async (folder) => {
    const text = `
      const { readFileSync } = require("node:fs");
      const cachedData = readFileSync("${compiled}");
      const { Script } = require("node:vm");
      console.log(new Script(readFileSync("bundle.js", "utf8"), { cachedData }).cachedDataRejected);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", text], {
      cwd: resolve(folder),
    });
    expect(stdout.trim()).toBe("false");
  });

  test.each([
    ["of another version", (path: string) => writeFileSync(path, "of another version")],
    ["for another processor", (path: string) => rmSync(path)],
  ])("need not be there: %s, the plugin compiles its text", async (_what, change) => {
    const folder = mkdtempSync(join(tmpdir(), "podlumi-plugin-"));
    cpSync("dist/plugin", folder, { recursive: true });
    change(join(folder, compiled));
    const child = spawn(process.execPath, [join(folder, "pulumi-resource-podlumi")]);
    try {
      const [port] = await once(child.stdout, "data");
      expect(String(port)).toMatch(/^\d+\n$/);
    } finally {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  });
});

/** Arguments for a process that runs this text, with the provider's module as `provider`. */
const script = (text: string) => ["-e", `const provider = require("podlumi/provider"); ${text}`];

test("the provider's process loads one file, whatever it asks the service", async () => {
  const emulator = await startEmulator(fast);
  const home = mkdtempSync(join(tmpdir(), "podlumi-home-"));
  try {
    const args = script(`
      (async () => {
        const made = await provider.Secret.create({ name: "token", value: "hunter22", __urn: "urn:pulumi:dev::project::pulumi-nodejs:dynamic/podlumi:Secret::token" });
        await provider.Secret.delete(made.id, made.outs);
        console.log(JSON.stringify({ made, loaded: Object.keys(require.cache) }));
      })();`);
    const env = { ...process.env, ...emulator.env, PULUMI_HOME: home };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env });
    const { made, loaded } = JSON.parse(stdout) as { made: { id: string }; loaded: string[] };
    expect(made.id).toEqual(expect.any(String));
    expect(emulator.service.snapshot().secrets).toEqual([]);
    expect(loaded).toContain(resolve("dist/provider/dynamic.js"));
    const unwanted = /\/dist\/(?!provider\/dynamic\.js)|node_modules\/(zod|undici|graphql|graphql-request)\//;
    expect(loaded.filter((path) => unwanted.test(path))).toEqual([]);
  } finally {
    await emulator.close();
    rmSync(home, { recursive: true });
  }
});

test("its requests go through the proxy that the environment names", async () => {
  const proxy = createServer();
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const environment = {
    ...process.env,
    RUNPOD_API_KEY: "rpa_key",
    RUNPOD_API_URL: "https://service.test/v2",
    https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  };
  let child: ChildProcess | undefined;
  try {
    const asked = once(proxy, "connect");
    const args = script('provider.NetworkVolume.read("volume", { name: "data" });');
    child = spawn(process.execPath, args, { cwd, env: environment, stdio: "ignore" });
    const [{ url }, socket] = (await asked) as [IncomingMessage, Socket];
    socket.destroy();
    expect(url).toBe("service.test:443");
  } finally {
    child?.kill("SIGKILL");
    await once(proxy.close(), "close");
  }
});

test("the command line runs without Pulumi's SDK", () => {
  const text = readFileSync(resolve("dist/sdk/cli/main.js"), "utf8");
  expect(text).not.toMatch(/^\s*\/\/ node_modules\/@pulumi\/pulumi\//m);
});

test("the license of each library in it is told beside it", () => {
  const text = readFileSync(resolve("dist/provider/bundle.js"), "utf8");
  const bundled = [...text.matchAll(/^\s*\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
    ([, name]) => name,
  );
  expect(new Set(bundled)).toEqual(
    new Set(["fastest-levenshtein", "graphql", "graphql-request", "undici", "zod"]),
  );
  const licenses = readFileSync(resolve("dist/provider/LICENSES.txt"), "utf8");
  for (const name of bundled) expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n`, "m"));
});
