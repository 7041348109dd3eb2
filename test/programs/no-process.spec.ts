import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { withPlugin } from "../harness/stack";

// A provider asks Pulumi for the state of its own stack where a create has found an object with exactly its mark, and starts no process
// otherwise.

const folder = mkdtempSync(join(tmpdir(), "podlumi-no-process-"));
const calls = join(folder, "calls");
const bin = join(folder, "bin");

/** A `pulumi` first on the PATH of the engine and of its providers. It notes each call. */
beforeAll(() => {
  const engine = withPlugin.PATH.split(delimiter).find((path) => existsSync(join(path, "pulumi")));
  mkdirSync(bin);
  const script = ["#!/bin/sh", `echo "$1 $2" >> '${calls}'`, `exec '${engine}/pulumi' "$@"`];
  writeFileSync(join(bin, "pulumi"), script.join("\n"), { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The calls of Pulumi, that of the user first. */
async function callsOf(command: () => Promise<unknown>): Promise<string[]> {
  writeFileSync(calls, "");
  await command();
  return readFileSync(calls, "utf8").trim().split("\n");
}

describe.each([
  ["dynamic provider", dynamic],
  ["plugin", plugin],
])("with the %s", (_face, { NetworkVolume, Pod, Template }) => {
  emulatedStack("all", { env: { PATH: [bin, withPlugin.PATH].join(delimiter) } });

  const program = (image: string) => () => {
    new NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });
    new Template("base", { image });
    new Pod("web", { image, gpu: { id: "NVIDIA L4" } });
  };
  const ids = () => [...emulator.service.pods.list(), ...emulator.service.volumes.list()].map(({ id }) => id);

  test("an ordinary preview, up, refresh and destroy start no process", async () => {
    const first = program("org/app:1");
    const second = program("org/app:2");
    expect(await callsOf(() => stack.preview(first))).toEqual(["preview --diff"]);
    expect(await callsOf(() => stack.up(first))).toEqual(["up --yes"]);
    expect(await callsOf(() => stack.preview(second))).toEqual(["preview --diff"]);
    expect(await callsOf(() => stack.up(second))).toEqual(["up --yes"]);
    expect(await callsOf(() => stack.refresh())).toEqual(["refresh --skip-preview"]);
    expect(await callsOf(() => stack.destroy())).toEqual(["destroy --yes"]);
    expect(ids()).toEqual([]);
  });

  test("--replace gives a pod and a volume new objects, for which the state is asked for once", async () => {
    await stack.up(program("org/app:1"));
    const before = ids();
    const replace = (await stack.resources())
      .filter(({ id }) => before.includes(String(id)))
      .map(({ urn }) => urn);
    expect(replace).toHaveLength(2);
    const replacing = () => stack.up(program("org/app:1"), { replace });
    expect(await callsOf(replacing)).toEqual(["up --yes", "stack export"]);
    expect(ids()).toHaveLength(2);
    expect(ids().filter((id) => before.includes(id))).toEqual([]);
    await stack.destroy();
  });
});
