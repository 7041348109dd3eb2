import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import * as ofPlugin from "podlumi/plugin";
import { type AccountMocks, mocks } from "podlumi/testing";
import { limits } from "../../provider/client/transport";
import { offlineEmulator } from "../../sdk/emulator/service";
import { through } from "../../sdk/testing/provider";
import { runsAll } from "../engine/runs-all";

// Unit tests of programs, with podlumi/testing in Jest. The examples have them in the test runner of Node.js and in Vitest.

let account: AccountMocks;
beforeAll(async () => {
  account = await mocks({ seed: { secrets: [{ name: "hf_token", value: "hf_123" }] } });
  await pulumi.runtime.setMocks(account, "shop", "dev");
});
afterAll(() => account.close());

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

test("resources have the outputs of the service, and functions find them", async () => {
  const data = new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
  const { reference } = podlumi.Secret.get("token", podlumi.getSecretOutput({ name: "hf_token" }).id);
  const llm = new podlumi.ServerlessEndpoint("llm", {
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    env: { HF_TOKEN: reference },
    gpu: { pools: ["ADA_24"] },
    networkVolumes: [data.id],
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  });
  const id = await known(llm.id);
  expect(await known(llm.requestUrls.runSync)).toBe(`https://api.runpod.ai/v2/${id}/runsync`);
  expect((await podlumi.getServerlessEndpoint({ name: "llm" })).id).toBe(id);
  expect(account.snapshot()).toMatchObject({
    networkVolumes: [{ id: await known(data.id), size: 50 }],
    endpoints: [{ id, env: { HF_TOKEN: "{{ RUNPOD_SECRET_hf_token }}" } }],
  });
  expect((await known(llm.estimatedCost)).why).toEqual(expect.any(String));
});

test("a pod runs at once, can be stopped, tells its log, and is gone after its end", async () => {
  const { gpu, cloud, dataCenterIds } = await podlumi.cheapestGpu({ minMemory: 24 });
  const pod = new ofPlugin.Pod("pod", { image: "org/app:1", gpu, cloud, dataCenterIds });
  const id = await known(pod.id);
  expect(await known(pod.status)).toBe("RUNNING");
  expect((await podlumi.stopPod(id)).status).toBe("EXITED");
  const lines = [];
  for await (const { line } of podlumi.podLogs(id)) lines.push(line);
  expect(lines).toContain("pod is RUNNING");
  expect((await podlumi.getPodLogs({ podId: id })).lines.map(({ line }) => line)).toEqual(lines);
  const { call } = account;
  const linesOf = async (query: object) =>
    (await call({ token: "podlumi:index:podLogs", inputs: { id, ...query } })).lines;
  expect(await linesOf({ tail: 1 })).toHaveLength(1);
  expect(await linesOf({ tail: 0 })).toEqual([]);
  expect(await linesOf({ since: "2000-01-01T00:00:00Z" })).toHaveLength(lines.length);
  expect(await linesOf({ since: "2100-01-01T00:00:00Z" })).toEqual([]);
  await expect(podlumi.terminatePod(account.snapshot().pods[0]?.name ?? "")).rejects.toThrow(
    /but one of that name/,
  );
  await podlumi.terminatePod(id);
  expect(account.snapshot().pods).toEqual([]);
  await expect(podlumi.getPod({ id })).rejects.toThrow(/^getPod: there is no pod with the id/);
});

test("a job that verifies an endpoint gets its output from the test's handler, and a wrong output fails", async () => {
  const worker = {
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  };
  const verified = (name: string, expect: object) =>
    account.newResource({
      type: "podlumi:index:ServerlessEndpoint",
      name,
      inputs: { ...worker, name, verify: { input: { a: 1 }, expect } },
    });
  account.setHandler("*", (input) => ({ got: input }));
  expect((await verified("right", { got: { a: 1 } })).state).toMatchObject({ name: "right" });
  await expect(verified("wrong", { got: { a: 2 } })).rejects.toThrow(/exists but is not ready/);
});

test("a warning begins with the name of its resource, which no display shows here", async () => {
  const written = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const slow = { image: "org/worker:1", gpu: { pools: ["ADA_24"] }, timeout: 600 };
  const scaling = { type: "QUEUE_DELAY", queueDelay: 4 } as const;
  await known(new podlumi.ServerlessEndpoint("slow", { type: "QUEUE", ...slow, scaling }).id);
  expect(written).toHaveBeenCalledWith("slow: timeout is in milliseconds: 600 is 0.6 s [PODLUMI-ODD]\n");
  written.mockRestore();
});

test("secrets stay secret, and every request is the account's own", async () => {
  const own = new podlumi.Secret("own", { value: pulumi.secret("hunter22") });
  expect(await pulumi.isSecret(own.value)).toBe(true);
  expect(await known(own.reference)).toMatch(/^\{\{ RUNPOD_SECRET_own/);
  expect(account.requests.length).toBeGreaterThan(5);
  account.reset();
  expect(account.snapshot().secrets).toEqual([]);
});

describe("a request that never gets an answer", () => {
  const { headers } = limits;
  afterEach(() => Object.assign(limits, { headers }));

  const asked = async (signal?: AbortSignal) => {
    const own = await offlineEmulator({
      faults: [{ match: {}, when: "before", what: { hang: true }, times: 0 }],
    });
    const url = new URL("https://rest.runpod.io/v2/pods");
    const sent = { method: "GET", url, headers: { authorization: "Bearer mocks" }, signal } as const;
    const request = { call: "GET /pods", effect: "read", ...sent } as const;
    return through(own)(request).finally(() => own.close());
  };

  test("fails after the time that the provider gives it", async () => {
    Object.assign(limits, { headers: 50 });
    await expect(asked()).rejects.toThrow(/got no answer from https:\S+: UND_ERR_HEADERS_TIMEOUT/);
  });

  test("ends where who asks gives up", async () => {
    const over = new AbortController();
    const answer = asked(over.signal);
    over.abort(new Error("nobody waits any more"));
    await expect(answer).rejects.toThrow(/got no answer from https:\S+: nobody waits any more/);
  });
});

test("what a preview would refuse fails the test, in words of its own", async () => {
  const run = (program: string) =>
    promisify(execFile)(process.execPath, ["-e", program], { cwd: resolve("examples/quickstart") });
  const failing = run(`
    const pulumi = require("@pulumi/pulumi");
    const { Pod } = require("podlumi");
    const { mocks } = require("podlumi/testing");
    mocks().then(async (account) => {
      await pulumi.runtime.setMocks(account);
      new Pod("wrong", { image: "org/app:1", gpu: { id: "NVIDIA L4" }, cpu: { id: "cpu3c", vcpuCount: 2 } });
    });
  `);
  await expect(failing).rejects.toThrow(/wrong is refused: .*give gpu or cpu, not both \[PODLUMI-INVALID\]/);
});

test("a test can look at what is refused: before a request, and by the account", async () => {
  const refused = jest.fn();
  const strict = await mocks({ refused });
  const type = "podlumi:index:Pod";
  const pod = (name: string, inputs: object) =>
    strict.newResource({ type, name, inputs: { image: "org/app:1", ...inputs } });
  await pod("both", { gpu: { id: "NVIDIA L4" }, cpu: { id: "cpu3c", vcpuCount: 2 } });
  await pod("unknown", { gpu: { id: "NVIDIA L5" } });
  expect(await pod("fits", { gpu: { id: "NVIDIA L4" } })).toMatchObject({ state: { status: "RUNNING" } });
  const message = (text: string) => expect.stringContaining(text);
  expect(refused.mock.calls).toEqual([
    [{ name: "both", type, message: message("give gpu or cpu, not both [PODLUMI-INVALID]") }],
    [{ name: "unknown", type, message: message("POST /pods answered 400") }],
  ]);
  expect(strict.snapshot().pods).toHaveLength(1);
  await strict.close();
});

describe("a configuration that a preview would refuse fails the test", () => {
  afterEach(() => pulumi.runtime.setAllConfig({}));

  const pod = { image: "org/app:1", gpu: { id: "NVIDIA L4", count: 1 } };
  const made = (type: string, inputs: object) => account.newResource({ type, name: "one", inputs });

  test.each([
    ["pulumi-nodejs", { "podlumi:apiKey": "" }, /^podlumi:apiKey \(apiKey of a Provider\) is empty/],
    [
      "pulumi-nodejs",
      { "podlumi:apiUrl": "ftp://x" },
      /^podlumi:apiUrl \(apiUrl of a Provider\) must begin with https/,
    ],
    ["pulumi-nodejs", { "podlumi:bogus": "" }, /^unknown configuration key podlumi:bogus/],
    [
      "podlumi",
      { apiUrl: "http://evil.example" },
      /^podlumi:apiUrl \(apiUrl of a Provider\) must begin with https/,
    ],
    ["podlumi", { apiUlr: "https://x" }, /^unknown argument apiUlr; did you mean "apiUrl"/],
  ])("of a provider: %s, %j", async (provider, inputs, reason) => {
    await expect(made(`pulumi:providers:${provider}`, inputs)).rejects.toThrow(reason);
  });

  test("of the stack, for resources and functions without a provider", async () => {
    pulumi.runtime.setAllConfig({ "podlumi:apiUrl": "http://evil.example" });
    await expect(made("podlumi:index:Pod", pod)).rejects.toMatchObject({
      details: expect.stringMatching(
        /^podlumi:apiUrl \(apiUrl of a Provider\) must begin with https.*\[PODLUMI-CONFIGURATION\]$/,
      ),
    });
    await expect(podlumi.getGpuTypes()).rejects.toThrow(
      /podlumi:apiUrl \(apiUrl of a Provider\) must begin with https/,
    );
  });

  test("of the stack, for a provider that lacks what a misspelt key was to set", async () => {
    pulumi.runtime.setAllConfig({ "podlumi:apiKye": "rpa_1" });
    await expect(made("pulumi:providers:podlumi", {})).rejects.toThrow(
      /^unknown configuration key podlumi:apiKye; did you mean "podlumi:apiKey"/,
    );
  });

  test("and what a preview takes does not, nor does another package's", async () => {
    const given = { "podlumi:apiKey": "rpa_1", "podlumi:queueUrl": "https://queue.example" };
    expect(await made("pulumi:providers:pulumi-nodejs", given)).toMatchObject({ state: given });
    expect(await made("pulumi:providers:aws", { apiUrl: "ftp://x" })).toMatchObject({ id: "one_id" });
    pulumi.runtime.setAllConfig({ ...given, "shop:size": "5" });
    expect((await made("podlumi:index:Pod", pod)).id).toEqual(expect.any(String));
  });
});

test("a fault, and what is not podlumi's", async () => {
  account.addFault({ match: { method: "POST", path: "/pods" }, when: "before", what: { capacity: true } });
  const other = await account.newResource({
    type: "aws:s3/bucket:Bucket",
    name: "logs",
    inputs: { acl: "private" },
  });
  expect(other).toEqual({ id: "logs_id", state: { acl: "private" } });
  expect(await account.call({ token: "aws:index:getRegion", inputs: { name: "eu" } })).toEqual({
    name: "eu",
  });
  const more = await mocks({
    others: { call: () => ({ region: "eu" }), newResource: () => ({ id: "b", state: {} }) },
  });
  expect(await more.call({ token: "aws:index:getRegion", inputs: {} })).toEqual({ region: "eu" });
  await more.close();
  await expect(
    account.newResource({
      type: "podlumi:index:Pod",
      name: "pod",
      inputs: { image: "org/app:1", gpu: { id: "NVIDIA L4", count: 1 } },
    }),
  ).rejects.toThrow(/could not create pod.*no longer any instances/s);
});

test.each([{ reset: true } as const, { truncated: true } as const])(
  "a read whose connection is cut is sent again: %j",
  async (what) => {
    const other = await mocks({
      seed: { networkVolumes: [{ name: "data", size: 50, dataCenter: "EU-RO-1" }] },
    });
    other.addFault({ match: { method: "GET", path: "/network-volumes" }, when: "after", what });
    const data = { token: "podlumi:index:getNetworkVolume", inputs: { name: "data" } };
    expect(await other.call(data)).toMatchObject({ size: 50 });
    await other.close();
  },
);

const runners: [string, string[]][] = [
  ["node", ["--import", "tsx", "--test", "test/node.test.ts"]],
  [
    "jest",
    [
      resolve("node_modules/jest/bin/jest.js"),
      "--config",
      JSON.stringify({
        testMatch: ["<rootDir>/test/jest.test.ts"],
        transform: {
          "^.+\\.ts$": [
            "@swc/jest",
            { swcrc: false, jsc: { parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
          ],
        },
      }),
    ],
  ],
];
test.each(runsAll ? runners : runners.slice(0, 1))(
  "the tests of the example pass in %s, and it ends by itself",
  async (_runner, args) => {
    const { NODE_OPTIONS: _, JEST_WORKER_ID: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;
    const cwd = resolve("examples/component");
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env });
    expect(stdout + stderr).toMatch(/[#ℹ] pass 2|Tests: +2 passed/);
    expect(stdout + stderr).not.toContain("did not exit");
  },
);
