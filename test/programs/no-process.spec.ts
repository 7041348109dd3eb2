import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";
import { pluginTokenOf, typeOf } from "../../provider/identity";
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

emulatedStack("all", { env: { PATH: [bin, withPlugin.PATH].join(delimiter) } });

/** The calls of Pulumi, that of the user first. */
async function callsOf(command: () => Promise<unknown>): Promise<string[]> {
  writeFileSync(calls, "");
  await command();
  return readFileSync(calls, "utf8").trim().split("\n");
}

const faces = [
  { name: "dynamic", face: dynamic, tokenOf: typeOf },
  { name: "plugin", face: plugin, tokenOf: pluginTokenOf },
];

/** The same resources of both faces, each of which has a process. */
const program = (image: string) => () => {
  for (const { name, face } of faces) {
    new face.NetworkVolume(`data-${name}`, { size: 20, dataCenter: "EU-RO-1" });
    new face.Template(`base-${name}`, { image });
    new face.Pod(`web-${name}`, { image, gpu: { id: "NVIDIA L4" } });
  }
};

const ids = () => [...emulator.service.pods.list(), ...emulator.service.volumes.list()].map(({ id }) => id);

test("an ordinary preview and up start no process", async () => {
  const [first, second] = [program("org/app:1"), program("org/app:2")];
  expect(await callsOf(() => stack.preview(first))).toEqual(["preview --diff"]);
  expect(await callsOf(() => stack.up(first))).toEqual(["up --yes"]);
  expect(await callsOf(() => stack.preview(second))).toEqual(["preview --diff"]);
  expect(await callsOf(() => stack.up(second))).toEqual(["up --yes"]);
});

test("--replace gives pods and volumes new objects, for which each face asks for the state once", async () => {
  const before = ids();
  expect(before).toHaveLength(4);
  const replace = faces.flatMap(({ name, tokenOf }) => [
    `urn:pulumi:test::specification::${tokenOf("NetworkVolume")}::data-${name}`,
    `urn:pulumi:test::specification::${tokenOf("Pod")}::web-${name}`,
  ]);
  const replacing = () => stack.up(program("org/app:2"), { replace });
  expect(await callsOf(replacing)).toEqual(["up --yes", "stack export", "stack export"]);
  expect(ids()).toHaveLength(4);
  expect(ids().filter((id) => before.includes(id))).toEqual([]);
});

test("an ordinary refresh and destroy start no process", async () => {
  expect(await callsOf(() => stack.refresh())).toEqual(["refresh --skip-preview"]);
  expect(await callsOf(() => stack.destroy())).toEqual(["destroy --yes"]);
  expect(ids()).toEqual([]);
});
