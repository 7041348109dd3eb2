import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

test("the demo takes the quickstart through its whole life and leaves nothing behind", async () => {
  const tsx = resolve("node_modules/.bin/tsx");
  const { stdout } = await promisify(execFile)(tsx, ["test/demo.ts"], { maxBuffer: 64 * 1024 * 1024 });
  expect(stdout).toContain("Step 6 of 6");
  expect(stdout).toMatch(/Done in \d+ s with \d+ requests\. The emulator holds nothing any more\./);
  // The folder of the state is gone, so Pulumi's advice about the stack would lead nowhere.
  expect(stdout).not.toContain("pulumi stack rm");
  expect(stdout).not.toContain("a registry password");
  expect(stdout).not.toContain("a model token");
});
