import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { testLong } from "../harness/long";

// The examples run where they stand, as examples/README.md says it. There they are inside of the package that they import.

const examples = readdirSync("examples").filter((name) =>
  existsSync(join("examples", name, "tsconfig.json")),
);

test("every example in TypeScript has the same configuration of the compiler, which `npm run check` also means", () => {
  const programs = readdirSync("examples").filter((name) => existsSync(join("examples", name, "index.ts")));
  expect(programs.filter((name) => !examples.includes(name))).toEqual(["quickstart"]);
  const configurations = examples.map((name) =>
    readFileSync(join("examples", name, "tsconfig.json"), "utf8"),
  );
  expect(new Set(configurations).size).toBe(1);
});

testLong("one of them goes up where it stands", async () => {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-in-place-"));
  const cwd = resolve("examples/cheapest-gpu");
  const emulator = await startEmulator(fast);
  const env = {
    ...process.env,
    ...emulator.env,
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const pulumi = (...args: string[]) => promisify(execFile)("pulumi", args, { cwd, env });
  try {
    await pulumi("stack", "init", "in-place");
    await pulumi("config", "set", "--secret", "jupyterPassword", "a password");
    await pulumi("up", "--yes", "--skip-preview");
    expect(emulator.service.snapshot().pods).toHaveLength(1);
  } finally {
    await emulator.close();
    rmSync(join(cwd, "Pulumi.in-place.yaml"), { force: true });
    rmSync(folder, { recursive: true });
  }
});
