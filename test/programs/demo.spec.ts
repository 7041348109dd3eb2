import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";

test("the demo takes the quickstart through its whole life and leaves nothing behind", async () => {
  const tsx = resolve("node_modules/.bin/tsx");
  const { stdout } = await promisify(execFile)(tsx, ["test/demo.ts"], { maxBuffer: 64 * 1024 * 1024 });
  const announced = stdout.match(/^(Step \d of 6|\$ pulumi \w+)/gm);
  expect(announced?.join(", ")).toBe(
    "Step 1 of 6, $ pulumi up, Step 2 of 6, $ pulumi preview, Step 3 of 6, $ pulumi preview, $ pulumi up, " +
      "Step 4 of 6, $ pulumi refresh, Step 5 of 6, $ pulumi up, $ pulumi preview, Step 6 of 6, $ pulumi destroy",
  );
  // In a terminal of 100 columns, no title is cut within a word.
  for (const title of stdout.match(/^Step .*/gm) ?? []) expect(title.length).toBeLessThanOrEqual(100);
  expect(stdout).toMatch(
    /Done in \d+ s with \d+ requests\. The emulator has no object any more\.\nNext: .*README\.md, then docs\/getting-started\.md\n$/,
  );
  expect(readFileSync("README.md", "utf8")).toContain("## Use it with your account");
  // The folder of the state is gone, so Pulumi's advice about the stack would lead nowhere.
  expect(stdout).not.toContain("pulumi stack rm");
  expect(stdout).not.toContain("a registry password");
  expect(stdout).not.toContain("a model token");
});
