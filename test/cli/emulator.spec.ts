import { spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CommandLine, until } from "./cli";

const cli = new CommandLine();
afterAll(() => cli.close());

const seed = { networkVolumes: [{ name: "data", size: 10, dataCenter: "EU-RO-1" }] };

/** A command that exits with `code`, after it has printed which volumes the account of its environment has. */
const command = (code: number) => [
  process.execPath,
  "-e",
  `fetch(process.env.RUNPOD_API_URL + "/network-volumes", { headers: { authorization: "Bearer " + process.env.RUNPOD_API_KEY } })
    .then((answer) => answer.json())
    .then(({ networkVolumes }) => console.log(networkVolumes.map(({ name }) => name).join()))
    .then(() => process.exit(${code}))`,
];

test("the service runs on this machine, prints the settings to paste, and ends when it is told to", async () => {
  const emulator = cli.spawn(["emulator", "--port", "0", "--fast"], process.env);
  await until(() => emulator.printed.out.includes("RUNPOD_QUEUE_URL"));
  const settings = [...emulator.printed.out.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  const { code, out } = await cli.spawn(["ls"], { ...process.env, ...Object.fromEntries(settings) }).ended;
  expect({ code, out }).toEqual({ code: 0, out: "the account has nothing\n" });
  const page = /^Page +(\S+)$/m.exec(emulator.printed.out)?.[1] ?? "";
  expect(await (await fetch(page)).text()).toContain("<html");
  emulator.stop();
  expect((await emulator.ended).code).toBe(0);
});

test("it ends when the `npx` that started it is told to end", async () => {
  const folder = join(cli.folder, "npx");
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  symlinkSync(resolve("dist/sdk/cli/main.js"), join(folder, "node_modules/.bin/podlumi"));
  const npx = spawn("npx", ["podlumi", "emulator", "--port", "0"], { cwd: folder });
  let out = "";
  npx.stdout.on("data", (text) => (out += text));
  await until(() => out.includes("RUNPOD_QUEUE_URL"));
  const page = /^Page +(\S+)$/m.exec(out)?.[1] ?? "";
  npx.kill();
  const answers = () =>
    fetch(page).then(
      () => true,
      () => false,
    );
  while (await answers()) await setTimeout(50);
});

test("a command runs with the settings and the seed, and its exit code is the emulator's", async () => {
  const file = join(cli.folder, "seed.json");
  writeFileSync(file, JSON.stringify(seed));
  const { code, out, err } = await cli.spawn(
    ["emulator", "--fast", "--seed", file, "--", ...command(7)],
    process.env,
  ).ended;
  expect({ code, out, err }).toEqual({ code: 7, out: "data\n", err: "" });
});

test("a port that another emulator has", async () => {
  const first = cli.spawn(["emulator", "--port", "0"], process.env);
  await until(() => first.printed.out.includes("RUNPOD_QUEUE_URL"));
  const port = /^export RUNPOD_API_URL=.*:(\d+)/m.exec(first.printed.out)?.[1] ?? "";
  const { code, err } = await cli.spawn(["emulator", "--port", port], process.env).ended;
  first.stop();
  expect({ code, err }).toEqual({
    code: 1,
    err:
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
      "Perhaps another emulator runs there: end it, or give another --port\n",
  });
});

test("a command with an address of its own does not reach a real account", async () => {
  const real = "RUNPOD_QUEUE_URL= RUNPOD_API_URL=https://api.example/v2";
  const ls = `${real} ${process.execPath} ${resolve("dist/sdk/cli/main.js")} ls`;
  const { code, err } = await cli.spawn(["emulator", "--", "sh", "-c", ls], process.env).ended;
  expect(code).toBe(1);
  expect(err).toMatch(/RUNPOD_API_URL leads to api\.example, and this command runs with the emulator/);
});

test("a command that is not there, one that a signal ends, and a seed that the service refuses", async () => {
  const missing = await cli.spawn(["emulator", "--", "no-such-command"], process.env).ended;
  expect(missing).toMatchObject({ code: 127, err: "there is no command no-such-command\n" });
  const killed = await cli.spawn(["emulator", "--", "sh", "-c", "kill -KILL $$"], process.env).ended;
  expect(killed.code).toBe(137);
  const file = join(cli.folder, "bad.json");
  writeFileSync(file, JSON.stringify({ networkVolumes: [{ name: "data" }] }));
  const refused = await cli.spawn(["emulator", "--seed", file, "--", ...command(0)], process.env).ended;
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/^networkVolumes\[0\] of the seed was refused: .*size.* \[PODLUMI-SEED\]$/m);
  writeFileSync(file, "{");
  const broken = await cli.spawn(["emulator", "--seed", file, "--", ...command(0)], process.env).ended;
  expect(broken).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^the seed \S+bad\.json is no JSON: /),
  });
  const nowhere = await cli.spawn(["emulator", "--seed", "nowhere.json", "--", ...command(0)], process.env)
    .ended;
  expect(nowhere).toMatchObject({ code: 1, err: 'there is no seed "nowhere.json" [PODLUMI-SEED]\n' });
});

test.each(["99999", "80.5"])("a port that cannot be is refused: %s", async (port) => {
  const { code, err } = await cli.spawn(["emulator", "--port", port], process.env).ended;
  expect({ code, err }).toEqual({
    code: 2,
    err: `error: --port takes a whole number up to 65535, not "${port}"\n(see --help)\n`,
  });
});

test.each([
  ["--port", "abc", 'takes a number, not "abc"'],
  ["--rate-limit", "ten", 'takes a number, not "ten"'],
  ["--latency", "", "must not be empty"],
])("an option that takes a number takes no other text: %s %j", async (option, text, why) => {
  expect(await cli.spawn(["emulator", option, text, "--", ...command(0)], process.env).ended).toEqual({
    code: 2,
    out: "",
    err: `error: ${option} ${why}\n(see --help)\n`,
  });
});

test.each([
  [["--prot", "4010"], "'--prot'\n(Did you mean --port?)"],
  [["--unheard-of"], "'--unheard-of'"],
])("an unknown option, %j, is told in the words of the other commands", async (options, what) => {
  expect(await cli.spawn(["emulator", ...options], process.env).ended).toEqual({
    code: 2,
    out: "",
    err: `error: unknown option ${what}\n(see --help)\n`,
  });
});

test("its options are its own, and its help needs no fastify", async () => {
  const { code, out, err } = await cli.spawn(["emulator", "--help"], process.env).ended;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Usage: podlumi emulator \[options\] \[-- COMMAND …\]/);
  for (const text of ["--workers-quota", "With `-- COMMAND`, it runs the command"])
    expect(out).toContain(text);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(await cli.spawn(["help", "emulator"], process.env).ended).toEqual({ code, out, err });

  // A copy of the package whose dependencies are there, and fastify is not.
  const folder = join(cli.folder, "without");
  const own = join(folder, "node_modules", "podlumi");
  mkdirSync(own, { recursive: true });
  cpSync("dist", join(own, "dist"), { recursive: true });
  cpSync("package.json", join(own, "package.json"));
  for (const name of ["commander", "fastest-levenshtein", "zod"])
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  const binary = join(own, "dist/sdk/cli/main.js");
  const help = await cli.spawn(["emulator", "--help"], process.env, binary).ended;
  expect({ code: help.code, out: help.out }).toEqual({ code: 0, out });
  const started = await cli.spawn(["emulator"], process.env, binary).ended;
  expect(started.code).toBe(1);
  expect(started.err).toMatch(/^podlumi: the emulator needs fastify.*\[PODLUMI-NO-FASTIFY\]\n$/);
});
