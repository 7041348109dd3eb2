import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../sdk/emulator/service";
import { ENDPOINT } from "../emulator/client";
import { CommandLine } from "./cli";

const webhook = "https://hooks.example/done?token=T0KEN-0123";
const s3Config = {
  accessId: "AKIA0123",
  accessSecret: 'wJalr/"XUtn"+FEMI',
  bucketName: "results",
  endpointUrl: "https://s3.example",
};

const cli = new CommandLine();
let emulator: Emulator;
let id: string;
beforeAll(async () => {
  emulator = await cli.emulate();
  ({ id } = emulator.service.endpoints.create(ENDPOINT));
  emulator.setHandler(id, () => {
    throw new Error(`cannot log in with ${s3Config.accessSecret}, nor call ${webhook}`);
  });
  writeFileSync(join(cli.folder, "s3.json"), JSON.stringify(s3Config));
  writeFileSync(join(cli.folder, "webhook"), `${webhook}\n`);
});
afterAll(() => cli.close());

const run = (...options: string[]) => cli.run("jobs", "run", id, '{"prompt":"hi"}', ...options);
const sent = () => emulator.requests.filter(({ path }) => path.endsWith("/run")).at(-1)?.body;

test("a job has the webhook, the limits, the priority and the bucket that its options name", async () => {
  const limits = ["--execution-timeout", "2m", "--ttl", "1h", "--low-priority"];
  const { code } = await run("--webhook", "https://example.com/done", ...limits, "--s3-config", "s3.json");
  expect(code).toBe(0);
  expect(sent()).toEqual({
    input: { prompt: "hi" },
    webhook: "https://example.com/done",
    policy: { executionTimeout: 120_000, ttl: 3_600_000, lowPriority: true },
    s3Config,
  });
  await run();
  expect(sent()).toEqual({ input: { prompt: "hi" } });
});

test("what is secret comes from a file, and no message shows it", async () => {
  const { code, err } = await run("--webhook", "@webhook", "--s3-config", "s3.json", "--wait");
  expect(sent()).toMatchObject({ webhook, s3Config });
  expect(code).toBe(1);
  expect(err).toContain("is FAILED: cannot log in with [secret], nor call [secret].");
});

test("a job that took too long names the option that gives it more time", async () => {
  const what = { answer: { status: 200, body: { id: "j", status: "TIMED_OUT" } } } as const;
  emulator.faults.add({ match: { path: `/v2/${id}/status/*` }, when: "before", what, times: 1 });
  const { err } = await run("--wait");
  expect(err).toMatch(/is TIMED_OUT\. Give it more time, with --execution-timeout or the endpoint's timeout/);
});

test.each([
  [["--webhook", "@"], 'podlumi: --webhook: there is no file "" [PODLUMI-COMMAND]'],
  [
    ["--s3-config", "nowhere.json"],
    'podlumi: --s3-config: there is no file "nowhere.json" [PODLUMI-COMMAND]',
  ],
])("the error of a file that cannot be read, %j, names the option", async (options, message) => {
  expect(await run(...options)).toEqual({ code: 1, out: "", err: expect.stringContaining(message) });
});

const { accessSecret: _, ...incomplete } = s3Config;
test.each([
  [["--ttl", "9s"], "'9s' is invalid. It must be a time from 10s to 7d."],
  [["--execution-timeout", "8d"], "'8d' is invalid. It must be a time from 5s to 7d."],
  [["--ttl", "3600"], "It must be a time such as 90s, 30m, 2h or 7d."],
  [
    ["--webhook", "hooks.example/T0KEN"],
    "--webhook: must be an address that begins with https:// or http://",
  ],
  [["--s3-config", "webhook"], "--s3-config needs a file that holds a JSON object"],
  [["--s3-config", "incomplete.json"], "--s3-config needs a string for accessSecret"],
  [
    ["--s3-config", "more.json"],
    "--s3-config takes nothing but accessId, accessSecret, bucketName, endpointUrl",
  ],
  [["--s3-config", "-", "--webhook", "@-"], "standard input can be read once only"],
])("wrong options, %j, end with 2 before anything is sent", async (options, message) => {
  writeFileSync(join(cli.folder, "incomplete.json"), JSON.stringify(incomplete));
  writeFileSync(join(cli.folder, "more.json"), JSON.stringify({ ...s3Config, region: "T0KEN" }));
  const before = emulator.requests.length;
  const { code, out, err } = await run(...options);
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
  expect(err).not.toMatch(/T0KEN|XUtn/);
  expect(emulator.requests).toHaveLength(before);
});
