import { z } from "zod";
import {
  type Batch,
  BatchIncompleteError,
  type FinishedJob,
  InvalidOutputError,
  InvalidRequestError,
  type ServiceError,
  UnknownOutcomeError,
} from "../../sdk/jobs";
import { failure, INPUT, start, worker } from "./endpoint";

const MB = 1024 * 1024;
const inputs = (...all: number[]) => all.map((n) => ({ input: { n } }));

async function ended<Output>(batch: Batch<never, Output>): Promise<FinishedJob<Output>[]> {
  while (!(await batch.status()).isDone);
  const jobs: FinishedJob<Output>[] = [];
  for await (const job of batch.results()) jobs.push(job);
  return jobs;
}

test("a batch takes requests, runs when it is finalized, and gives the results of all its pages", async () => {
  const { endpoint, sent } = await start(({ n }) => {
    if (n === 3) throw new Error("out of memory");
    return { n };
  });
  const batch = await endpoint.batches.create(inputs(0, 1));
  await batch.add(Array.from({ length: 118 }, (_, index) => ({ input: { n: index + 2 } })));
  expect(await batch.status()).toEqual({
    id: batch.id,
    status: "DRAFT",
    counts: { total: 120, inProgress: 0, completed: 0, failed: 0 },
    isDone: false,
    createdAt: expect.any(Date),
  });
  await batch.finalize();
  const jobs = await ended(endpoint.batches.open(batch.id));
  expect(jobs.filter((job) => job.status === "FAILED")).toMatchObject([{ error: "out of memory" }]);
  const numbers = jobs.flatMap((job) => (job.status === "COMPLETED" ? [Object(job.output).n] : []));
  expect(numbers.sort((a, b) => a - b)).toEqual([...Array(120).keys()].filter((n) => n !== 3));
  expect((await batch.status()).counts).toEqual({ total: 120, inProgress: 0, completed: 119, failed: 1 });
  expect(sent(`batch/${batch.id}/requests?offset=`)).toHaveLength(3);
});

test("a batch is done when all its jobs have ended, or when it is cancelled or FAILED", async () => {
  const { handler, end } = worker();
  const { endpoint, emulator } = await start(handler);
  const batch = await endpoint.batches.create(inputs(1, 2, 3, 4));
  await batch.finalize();
  await batch.cancel();
  expect(await batch.status()).toMatchObject({ status: "FINALIZED", isDone: false });
  end("done");
  expect(await ended(batch)).toHaveLength(4);
  expect(await batch.status()).toMatchObject({ status: "CANCELLED", isDone: true, counts: { completed: 3 } });
  const counts = { requestTotal: 2, requestInProgress: 0, requestCompleted: 1, requestFailed: 0 };
  const body = { id: batch.id, status: "FAILED", ...counts };
  const match = { path: `/v2/${endpoint.id}/batch/${batch.id}` };
  emulator.faults.add({ match, when: "before", what: { answer: { status: 200, body } } });
  expect(await batch.status()).toMatchObject({ status: "FAILED", isDone: true });
});

test("a status without its counts is unreadable, and not taken for done", async () => {
  const { endpoint, emulator } = await start();
  const batch = await endpoint.batches.create(inputs(1));
  const body = { id: batch.id, status: "FINALIZED" };
  const match = { path: `/v2/${endpoint.id}/batch/${batch.id}` };
  emulator.faults.add({ match, when: "before", what: { answer: { status: 200, body } } });
  expect((await failure<ServiceError>(batch.status())).message).toMatch(/cannot be read/);
});

test("requests that are larger than 10 MB together are sent in parts of at most 10 MB", async () => {
  const { endpoint, sent } = await start();
  const large = (n: number) => ({ input: { n, data: "x".repeat(4 * MB) } });
  const batch = await endpoint.batches.create([0, 1, 2, 3, 4].map(large));
  expect((await batch.status()).counts.total).toBe(5);
  expect(sent("batch").filter(({ method }) => method === "POST")).toHaveLength(3);
  const room = 10 * MB - '{"requests":[{"input":{"data":""}}]}'.length;
  await batch.add([{ input: { data: "x".repeat(room) } }]);
  const before = sent("batch").length;
  const error = await failure<InvalidRequestError>(
    batch.add([INPUT, { input: { data: "x".repeat(room + 1) } }]),
  );
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.faults).toEqual([expect.stringMatching(/^requests\[1\]\.input: \d+ bytes are too many/)]);
  expect(sent("batch")).toHaveLength(before);
});

test("every request is checked before anything is sent, and typed by the schema", async () => {
  const { endpoint, emulator } = await start(undefined, {}, { input: z.object({ n: z.number() }) });
  // @ts-expect-error The schema says what n is.
  const creation = endpoint.batches.create([{ input: { n: 1 } }, { input: { n: "2" } }]);
  const error = await failure<InvalidRequestError>(creation);
  expect(error.faults).toEqual([expect.stringMatching(/^requests\[1\]\.input\.n: /)]);
  const many = Array.from({ length: 5_000 }, () => ({ input: {} as { n: number } }));
  expect((await failure(endpoint.batches.create(many))).message).toMatch(/requests\[9\].*; and more$/);
  expect(emulator.requests).toEqual([]);
});

test("an output that does not fit the schema ends the results with its job", async () => {
  const { endpoint } = await start(() => "text", {}, { output: z.object({ n: z.number() }) });
  const batch = await endpoint.batches.create(inputs(1));
  await batch.finalize();
  expect(await failure(ended(batch))).toBeInstanceOf(InvalidOutputError);
});

test("who adds in parts learns how many requests the batch has when a part fails", async () => {
  const { endpoint, emulator } = await start();
  const large = [0, 1, 2, 3].map((n) => ({ input: { n, data: "x".repeat(4 * MB) } }));
  emulator.faults.add({
    match: { path: `/v2/${endpoint.id}/batch/*/requests` },
    when: "before",
    what: { status: 401 },
  });
  const error = await failure<BatchIncompleteError>(endpoint.batches.create(large));
  expect(error).toBeInstanceOf(BatchIncompleteError);
  expect(error).toMatchObject({ added: 2, cause: { status: 401 } });
  expect(error.message).toMatch(
    /^batch batch_\w+ of endpoint \w+ got the first 2 of these requests only: POST .* answered 401/,
  );
  const batch = endpoint.batches.open(error.id);
  await batch.add(large.slice(error.added));
  expect((await batch.status()).counts.total).toBe(4);
});

test("nothing that could take effect twice is sent twice", async () => {
  const { endpoint, emulator, sent } = await start();
  const batch = await endpoint.batches.create(inputs(1));
  const match = { method: "POST" };
  emulator.faults.add({ match, when: "after", what: { reset: true }, times: 3 });
  expect(await failure(endpoint.batches.create(inputs(1)))).toBeInstanceOf(UnknownOutcomeError);
  expect(await failure(batch.add(inputs(2)))).toMatchObject({
    added: 0,
    cause: { name: "UnknownOutcomeError" },
  });
  expect(await failure(batch.finalize())).toBeInstanceOf(UnknownOutcomeError);
  expect(sent("batch").filter(({ method }) => method === "POST")).toHaveLength(4);
  expect(await batch.status()).toMatchObject({ status: "FINALIZED", counts: { total: 2 } });
});

test("an answer without a body is success where the service documents none, and a missing batch is told", async () => {
  const { endpoint, emulator } = await start();
  const batch = await endpoint.batches.create(inputs(1));
  emulator.faults.add({
    match: { path: `/v2/${endpoint.id}/batch/*/finalize` },
    when: "before",
    what: { answer: { status: 200, text: "" } },
  });
  await batch.finalize();
  const missing = failure<ServiceError>(endpoint.batches.open("batch_none").status());
  expect(await missing).toMatchObject({
    status: 404,
    message: expect.stringMatching(/the batch is of this endpoint/),
  });
  await expect(endpoint.batches.open(undefined as never).status()).rejects.toThrow(/needs an id/);
});
