import { spawnSync } from "node:child_process";
import { existsSync, openSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { below } from "../../sdk/cli/help";
import { CommandLine, until } from "./cli";

const cli = new CommandLine();
afterAll(() => cli.close());

const previewFile = join(cli.folder, "preview.json");
writeFileSync(previewFile, '{"changeSummary": {}}');

const withoutKey = { ...process.env, RUNPOD_API_KEY: "" };
const run = (...args: string[]) => cli.start(args, withoutKey).ended;

test.each([
  ["ls", "podlumi ls --stack shop/prod --left"],
  ["gpus", "podlumi gpus --for serverless"],
  ["cpus", "podlumi cpus --vcpus 8 --for serverless"],
  ["datacenters", 'podlumi datacenters --gpu "NVIDIA L4"'],
  ["ssh", "podlumi ssh notebook --stack shop/prod"],
  ["completion", "podlumi completion bash"],
  ["logs", "podlumi logs 7h9k2m4n6p --follow"],
  ["jobs", "podlumi jobs run 4m7x2k9q"],
  ["bills", "podlumi bills pods --since 7d"],
  ["doctor", "podlumi doctor --json"],
  ["generate", "podlumi generate --adopt --out infra"],
  ["convert-v1", "podlumi convert-v1 pods.json"],
  ["sweep", "podlumi sweep --stack shop/pr-123 --yes"],
])("help of %s has examples and needs no key", async (command, example) => {
  const { code, out, err } = await run(command, "--help");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(example);
  // The profile of a shell runs outside of projects, where npx takes a package of that name from the registry.
  expect(out).not.toContain("$(npx");
  // A terminal breaks a longer line anywhere.
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("the text below a help is as wide as the terminal, and its examples stay as they are", () => {
  let out = "";
  const command = new Command("podlumi").exitOverride().configureOutput({
    getOutHelpWidth: () => 50,
    writeOut: (text) => (out += text),
  });
  const example = `  podlumi ls ${"--json ".repeat(8)}`;
  command.addHelpText("after", below(`\n${"word ".repeat(15)}\nmore words.\n\nExamples:\n${example}`));
  command.outputHelp();
  const line = "word ".repeat(10).trim();
  expect(out).toContain(`\n${line}\n${"word ".repeat(5)} more words.\n\nExamples:\n${example}\n`);
});

test.each([
  [["help", "jobs", "run"], /^Usage: podlumi jobs run .*--low-priority/s],
  [["help"], /^Usage: podlumi \[options\]/],
])("%j is the help of that command", async (args, text) => {
  expect(await run(...args)).toEqual({ code: 0, out: expect.stringMatching(text), err: "" });
});

test("help names every command, the settings, and why no option takes a key", async () => {
  const { code, out } = await run("--help");
  expect(code).toBe(0);
  for (const text of ["sweep", "generate", "emulator", "RUNPOD_API_KEY", "No option takes a key", "NO_COLOR"])
    expect(out).toContain(text);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  [[], /Usage: podlumi/],
  [["lss"], /unknown command 'lss'.*\n.*Did you mean ls/],
  [["gpus", "--al"], /^error: unknown option '--al'\n\(Did you mean --all\?\)\n\(see --help\)$/m],
  [["help", "jobs", "runn"], /unknown command 'runn'; did you mean "run"/],
  [["ls", "pds"], /must be a kind, such as Pod, pods or volumes: "Pod",.*did you mean "Pod"/],
  [["gpus", "--for", "pods"], /must be "pod", "cluster" or "serverless"; did you mean "pod"/],
  [["gpus", "--cloud", "secure"], /did you mean "SECURE"/],
  [["logs", "p", "--source", "contianer"], /did you mean "container"/],
  [["completion", "basch"], /did you mean "bash"/],
  [["logs"], /missing required argument 'pod or endpoint'/],
  [["logs", "p", "--tail", "many"], /must be a whole number from 0 to 5000/],
  [["logs", "p", "--since", "999999999d"], /must be a time such as 10m/],
  [["logs", "p", "--since", "2026-06-01T12:00:00"], /or 2026-06-01T12:00:00Z with its zone/],
  [["logs", "p", "--tail", "1", "--since", "1h"], /cannot be used with option/],
  [["bills", "gpus"], /must be a kind, such as Pod, pods or volumes: "Pod", .* or "Cluster"/],
  [["bills", "--by", "dya"], /did you mean "day"/],
  [["bills", "--since", "1h", "--until", "2h"], /--since must be before --until/],
  [["bills", "--since", "2999-01-01"], /--since must be before now/],
  [
    ["bills", "--since", "2026-13-01"],
    /must be a time such as 10m, a day such as 2026-06-01, or 2026-06-01T12:00:00Z with/,
  ],
  [["logs", ""], /^error: the argument pod or endpoint must not be empty$/m],
  [["jobs", "run", "", "{}"], /^error: the argument endpoint must not be empty$/m],
  [["jobs", "wait", "llm", ""], /^error: the argument job must not be empty$/m],
  [["datacenters", "--gpu", ""], /^error: --gpu must not be empty$/m],
  [["gpus", "--data-center", "EU-RO-1", "--data-center", ""], /^error: --data-center must not be empty$/m],
  [["sweep"], /say what to delete: either --stack, --prefix or --expired/],
  [["sweep", "--stack", "shop/"], /It must be project\/stack, such as/],
  [["sweep", "--stack", "dev"], /no Pulumi.yaml here names a project/],
  [["sweep", "--prefix", " "], /must not be empty/],
  [["sweep", "--expired", "--marked"], /--marked goes with --prefix/],
  [["generate", "--marked"], /--marked goes with --adopt or --import/],
  [["generate", "--adopt", "--stack", "prod"], /--values and --stack go with --import/],
  [["generate", "--values", "values.env"], /--values and --stack go with --import/],
  [["sweep", "--expired", "--read"], /--mark, --copies, --adopted and --read go with --stack/],
  [["ls", "--left"], /--marks and --left need --stack/],
  [["ls", "--stack", "shop/dev", "--left", "--marks"], /cannot be used with option/],
  [["sweep", "--prefix", "ci-", "--older-than", "soon"], /must be a time such as/],
  [["generate", "--import", "file"], /--import needs --out/],
  [
    ["generate", "--import", "file", "--out", "no-such", "--language", "yaml"],
    /take --adopt, or `pulumi import`/,
  ],
  [["generate", "--language", "Python"], /Allowed choices are typescript, python, yaml/],
])("a wrong command line, %j, ends with 2 and says what is wrong", async (args, message) => {
  const { code, out, err } = await run(...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(message);
});

test.each([["ls"], ["jobs", "health", "e1"], ["cost", previewFile]])(
  "a missing key of %s ends with 1 and says which variable to set",
  async (...args) => {
    expect(await run(...args)).toEqual({
      code: 1,
      out: "",
      err: "podlumi: no API key: set the environment variable RUNPOD_API_KEY [PODLUMI-CONFIGURATION]\n",
    });
  },
);

test("a command that reads standard input, which nobody ends, says what it waits for", async () => {
  const cost = cli.start(["cost"], withoutKey);
  await until(() => cost.printed.err !== "");
  expect(cost.printed).toEqual({ out: "", err: "podlumi: waiting for the end of standard input …\n" });
  cost.input.end();
  expect((await cost.ended).err).toMatch(
    /standard input is empty: run `pulumi stack export \| npx podlumi cost`/,
  );
});

test.each([["cost"], ["convert-v1"]])("%s says in words that a file cannot be read", async (command) => {
  const err = 'podlumi: there is no file "nowhere.json" [PODLUMI-COMMAND]\n';
  expect(await run(command, "nowhere.json")).toEqual({ code: 1, out: "", err });
  expect((await run(command, ".")).err).toMatch(
    /^podlumi: "\." cannot be read: EISDIR.* \[PODLUMI-COMMAND\]$/m,
  );
});

const full = "/dev/full";
(existsSync(full) ? test : test.skip)("an output that cannot be written ends with 1 and says why", () => {
  const program = resolve("dist/sdk/cli/main.js");
  const stdio = ["ignore", openSync(full, "w"), "pipe"] as const;
  const { status, stderr } = spawnSync(process.execPath, [program, "completion", "bash"], {
    stdio: [...stdio],
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^podlumi: the output cannot be written: ENOSPC.*\[PODLUMI-COMMAND\]\n$/),
  });
});

test("a reader that closes the output early is no failure", () => {
  const program = resolve("dist/sdk/cli/main.js");
  const piped = `"${process.execPath}" "${program}" completion bash | true; echo "\${PIPESTATUS[0]}"`;
  expect(spawnSync("bash", ["-c", piped], { encoding: "utf8" })).toMatchObject({ stdout: "0\n", stderr: "" });
});

test("a command without a connection says after two seconds what it waits for, once", async () => {
  const nowhere = { ...process.env, RUNPOD_API_KEY: "key", RUNPOD_API_URL: "http://127.0.0.1:9/v2" };
  const { code, err } = await cli.start(["ls", "pods"], nowhere).ended;
  expect(code).toBe(1);
  expect(err.match(/retrying for up to 15 s/g)).toHaveLength(1);
});
