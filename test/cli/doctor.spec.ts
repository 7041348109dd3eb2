import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, ManualClock } from "../emulator";
import { ENDPOINT } from "../emulator-spec/client";
import { apiKey, CommandLine } from "./cli";

const cli = new CommandLine();
let emulator: Emulator;
const clock = new ManualClock();
beforeAll(async () => {
  clock.advance(Date.now() - clock.now());
  emulator = await cli.emulate({ clock, rateLimit: { minute: 20, enforce: true } });
  emulator.service.endpoints.create({ ...ENDPOINT, workers: { max: 4 } });
});
afterAll(() => cli.close());

interface Check {
  what: string;
  ok: boolean;
  found: string;
  mend?: string;
}

async function examined(env: NodeJS.ProcessEnv = {}) {
  const { code, out } = await cli.start(["doctor", "--json"], { ...cli.env, ...env }).ended;
  expect(out).not.toContain(apiKey);
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
  expect({ code, ok }).toEqual(
    checks.every((check) => check.ok) ? { code: 0, ok: true } : { code: 1, ok: false },
  );
  return Object.fromEntries(checks.map((check) => [check.what, check]));
}

test("a machine and an account that are well are told so, and it ends with 0", async () => {
  const { code, out } = await cli.run("doctor");
  expect(code).toBe(0);
  expect(out).toMatch(/^ok +Pulumi engine +\d+\.\d+/m);
  for (const what of ["REST v2", "GraphQL", "queues"])
    expect(out).toMatch(new RegExp(`^ok +${what} .* answers 200`, "m"));
  expect(out).toMatch(/^ok +API key +taken$/m);
  expect(out).toMatch(/^ok +workers +1 endpoint may have 4 workers together; the service does not tell/m);
  expect(out).toMatch(/^ok +requests left +\d+ of 20 a minute/m);
});

test("an address without anybody, a wrong key and a missing engine are told with what to do", async () => {
  const checks = await examined({
    RUNPOD_QUEUE_URL: "http://127.0.0.1:9",
    RUNPOD_API_KEY: "rpa_wrong",
    PATH: "/nowhere",
  });
  expect(checks.queues).toMatchObject({ ok: false, mend: "check the network, and RUNPOD_QUEUE_URL" });
  expect(checks["API key"]).toMatchObject({ ok: false, found: "refused" });
  expect(checks["REST v2"]).toMatchObject({ ok: true });
  expect(checks["Pulumi engine"]).toMatchObject({ ok: false, found: "there is no pulumi on PATH" });
});

test("an address that is something else, and settings that cannot be, are told", async () => {
  expect((await examined({ RUNPOD_API_URL: `${emulator.apiUrl}/v1` }))["REST v2"]).toMatchObject({
    ok: false,
  });
  expect((await examined({ RUNPOD_API_KEY: "" })).configuration).toMatchObject({ ok: false });
});

test("an engine that is too old, a wrong clock, little quota and open notes are told", async () => {
  const bin = join(cli.folder, "bin");
  const notes = join(cli.folder, "home", "podlumi", "creating");
  for (const folder of [bin, notes]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bin, "pulumi"), "#!/bin/sh\necho v3.99.0\n");
  chmodSync(join(bin, "pulumi"), 0o755);
  clock.advance(300_000);
  for (let n = 0; n < 19; n++)
    await fetch(`${emulator.apiUrl}/pods`, { headers: { Authorization: `Bearer ${apiKey}` } });
  const checks = await examined({ PATH: `${bin}:${process.env.PATH}` });
  expect(checks["Pulumi engine"]).toMatchObject({ ok: false, found: "3.99.0" });
  expect(checks.clock).toMatchObject({ ok: false, found: expect.stringMatching(/^(299|30\d) s behind/) });
  expect(checks["requests left"]).toMatchObject({
    ok: false,
    found: expect.stringMatching(/^0 of 20 a minute/),
  });
  expect(checks["interrupted runs"]).toMatchObject({ ok: true, found: "none" });
});
