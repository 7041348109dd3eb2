import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Emulator, ManualClock } from "../emulator";
import { Project } from "../harness/project";
import { apiKey, CommandLine } from "./cli";
import { databasePassword, passphrase, populate, tokenValue } from "./populated";

const cli = new CommandLine();
let emulator: Emulator;
beforeAll(async () => {
  emulator = await cli.emulate({ clock: new ManualClock() });
});
afterAll(() => cli.close());

/** What only the account's owner knows, by the names that the program gives it. */
const untold = { hfToken: tokenValue, ghcrUsername: "robot", ghcrPassword: "hunter22-hunter22" };
const secrets = { ...untold, dbPassword: databasePassword, passphrase };

test("a stack takes over what exists, changes nothing, and destroys all of it", async () => {
  populate(emulator);
  const before = emulator.service.snapshot();
  const project = new Project(emulator);
  const infra = join(project.folder, "infra");
  const file = join(project.folder, "import.json");
  const values = join(project.folder, "values.env");
  writeFileSync(
    values,
    Object.entries(untold)
      .map((entry) => `${entry.join("=")}\n`)
      .join(""),
  );
  const imports = ["--stack", "dev", "--values", values, "--import", file];

  const generated = await cli.run("generate", "--out", infra, ...imports);
  expect(generated).toMatchObject({ code: 0, out: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const source = readFileSync(join(infra, "index.ts"), "utf8");
  for (const text of [generated.err, source])
    for (const secret of [...Object.values(secrets), apiKey]) expect(text).not.toContain(secret);
  execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", infra]);

  const pulumi = async (...args: string[]) => {
    const run = await project.pulumi("-C", infra, ...args);
    expect(run).toMatchObject({ ok: true });
    return run.printed;
  };
  await pulumi("stack", "init", "dev");
  const settings = Object.entries(secrets).flatMap((entry) => ["--secret", entry.join("=")]);
  await pulumi("config", "set-all", ...settings);
  await pulumi("import", "--file", file, "--protect=false", "--generate-code=false", "--yes");
  await pulumi("preview", "--expect-no-changes", "--diff");
  const state = await pulumi("stack", "export");
  for (const secret of Object.values(secrets)) expect(state).not.toContain(secret);
  await pulumi("up", "--refresh", "--yes", "--expect-no-changes");
  expect(emulator.service.snapshot()).toEqual(before);
  await pulumi("destroy", "--yes");
  expect(emulator.service.isEmpty()).toBe(true);
  project.remove();
}, 240_000);
