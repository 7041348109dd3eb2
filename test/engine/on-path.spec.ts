import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gte } from "semver";
import { findOnPath, MINIMUM_VERSION } from "./on-path";
import { pinnedVersion } from "./source";

let folder: string;
let links: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "podlumi-path-"));
  links = await mkdtemp(join(tmpdir(), "podlumi-path-"));
});

afterEach(() => Promise.all([folder, links].map((made) => rm(made, { recursive: true }))));

async function command(name: string, prints: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\necho ${prints}\n`);
  await chmod(file, 0o755);
  return file;
}

test("a recent pulumi with the language host beside it is taken", async () => {
  await command("pulumi", `v${MINIMUM_VERSION}`);
  await command("pulumi-language-nodejs", "");
  expect(await findOnPath(["/nowhere", folder].join(delimiter))).toEqual({
    folder,
    version: MINIMUM_VERSION,
  });
});

test("the language host may lie where a link to pulumi points", async () => {
  await symlink(await command("pulumi", `v${MINIMUM_VERSION}`), join(links, "pulumi"));
  await command("pulumi-language-nodejs", "");
  expect(await findOnPath(links)).toEqual({ folder: links, version: MINIMUM_VERSION });
});

test.each([
  ["is older than the minimum", "v3.253.9", /version 3\.253\.9, older than/],
  ["tells no version", "help!", /does not tell its version/],
  ["has no language host beside it", `v${MINIMUM_VERSION}`, /no pulumi-language-nodejs beside it/],
])("a pulumi that %s is passed over, with the reason", async (_, prints, reason) => {
  await command("pulumi", prints);
  expect(await findOnPath(folder)).toEqual({ missing: expect.stringMatching(reason) });
});

test("an empty PATH has no pulumi", async () => {
  expect(await findOnPath("")).toEqual({ missing: "no pulumi on PATH" });
});

test("the version that is installed or built is recent enough itself", () => {
  expect(gte(pinnedVersion(), MINIMUM_VERSION)).toBe(true);
});
