/**
 * `npm run demo`: takes the quickstart through its whole life, on the real Pulumi engine and the emulator. Needs no
 * account. Fails when anything differs from what it announces.
 */
import { type SpawnOptions, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual, styleText } from "node:util";
import { startEmulator } from "../sdk/emulator/service";
import { useEngine } from "./engine";
import { startQuickly } from "./engine/quickly";
import { PassingClock } from "./harness/account";
import { removeFolder } from "./harness/remove";

const repository = resolve(__dirname, "..");
const stack = "demo";

async function main(): Promise<void> {
  await useEngine();
  startQuickly();
  const started = Date.now();
  const folder = mkdtempSync(join(tmpdir(), "podlumi-demo-"));
  const clock = new PassingClock();
  const emulator = await startEmulator({
    clock,
    apiKey: "demo-key",
    timings: { provisioning: 700, starting: 700, templateRelease: 1500 },
  });
  const environment = {
    ...process.env,
    ...emulator.env,
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_HOME: join(folder, "home"),
    // `npm run check` has checked the types.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const at = ["--stack", stack, "--config-file", join(folder, `Pulumi.${stack}.yaml`)];
  const options: SpawnOptions = { cwd: repository, env: environment };
  const pulumi = (...args: string[]) => {
    say(["bold"], `$ pulumi ${args.join(" ")}`);
    return run("pulumi", [...args, ...at], { ...options, stdio: "inherit" });
  };
  const configure = (plain: Record<string, string>, secret: Record<string, string> = {}) => {
    const pairs = (flag: string, values: Record<string, string>) =>
      Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
    const all = [...pairs("--plaintext", plain), ...pairs("--secret", secret)];
    return run("pulumi", ["config", "set-all", ...all, ...at], options);
  };

  /** Sends a request as another client of the account. */
  const request = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${emulator.apiUrl}${path}`, {
      method,
      headers: { authorization: "Bearer demo-key", ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, Record<string, unknown>[]>);
  };
  const only = async (path: string, key: string) => {
    const objects = (await request("GET", path))[key] ?? [];
    expect(`one object in ${path}`, objects.length, 1);
    return objects[0] as Record<string, unknown>;
  };

  title(`podlumi demo. The service is an emulator on this machine: ${emulator.apiUrl}`);
  // The stack's configuration is written beside the Pulumi.yaml: here, so that the demo touches no stack of the user.
  copyFileSync(join(repository, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
  await run("pulumi", ["stack", "init", stack], { ...options, cwd: folder });
  await configure(
    { registryUsername: "robot" },
    { registryPassword: "a registry password", modelToken: "a model token" },
  );

  step(1, "Create a volume, a registry credential, a secret, a template, an endpoint and a pod.");
  await pulumi("up", "--yes", "--skip-preview");
  expect("status of the pod", (await only("/pods", "pods")).status, "RUNNING");

  step(2, "Nothing was edited, so nothing changes.");
  await pulumi("preview", "--expect-no-changes");

  step(3, "Edit the program: a new image, a larger volume, more workers. All of it in place.");
  const image = "runpod/worker-v1-vllm:v2.9.0stable-cuda12.1.0";
  await configure({ image, volumeSize: "40", maxWorkers: "3" });
  await pulumi("preview", "--diff");
  await pulumi("up", "--yes", "--skip-preview");
  const volume = await only("/network-volumes", "networkVolumes");
  const endpoint = await only("/serverless", "endpoints");
  expect("size of the volume", volume.size, 40);
  expect("workers of the endpoint", endpoint.workers, { min: 0, max: 3, idleTimeout: 5 });

  step(4, "Somebody deletes the pod, renames the volume and turns the workers down.");
  clock.pass(60_000); // Longer than podlumi allows answers to lag.
  await request("DELETE", `/pods/${(await only("/pods", "pods")).id}`);
  await request("PATCH", `/network-volumes/${volume.id}`, { name: "not-yours" });
  await request("PATCH", `/serverless/${endpoint.id}`, { workers: { max: 0 } });
  await pulumi("refresh", "--yes", "--skip-preview");

  step(5, "Correct all of it. Afterwards, nothing differs.");
  await pulumi("up", "--yes", "--skip-preview");
  expect("status of the new pod", (await only("/pods", "pods")).status, "RUNNING");
  expect("name of the volume", (await only("/network-volumes", "networkVolumes")).name, volume.name);
  expect("workers of the endpoint", (await only("/serverless", "endpoints")).workers, {
    min: 0,
    max: 3,
    idleTimeout: 5,
  });
  await pulumi("preview", "--expect-no-changes");

  step(6, "Delete everything. The service keeps a template for a while after its last use.");
  // With --remove, since the state goes with its folder: otherwise Pulumi advises to remove the stack.
  await pulumi("destroy", "--yes", "--skip-preview", "--remove");
  expect("the emulator is empty", emulator.service.isEmpty(), true);

  await emulator.close();
  removeFolder(folder);
  const seconds = Math.round((Date.now() - started) / 1000);
  title(
    `Done in ${seconds} s with ${emulator.requests.length} requests. The emulator has no object any more.`,
  );
  console.log('Next: "Use it with your account" in README.md, then docs/getting-started.md');
}

function run(command: string, args: string[], options: SpawnOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const silent: string[] = [];
    child.stderr?.on("data", (text) => silent.push(String(text)));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`${command} ${args.slice(0, 2).join(" ")} ended with ${code}\n${silent.join("")}`));
    });
  });
}

function expect(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

function step(number: number, text: string): void {
  title(`Step ${number} of 6. ${text}`);
}

function title(text: string): void {
  say(["bold", "cyan"], text);
}

function say(style: Parameters<typeof styleText>[0], text: string): void {
  console.log(`\n${process.stdout.isTTY ? styleText(style, text) : text}`);
}

main().catch((error) => {
  console.error(`\npodlumi demo: it went wrong. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  process.exit();
});
