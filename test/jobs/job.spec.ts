import { limits } from "../../provider/client/transport";
import { type Fault, ManualClock } from "../../sdk/emulator/service";
import { isFinished, type Job, JobFailedError, JobNotFinishedError, ServiceError } from "../../sdk/jobs";
import { failure, INPUT, KEY, start, worker } from "./endpoint";

const MINUTE = 60_000;

/** Describes a job. That it compiles shows that each status has its own fields. */
function told(job: Job<string>): string {
  switch (job.status) {
    case "COMPLETED":
      return job.output.toUpperCase();
    case "FAILED":
      return job.error.toUpperCase();
    case "IN_PROGRESS":
      return `${job.delayTime}`;
    default:
      return job.status;
  }
}

test("a job is awaited by its id, and its output is what the worker returned", async () => {
  const { endpoint, sent } = await start(({ prompt }) => ({ text: prompt }), { timings: { jobTime: 300 } });
  const job = await endpoint.runAndWait(INPUT);
  expect(job).toMatchObject({ status: "COMPLETED", output: { text: "hi" } });
  // A timer of Node.js may end a millisecond early.
  expect(job.executionTime).toBeGreaterThanOrEqual(299);
  expect(sent("run")).toHaveLength(1);
});

test("every state of a job has its type", async () => {
  const { handler, end } = worker();
  const { endpoint, emulator } = await start(handler, { timings: { starting: 100 } });
  const { id, status } = await endpoint.run(INPUT);
  expect(status).toBe("IN_QUEUE");
  const states = new Set<string>();
  const job = async () => (await endpoint.status(id)) as Job<string>;
  while (!states.has("IN_PROGRESS")) states.add((await job()).status);
  expect(isFinished(await job())).toBe(false);
  expect(told(await job())).toMatch(/^\d+$/);
  end("done");
  await endpoint.wait(id);
  expect(told(await job())).toBe("DONE");

  emulator.setHandler(endpoint.id, () => Promise.reject(new Error("out of memory")));
  const failed = (await endpoint.runSync(INPUT)) as Job<string>;
  expect(isFinished(failed)).toBe(true);
  expect(told(failed)).toBe("OUT OF MEMORY");
});

test("a job that failed carries what its worker said, and can be run again under its id", async () => {
  let attempts = 0;
  const { endpoint } = await start(() => {
    attempts += 1;
    if (attempts === 1) throw new Error(`out of memory, key ${KEY}`);
    return "done";
  });
  const error = await failure<JobFailedError>(endpoint.runAndWait(INPUT));
  expect(error).toBeInstanceOf(JobFailedError);
  expect(error).toMatchObject({
    state: "FAILED",
    error: "out of memory, key [secret]",
    executionTime: expect.any(Number),
    delayTime: expect.any(Number),
  });
  expect(error.message).toMatch(
    new RegExp(`^job ${error.id} of endpoint ${endpoint.id} is FAILED: out of memory, .* retry\\(\\)`),
  );
  expect(await endpoint.retry(error.id)).toMatchObject({ id: error.id, status: "IN_QUEUE" });
  expect(await endpoint.wait(error.id)).toMatchObject({ output: "done", retries: 1 });
  await expect(endpoint.retry(error.id)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("answered 400 Bad Request: only FAILED and TIMED_OUT"),
  });
});

test("an exception of a worker in Python is told in short, and the error has all of it", async () => {
  const exception = (error_message: string) =>
    JSON.stringify({
      error_type: "<class 'ValueError'>",
      error_message,
      error_traceback: "Traceback:\n f.py",
    });
  const { endpoint } = await start(({ prompt }) => Promise.reject(new Error(exception(String(prompt)))));
  const error = await failure<JobFailedError>(endpoint.runAndWait({ input: { prompt: "no such model" } }));
  expect(error.message).toMatch(/ is FAILED: ValueError: no such model\. retry\(\)/);
  expect(error.error).toBe(exception("no such model"));
  const silent = await failure<JobFailedError>(endpoint.runAndWait({ input: { prompt: "" } }));
  expect(silent.message).toMatch(/ is FAILED: ValueError\. /);
});

test("what a failed worker returned beside its error is there", async () => {
  const { endpoint, emulator } = await start();
  const body = { id: "j", status: "FAILED", error: "half of it", output: { pages: 3 } };
  const match = { path: `/v2/${endpoint.id}/status/*` };
  emulator.faults.add({ match, when: "before", what: { answer: { status: 200, body } } });
  expect(await endpoint.status("j")).toEqual(body);
});

test("what a job leaves out or has as null is undefined", async () => {
  const { endpoint, emulator } = await start();
  const unknown = { delayTime: null, workerId: null, retries: null, error: null };
  const body = { id: "j", status: "TIMED_OUT", ...unknown };
  const match = { path: `/v2/${endpoint.id}/status/*` };
  emulator.faults.add({ match, when: "before", what: { answer: { status: 200, body } }, times: 2 });
  expect(await endpoint.status("j")).toEqual({ id: "j", status: "TIMED_OUT" });
  await expect(endpoint.wait("j")).rejects.toThrow(/ is TIMED_OUT\. Give it more time/);
});

test("a job that takes too long ends as TIMED_OUT", async () => {
  const clock = new ManualClock();
  const { endpoint } = await start(worker().handler, { clock });
  const { id } = await endpoint.run({ ...INPUT, policy: { executionTimeout: 5_000 } });
  while ((await endpoint.status(id)).status === "IN_QUEUE");
  clock.advance(5_000);
  const error = await failure<JobFailedError>(endpoint.wait(id));
  expect(error).toMatchObject({ name: "JobFailedError", id, state: "TIMED_OUT", executionTime: 5_000 });
});

test.each(["running", "waiting"])(
  "a job that is %s is cancelled, and whoever waits for it is told",
  async (state) => {
    const { endpoint } = await start(
      worker().handler,
      state === "waiting" ? { timings: { starting: 60_000 } } : {},
    );
    const { id } = await endpoint.run(INPUT);
    const waiting = failure<JobFailedError>(endpoint.wait(id));
    expect(await endpoint.cancel(id)).toEqual({ id, status: "CANCELLED" });
    expect(await waiting).toMatchObject({ name: "JobFailedError", id, state: "CANCELLED", error: undefined });
  },
);

test("runSync returns a job that is still running when the wait is over, and wait continues", async () => {
  const { handler, end } = worker();
  const { endpoint, sent } = await start(handler);
  const job = await endpoint.runSync(INPUT, { wait: 1_000 });
  expect(job).toMatchObject({ id: expect.stringMatching(/^sync-/), status: "IN_PROGRESS" });
  expect(sent("runsync")[0]?.path).toMatch(/\?wait=1000$/);
  end("done");
  expect(await endpoint.wait(job.id)).toMatchObject({ status: "COMPLETED", output: "done" });
});

test("the time that runSync waits is no time-out of its request", async () => {
  jest.replaceProperty(limits, "headers", 2_000);
  const { endpoint } = await start(worker().handler);
  const began = Date.now();
  expect(await endpoint.runSync(INPUT, { wait: 3_000 })).toMatchObject({ status: "IN_PROGRESS" });
  expect(Date.now() - began).toBeGreaterThan(2_900);
});

test("results are gone after 1 minute of runSync and 30 minutes of run, and the error says so", async () => {
  const clock = new ManualClock();
  const { endpoint } = await start(undefined, { clock });
  const sync = await endpoint.runSync(INPUT);
  const { id } = await endpoint.runAndWait(INPUT);
  clock.advance(MINUTE);
  const error = await failure<ServiceError>(endpoint.status(sync.id));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 404, message: expect.stringMatching(/kept 30 minutes .* 1 minute/) });
  clock.advance(28 * MINUTE);
  expect(await endpoint.wait(id)).toMatchObject({ status: "COMPLETED" });
  clock.advance(MINUTE);
  await expect(endpoint.wait(id)).rejects.toMatchObject({ status: 404 });
  await expect(endpoint.retry(id)).rejects.toMatchObject({ status: 404 });
});

test("ttl ends a job, whether it comes with the job or with a look at it", async () => {
  const clock = new ManualClock();
  const { endpoint } = await start(worker().handler, { clock });
  const first = await endpoint.run({ ...INPUT, policy: { ttl: 10_000 } });
  const second = await endpoint.run(INPUT);
  await endpoint.status(second.id, { ttl: 5_000 });
  clock.advance(5_000);
  await expect(endpoint.status(second.id)).rejects.toMatchObject({ status: 404 });
  expect(await endpoint.status(first.id)).toMatchObject({ id: first.id });
  clock.advance(5_000);
  await expect(endpoint.status(first.id)).rejects.toMatchObject({ status: 404 });
});

test("who gives up waiting learns the id of the job, which continues", async () => {
  const { handler, end } = worker();
  const { endpoint, emulator } = await start(handler);
  const giveUp = new AbortController();
  let looks = 0;
  emulator.on("before", { path: `/v2/${endpoint.id}/status/*` }, () => {
    if (++looks === 2) giveUp.abort(new Error("enough"));
  });
  const { signal } = giveUp;
  const error = await failure<JobNotFinishedError>(endpoint.runAndWait(INPUT, { signal }));
  expect(error).toBeInstanceOf(JobNotFinishedError);
  expect(error).toMatchObject({ state: "IN_PROGRESS", cause: signal.reason });
  end("done");
  expect(await endpoint.wait(error.id)).toMatchObject({ output: "done" });
});

test.each<[string, Fault["what"]]>([
  ["an answer", { hang: true }],
  ["the next try", { rateLimited: { retryAfter: 30 } }],
])("who gives up waiting for %s is told the reason of the signal, at once", async (_what, what) => {
  const { endpoint, emulator } = await start();
  emulator.faults.add({ match: {}, when: "before", what });
  const giveUp = new AbortController();
  const reason = new Error("enough");
  setTimeout(() => giveUp.abort(reason), 200);
  const began = Date.now();
  await expect(endpoint.runSync(INPUT, { signal: giveUp.signal })).rejects.toBe(reason);
  expect(Date.now() - began).toBeLessThan(5_000);
});

test.each<[string, Fault["what"], object]>([
  ["refuses the key", { status: 401 }, { status: 401 }],
  ["answers what cannot be read", { answer: { status: 200, text: "{}" } }, { status: 200 }],
])(
  "who waits learns the id of the job, which continues, where the service %s",
  async (_what, what, cause) => {
    const { handler, end } = worker();
    const { endpoint, emulator, sent } = await start(handler);
    emulator.faults.add({ match: { path: `/v2/${endpoint.id}/status/*` }, when: "before", what });
    const error = await failure<JobNotFinishedError>(endpoint.runAndWait(INPUT));
    expect(error).toBeInstanceOf(JobNotFinishedError);
    expect(error).toMatchObject({ state: undefined, cause });
    expect(error.message).toMatch(
      /^gave up waiting for job .*, which was not seen yet: GET \S+ answered .*\. It continues: wait\(\)/,
    );
    end("done");
    expect(await endpoint.wait(error.id)).toMatchObject({ output: "done" });
    expect(sent("run")).toHaveLength(1);
  },
);

test("purgeQueue removes what waits and leaves alone what runs; health counts both", async () => {
  const { endpoint } = await start(worker().handler);
  const jobs = [];
  for (let i = 0; i < 5; i++) jobs.push(await endpoint.run(INPUT));
  const before = await endpoint.health();
  expect(before).toMatchObject({
    jobs: { inProgress: 3, inQueue: 2, completed: 0 },
    workers: { running: 3 },
  });
  expect(await endpoint.purgeQueue()).toBe(2);
  expect(await endpoint.health()).toMatchObject({ jobs: { inProgress: 3, inQueue: 0 } });
  await expect(endpoint.wait(jobs[4]?.id ?? "")).rejects.toMatchObject({ status: 404 });
});
