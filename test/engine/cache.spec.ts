import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeOnce } from "./cache";

let cache: string;
let folder: string;

beforeEach(async () => {
  jest.spyOn(process.stderr, "write").mockReturnValue(true);
  cache = await mkdtemp(join(tmpdir(), "podlumi-cache-"));
  folder = join(cache, "engine");
});

afterEach(async () => {
  jest.restoreAllMocks();
  await rm(cache, { recursive: true });
});

const make = async (workshop: string) => {
  await sleep(50);
  await writeFile(join(workshop, "pulumi"), "made");
};

test("of two runs that start at once, one creates the folder and both get it", async () => {
  const maker = jest.fn(make);
  await Promise.all([makeOnce(folder, maker), makeOnce(folder, maker)]);
  expect(maker).toHaveBeenCalledTimes(1);
  expect(await readFile(join(folder, "pulumi"), "utf8")).toBe("made");
  expect(await readdir(cache)).toEqual([basename(folder)]);
});

test("the folder is not there before it is complete", async () => {
  const seen: boolean[] = [];
  await makeOnce(folder, async (workshop) => {
    await make(workshop);
    seen.push(existsSync(folder));
  });
  expect(seen).toEqual([false]);
});

test("a run that fails leaves nothing behind, and the next one starts afresh", async () => {
  const failing = makeOnce(folder, async (workshop) => {
    await make(workshop);
    throw new Error("no network");
  });
  await expect(failing).rejects.toThrow("no network");
  expect(await readdir(cache)).toEqual([]);
  await makeOnce(folder, make);
  expect(await readdir(folder)).toEqual(["pulumi"]);
});

test("what a killed run left behind is removed and created again", async () => {
  const lock = `${folder}.lock`;
  await mkdir(join(lock, "workshop"), { recursive: true });
  await writeFile(join(lock, "workshop", "half"), "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  await makeOnce(folder, make);
  expect(await readdir(folder)).toEqual(["pulumi"]);
});
