import { INPUT, manual, settle, startQueue } from "./queue-client";

/** The answers of a batch's routes. */
interface Answer {
  id: string;
  status: string;
  error: string;
  requests: { id: string; status: string; output?: unknown; error?: string }[];
  hasMore: boolean;
  total: number;
}

async function startBatches() {
  const client = await startQueue();
  const call = (method: string, path: string, body?: unknown) => client.call<Answer>(method, path, body);
  const create = async (...requests: object[]) => (await call("POST", "/batch", requests)).body.id;
  return { ...client, call, create };
}

test("a batch runs once it is finalized, some of its requests at a time, and stays FINALIZED", async () => {
  const client = await startBatches();
  const waiting = manual(client);
  const id = await client.create(INPUT, INPUT);
  await client.call("POST", `/batch/${id}/requests`, { requests: [INPUT, INPUT] });
  await settle();
  expect(waiting).toHaveLength(0);
  const status = async () => (await client.call("GET", `/batch/${id}`)).body;
  expect(await status()).toMatchObject({ id, status: "DRAFT", requestTotal: 4, requestInProgress: 0 });
  await client.call("POST", `/batch/${id}/finalize`);
  await settle();
  expect(await status()).toMatchObject({ status: "FINALIZED", requestInProgress: 3, requestCompleted: 0 });
  waiting[0]?.resolve("done");
  waiting[1]?.reject(new Error("no"));
  await settle();
  for (const { resolve } of waiting) resolve("done");
  await settle();
  expect(await status()).toMatchObject({ status: "FINALIZED", requestCompleted: 3, requestFailed: 1 });
});

test("a batch does not take the workers of the endpoint", async () => {
  const client = await startBatches();
  manual(client);
  await client.call("POST", `/batch/${await client.create(INPUT)}/finalize`);
  await settle();
  expect((await client.call("GET", "/health")).body).toMatchObject({
    jobs: { inProgress: 0, inQueue: 0 },
    workers: { running: 0 },
  });
});

test("a batch that is no draft takes no requests, and is not finalized again", async () => {
  const { call, create } = await startBatches();
  const id = await create(INPUT);
  await call("POST", `/batch/${id}/finalize`);
  const refusal = { status: 400, body: { error: "the batch is FINALIZED, not DRAFT" } };
  expect(await call("POST", `/batch/${id}/requests`, { requests: [INPUT] })).toMatchObject(refusal);
  expect(await call("POST", `/batch/${id}/finalize`)).toMatchObject(refusal);
});

test("to cancel ends what waits at once, and the batch when what runs has ended", async () => {
  const client = await startBatches();
  const waiting = manual(client);
  const id = await client.create(INPUT, INPUT, INPUT, INPUT);
  expect((await client.call("POST", `/batch/${id}/cancel`)).status).toBe(400);
  await client.call("POST", `/batch/${id}/finalize`);
  await client.call("POST", `/batch/${id}/cancel`);
  const status = async () => (await client.call("GET", `/batch/${id}`)).body;
  expect(await status()).toMatchObject({ status: "FINALIZED", requestInProgress: 3 });
  for (const { resolve } of waiting) resolve("done");
  await settle();
  expect(await status()).toMatchObject({ status: "CANCELLED", requestCompleted: 3, requestTotal: 4 });
});

test("the requests of a batch are listed in pages, failures first", async () => {
  const client = await startBatches();
  client.emulator.setHandler(client.id, ({ n }) => (n === 2 ? Promise.reject(new Error("no")) : { n }));
  const id = await client.create(...[0, 1, 2].map((n) => ({ input: { n } })));
  await client.call("POST", `/batch/${id}/finalize`);
  await settle();
  const page = async (query: string) => (await client.call("GET", `/batch/${id}/requests${query}`)).body;
  expect(await page("?limit=2")).toMatchObject({
    requests: [
      { status: "FAILED", error: "no", startedAt: expect.any(String), completedAt: expect.any(String) },
      { status: "COMPLETED", output: { n: 0 } },
    ],
    total: 3,
    offset: 0,
    limit: 2,
    hasMore: true,
  });
  expect(await page("?limit=2&offset=2")).toMatchObject({
    requests: [{ output: { n: 1 } }],
    hasMore: false,
  });
  expect((await client.call("GET", `/batch/${id}/requests?limit=0`)).status).toBe(400);
});

test("there are at most ten active batches, and 5,000 requests in one", async () => {
  const { call, create } = await startBatches();
  const id = await create(INPUT);
  expect(await call("POST", `/batch/${id}/requests`, { requests: Array(5_000).fill(INPUT) })).toMatchObject({
    status: 400,
    body: { error: "a batch has at most 5000 requests" },
  });
  for (let n = 1; n < 10; n++) await create();
  expect(await call("POST", "/batch", [])).toMatchObject({
    status: 400,
    body: { error: "an endpoint has at most 10 active batches" },
  });
  await call("POST", `/batch/${id}/finalize`);
  await settle();
  expect((await call("POST", "/batch", [])).status).toBe(200);
});

test("a batch of another endpoint, of a deleted one, and a body without requests are refused", async () => {
  const { call, create, emulator, id: endpoint } = await startBatches();
  const id = await create(INPUT);
  expect((await call("GET", "/batch/batch_other")).status).toBe(404);
  expect((await call("POST", `/batch/${id}/requests`, [INPUT])).status).toBe(400);
  expect((await call("POST", "/batch", { requests: [] })).status).toBe(400);
  emulator.service.endpoints.delete(endpoint);
  expect((await call("GET", `/batch/${id}`)).status).toBe(404);
});
