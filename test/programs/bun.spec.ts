import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { ENDPOINT } from "../emulator/client";
import { isOnPath } from "../engine/on-path";
import { fast } from "../harness/account";

// Bun has a module of its own under the name `undici`, whose agents send nothing.

let emulator: Emulator;
let endpoint: string;
beforeAll(async () => {
  emulator = await startEmulator(fast);
  endpoint = emulator.service.endpoints.create(ENDPOINT).id;
});
afterAll(() => emulator.close());

/** Runs a program that calls a function and asks a queue. */
async function answersOf(runtime: string, before: string): Promise<string> {
  const program = `${before}
    const { getGpuTypes } = require("podlumi");
    const { Endpoint } = require("podlumi/jobs");
    getGpuTypes()
      .then((gpus) => console.log(gpus.length))
      .then(() => new Endpoint("${endpoint}").health())
      .then(({ workers }) => console.log(workers.idle), console.log);`;
  const env = { ...process.env, ...emulator.env };
  const cwd = resolve("examples/quickstart");
  return (await promisify(execFile)(runtime, ["-e", program], { cwd, env, timeout: 60_000 })).stdout;
}

const answers = "45\n0\n";

test("functions and jobs do not depend on what a runtime has under the name undici", async () => {
  const likeBun = `
    const { Module } = require("node:module");
    const load = Module._load;
    Module._load = (name, ...rest) => (name === "undici" ? { Agent: class {} } : load(name, ...rest));`;
  expect(await answersOf(process.execPath, likeBun)).toBe(answers);
});

(isOnPath("bun") ? test : test.skip)("they work in Bun, where it is installed", async () => {
  expect(await answersOf("bun", "")).toBe(answers);
});
