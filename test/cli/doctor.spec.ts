import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Emulator } from "../../sdk/emulator/service";
import { ENDPOINT } from "../emulator/client";
import { testLong } from "../harness/long";
import { apiKey, CommandLine } from "./cli";

const cli = new CommandLine();
let emulator: Emulator;
beforeAll(async () => {
  emulator = await cli.emulate();
  emulator.service.endpoints.create({ ...ENDPOINT, workers: { max: 4 } });
});
afterAll(() => cli.close());

interface Check {
  what: string;
  ok: boolean;
  found: string;
  fix?: string;
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
  expect(out).toMatch(/^ok +API key +accepted$/m);
  expect(out).toMatch(/^ok +account +\w+, user@example\.com$/m);
  expect(out).toMatch(/^ok +balance +1000\.00 USD, prepaid$/m);
  expect(out).toMatch(/^ok +spend rate +0\.00 USD of 10000\.00 USD an hour$/m);
  expect(out).toMatch(/^ok +workers +at most 4 workers in 1 endpoint, of the account's 100$/m);
  expect(out).toMatch(/^ok +requests left +\d+ of \d+ in this minute/m);
});

test("an address without anybody, a wrong key and a missing engine are told with what to do", async () => {
  const checks = await examined({
    RUNPOD_QUEUE_URL: "http://127.0.0.1:9",
    RUNPOD_API_KEY: "rpa_wrong",
    PATH: "/nowhere",
  });
  expect(checks.queues).toMatchObject({
    ok: false,
    found: "http://127.0.0.1:9: no answer: ECONNREFUSED",
    fix: "check the network, the proxy in HTTPS_PROXY where there is one, and RUNPOD_QUEUE_URL",
  });
  expect(checks["API key"]).toMatchObject({ ok: false, found: "refused" });
  expect(checks["REST v2"]).toMatchObject({ ok: true });
  expect(checks["Pulumi engine"]).toMatchObject({ ok: false, found: "there is no pulumi on PATH" });
});

test("an account without balance is told so, and figures that the key may not read or the service does not have", async () => {
  emulator.service.balance = -2;
  emulator.faults.add({ match: { path: "/account" }, when: "before", what: { status: 404 }, times: 1 });
  emulator.faults.add({
    match: { path: "/account/limits" },
    when: "before",
    what: { status: 403 },
    times: 1,
  });
  const checks = await examined();
  emulator.service.balance = 1_000;
  expect(checks.balance).toMatchObject({ ok: false, found: "-2.00 USD, prepaid" });
  expect(checks.account).toMatchObject({ ok: true, found: "the service does not report it" });
  expect(checks["spend rate"]).toMatchObject({ ok: true, found: "the key lacks the scope to read it" });
  expect(checks.workers?.found).toMatch(/the service does not report the account's quota$/);
  const { out } = await cli.run("doctor", "--report");
  expect(out).not.toContain("@example.com");
});

test("an address that is something else, and settings that cannot be, are told", async () => {
  const elsewhere = await examined({ RUNPOD_API_URL: `${emulator.apiUrl}/v1` });
  expect(elsewhere["REST v2"]).toMatchObject({ ok: false, fix: expect.stringContaining("/v2 at its end") });
  expect(elsewhere["API key"]).toMatchObject({ ok: false, found: expect.stringContaining("not known") });
  expect((await examined({ RUNPOD_API_KEY: "" })).configuration).toMatchObject({ ok: false });
});

test("the path of a gateway is not shown", async () => {
  const { out } = await cli.start(["doctor", "--report"], {
    ...cli.env,
    RUNPOD_API_URL: "https://gateway.invalid/t0ken/v2",
    PODLUMI_EMULATED: "",
  }).ended;
  expect(out).toContain("https://gateway.invalid/…");
  expect(out).not.toContain("t0ken");
});

test("an engine that is too old, a wrong clock and little quota are told", async () => {
  const bin = join(cli.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pulumi"), "#!/bin/sh\necho v3.99.0\n", { mode: 0o755 });
  const server = createServer((_request, response) => {
    response.setHeader("Date", new Date(Date.now() - 300_000).toUTCString());
    response.setHeader("RateLimit", '"minute";r=0;t=12, "hour";r=2800;t=1812');
    response.setHeader("RateLimit-Policy", '"minute";q=60;w=60, "hour";q=3000;w=3600');
    response.end('{"endpoints":[]}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const checks = await examined({
    PATH: `${bin}:${process.env.PATH}`,
    RUNPOD_API_URL: `http://127.0.0.1:${port}`,
  });
  server.closeAllConnections();
  server.close();
  expect(checks["Pulumi engine"]).toMatchObject({ ok: false, found: "3.99.0" });
  expect(checks.clock).toMatchObject({ ok: false, found: expect.stringMatching(/^30\d s ahead of the/) });
  expect(checks["requests left"]).toMatchObject({
    ok: false,
    found: "0 of 60 in this minute, 2800 of 3000 in this hour",
    fix: expect.stringMatching(/in 12 s$/),
  });
});

test("no address waits for the response of another one", async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    // REST for endpoints, account, limits and balance, and GraphQL.
    if (waiting.push(response) === 5) for (const one of waiting) one.end('{"endpoints":[]}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const checks = await examined({ RUNPOD_API_URL: address, RUNPOD_GRAPHQL_URL: address });
  server.closeAllConnections();
  server.close();
  expect(checks).toMatchObject({ "REST v2": { ok: true }, GraphQL: { ok: true } });
});

testLong(
  "the workers of all pages of endpoints count, and it says so where a page is not to be had",
  async () => {
    const many = await cli.emulate({ workersQuota: 5000, features: { pagination: true } });
    for (let count = 0; count < 1001; count++)
      many.service.endpoints.create({ ...ENDPOINT, workers: { max: 1 } });
    expect((await examined(many.env)).workers?.found).toBe(
      "at most 1001 workers in 1001 endpoints, of the account's 5000",
    );
    many.faults.add({
      match: { path: "/serverless" },
      when: "before",
      skip: 1,
      what: { status: 500 },
    } as never);
    expect((await examined(many.env)).workers?.found).toBe(
      "at most 1000 workers in the first 1000 endpoints, of the account's 5000",
    );
  },
);
