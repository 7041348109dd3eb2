import { execFile, execFileSync } from "node:child_process";
import { inspect, promisify } from "node:util";
import { systemClock } from "../../provider/client/clock";
import type { Fault } from "../../sdk/emulator/service/faults/fault";
import {
  ConfigurationError,
  Endpoint,
  NoAnswerError,
  type ServiceError,
  UnknownOutcomeError,
} from "../../sdk/jobs";
import { BALANCED } from "../emulator/client";
import { failure, INPUT, KEY, start } from "./endpoint";

/** Makes pauses end at once, and moves the clock forward by their length. Returns the pauses. */
function hurry(): number[] {
  const slept: number[] = [];
  const began = Date.now();
  jest.spyOn(systemClock, "random").mockReturnValue(0.5);
  jest.spyOn(systemClock, "now").mockImplementation(() => began + slept.reduce((sum, one) => sum + one, 0));
  jest.spyOn(systemClock, "sleep").mockImplementation(async (milliseconds) => slept.push(milliseconds));
  return slept;
}

async function startWith(fault: Omit<Fault, "match">, operation: string) {
  const started = await start(() => "done");
  started.emulator.faults.add({ ...fault, match: { path: `/v2/${started.endpoint.id}/${operation}` } });
  return started;
}

describe("a request that may have been done", () => {
  const ends: [string, Fault["what"]][] = [
    ["a cut connection", { reset: true }],
    ["an answer that is cut", { truncated: true }],
    ["an answer that is no JSON", { malformed: true }],
    ["502", { status: 502 }],
  ];

  test.each(ends)(
    "is told as such and not repeated when it is a run that ends in %s",
    async (_title, what) => {
      const { endpoint, sent, emulator } = await startWith({ when: "after", what }, "run");
      const error = await failure<UnknownOutcomeError>(endpoint.run(INPUT));
      expect(error).toBeInstanceOf(UnknownOutcomeError);
      expect(error.message).toMatch(
        /^POST \/v2\/\w+\/run .* It was not retried, since it may have taken effect\.$/,
      );
      expect(sent("run")).toHaveLength(1);
      expect(emulator.service.jobs.health(endpoint.id).jobs.completed).toBe(1);
    },
  );

  test("is told as such for every call that is not repeatable", async () => {
    const { endpoint, emulator } = await start(() => Promise.reject(new Error("no")));
    const { id } = await endpoint.runSync(INPUT);
    emulator.faults.add({ match: { method: "POST" }, when: "after", what: { reset: true }, times: 0 });
    for (const call of [() => endpoint.retry(id), () => endpoint.purgeQueue(), () => endpoint.runSync(INPUT)])
      expect(await failure(call())).toBeInstanceOf(UnknownOutcomeError);
    expect(emulator.faults.injected).toHaveLength(3);
  });

  test.each(ends.filter(([, what]) => !("malformed" in what)))(
    "is repeated when it only looks or cancels, after %s",
    async (_title, what) => {
      hurry();
      const { endpoint, emulator } = await start(() => "done");
      const { id } = await endpoint.runSync(INPUT);
      const match = { path: `/v2/${endpoint.id}/*/${id}` };
      emulator.faults.add({ match, when: "after", what, times: 3 });
      expect(await endpoint.wait(id)).toMatchObject({ output: "done" });
      emulator.faults.add({ match, when: "after", what, times: 3 });
      expect(await endpoint.cancel(id)).toMatchObject({ id });
      expect(emulator.faults.injected).toHaveLength(6);
    },
  );
});

test("a run is sent again after 429, as late as the service says", async () => {
  const slept = hurry();
  const rateLimited = { retryAfter: 7 };
  const { endpoint, sent } = await startWith({ when: "before", what: { rateLimited }, times: 2 }, "run");
  expect(await endpoint.run(INPUT)).toMatchObject({ status: "IN_QUEUE" });
  expect(slept).toEqual([7_125, 7_250]);
  expect(sent("run")).toHaveLength(3);
});

test("a run that reached nobody is sent again for 15 s, and the error names the setting", async () => {
  const slept = hurry();
  const endpoint = new Endpoint("e1", { apiKey: KEY, queueUrl: "http://127.0.0.1:9" });
  const error = await failure<NoAnswerError>(endpoint.run(INPUT));
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(error).toMatchObject({
    mayHaveActed: false,
    message: expect.stringMatching(
      /from http:\/\/127\.0\.0\.1:9: ECONNREFUSED.* RUNPOD_API_URL and its like/,
    ),
  });
  expect(slept.length).toBeGreaterThan(3);
});

describe("an endpoint", () => {
  test("that was just created is asked until its queue is there, and the job is created once", async () => {
    const { endpoint, sent, emulator } = await start(() => "done", { timings: { queueReady: 1_200 } });
    expect(await endpoint.runAndWait(INPUT)).toMatchObject({ output: "done" });
    expect(sent("run").map(({ status }) => status)).toEqual([
      ...sent("run")
        .slice(1)
        .map(() => 404),
      200,
    ]);
    expect(sent("run").length).toBeGreaterThan(1);
    expect(emulator.service.jobs.health(endpoint.id).jobs.completed).toBe(1);
  });

  test("that does not exist, or has no queue, is an error after 15 s that says what to check", async () => {
    const { emulator, account } = await start();
    const balanced = emulator.service.endpoints.create(BALANCED);
    for (const id of ["nothing", balanced.id, "../other"]) {
      const slept = hurry();
      const error = await failure<ServiceError>(new Endpoint(id, account).run(INPUT));
      expect(error).toMatchObject({
        status: 404,
        message: expect.stringMatching(/id, and that its type is QUEUE/),
      });
      const total = slept.reduce((sum, one) => sum + one, 0);
      expect(total).toBeGreaterThan(5_000);
      expect(total).toBeLessThanOrEqual(15_000);
    }
    expect(emulator.requests.at(-1)?.path).toBe("/queue/v2/..%2Fother/run");
  });

  test("that has answered once and is deleted is an error at once", async () => {
    const slept = hurry();
    const { endpoint, emulator } = await start();
    await endpoint.health();
    emulator.service.endpoints.delete(endpoint.id);
    expect(await failure(endpoint.run(INPUT))).toMatchObject({ status: 404 });
    expect(slept).toEqual([]);
  });
});

describe("the key", () => {
  test("is in no print of an endpoint and in no error", async () => {
    const { endpoint, account } = await start();
    expect(await endpoint.health()).toMatchObject({ jobs: {} });
    expect(inspect(endpoint, { depth: 9, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(endpoint)).toBe(JSON.stringify({ id: endpoint.id }));
    const error = await failure(new Endpoint(endpoint.id, { ...account, apiKey: "another-key" }).health());
    expect(error).toMatchObject({ status: 401, message: expect.stringContaining("RUNPOD_API_KEY") });
    expect(inspect(error)).not.toContain("another-key");
  });

  test("that the service repeats is kept out of the error", async () => {
    const { endpoint } = await startWith(
      { when: "before", what: { status: 400, detail: `bad ${KEY}` } },
      "run",
    );
    await expect(endpoint.run(INPUT)).rejects.toThrow("answered 400 Bad Request: bad [secret].");
  });

  test("of a bucket and of a webhook is kept out of errors too, where the service or the worker repeats the request", async () => {
    const accessSecret = 'wJalr/"XUtn"+FEMI';
    const s3Config = { accessId: "AKIA", accessSecret, bucketName: "b", endpointUrl: "https://s3.example" };
    const request = { ...INPUT, s3Config, webhook: "https://hooks.example/done?token=T0KEN" };
    const detail = `no: ${JSON.stringify(request)}`;
    const { endpoint, emulator } = await startWith({ when: "before", what: { status: 400, detail } }, "run");
    emulator.setHandler(endpoint.id, () => {
      throw new Error(`cannot log in with ${accessSecret}`);
    });
    const refused = await failure<ServiceError>(endpoint.run(request));
    expect(refused.message).toContain('"accessId":"AKIA","accessSecret":"[secret]"');
    expect(refused.message).toContain('"webhook":"[secret]"');
    expect(inspect(refused)).not.toMatch(/XUtn|T0KEN/);
    expect(await endpoint.runSync(request)).toMatchObject({ error: "cannot log in with [secret]" });
    await expect(endpoint.runAndWait(request)).rejects.toThrow("cannot log in with [secret]");
  });

  test("and the address come from the environment where the program gives none", async () => {
    const { endpoint, emulator } = await start();
    const before = { ...process.env };
    Object.assign(process.env, emulator.env);
    expect(await new Endpoint(endpoint.id).health()).toHaveProperty("jobs");
    process.env = before;
    expect(() => new Endpoint("e1")).toThrow(ConfigurationError);
    expect(() => new Endpoint("e1")).toThrow(
      /pass it as `apiKey`, or in the environment variable RUNPOD_API_KEY/,
    );
    expect(() => new Endpoint("e1", { apiKey: KEY, queueUrl: "http://example.com" })).toThrow(
      /^queueUrl must begin with https/,
    );
  });
});

/** Runs Node.js with these arguments. Returns what it prints. */
function loadedBy(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: "examples/quickstart", encoding: "utf8" });
}

test("podlumi/jobs loads neither Pulumi nor any validator, and podlumi does not load it", () => {
  const cache = "console.log(JSON.stringify(Object.keys(require.cache)))";
  const jobs = loadedBy("-e", `require("podlumi/jobs"); ${cache}`);
  expect(jobs).toContain("/dist/sdk/jobs/endpoint.js");
  expect(jobs).not.toMatch(
    /node_modules\/(@pulumi|zod|graphql|graphql-request)\/|dist\/provider\/(core|resources)/,
  );
  expect(loadedBy("-e", `require("podlumi"); ${cache}`)).not.toContain("/dist/sdk/jobs/");
});

test("any number of calls may share a signal: Node.js prints no warning", async () => {
  const { emulator, endpoint } = await start(() => "done");
  const script = `const { Endpoint } = require("podlumi/jobs");
    const endpoint = new Endpoint("${endpoint.id}", ${JSON.stringify({ apiKey: KEY, queueUrl: emulator.queueUrl })});
    const { signal } = new AbortController();
    const one = () => endpoint.runAndWait({ input: { a: 1 } }, { signal });
    Promise.all(Array.from({ length: 20 }, one)).then(({ length }) => console.log(length));`;
  const ended = await promisify(execFile)(process.execPath, ["-e", script], { cwd: "examples/quickstart" });
  expect(ended).toEqual({ stdout: "20\n", stderr: "" });
});

test("a program that is an ES module imports podlumi/jobs by its names, and ends by itself", async () => {
  const { emulator, endpoint } = await start(() => "done");
  const script = `import { Endpoint, JobFailedError } from "podlumi/jobs";
    new Endpoint("${endpoint.id}", ${JSON.stringify({ apiKey: KEY, queueUrl: emulator.queueUrl })})
      .runSync({ input: { a: 1 } }).then(({ output }) => console.log(output, typeof JobFailedError));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: "examples/quickstart",
  });
  expect(stdout.trim()).toBe("done function");
});
