import { INPUT, manual, settle, startQueue } from "./queue-client";

const MINUTE = 60_000;

describe("a job", () => {
  test("is accepted as IN_QUEUE and completed by the handler", async () => {
    const { call, emulator, id } = await startQueue();
    emulator.setHandler(id, ({ prompt }) => ({ text: prompt }));
    const accepted = await call("POST", "/run", INPUT);
    expect(accepted.body).toEqual({ id: accepted.body.id, status: "IN_QUEUE" });
    await settle();
    expect((await call("GET", `/status/${accepted.body.id}`)).body).toMatchObject({
      status: "COMPLETED",
      output: { text: "hi" },
      delayTime: 0,
      executionTime: 0,
    });
  });

  test("waits for a worker to start, and is timed", async () => {
    const { call, submit, clock } = await startQueue({ timings: { starting: 2_000, jobTime: 500 } });
    const job = await submit();
    expect((await call("GET", `/status/${job}`)).body).toEqual({ id: job, status: "IN_QUEUE" });
    clock.advance(2_000);
    await settle();
    expect((await call("GET", `/status/${job}`)).body).toMatchObject({
      status: "IN_PROGRESS",
      delayTime: 2_000,
    });
    clock.advance(500);
    await settle();
    expect((await call("GET", `/status/${job}`)).body).toMatchObject({
      status: "COMPLETED",
      executionTime: 500,
    });
  });

  test("echoes its input when no handler is set", async () => {
    const { call } = await startQueue();
    const { body } = await call("POST", "/runsync", INPUT);
    expect(body).toMatchObject({ status: "COMPLETED", output: { echo: { prompt: "hi" } } });
    expect(body.id).toMatch(/^sync-/);
  });

  test("fails with its handler, and can then be retried under the same id", async () => {
    const { call, submit, emulator } = await startQueue();
    let attempts = 0;
    emulator.setHandler("*", () => {
      attempts += 1;
      if (attempts === 1) throw new Error("out of memory");
      return "done";
    });
    const job = await submit();
    await settle();
    expect((await call("GET", `/status/${job}`)).body).toMatchObject({
      status: "FAILED",
      error: "out of memory",
    });
    expect((await call("POST", `/retry/${job}`)).body).toEqual({ id: job, status: "IN_QUEUE" });
    await settle();
    const { body } = await call("GET", `/status/${job}`);
    expect(body).toMatchObject({ status: "COMPLETED", output: "done", retries: 1 });
    expect(body).not.toHaveProperty("error");
    expect((await call("POST", `/retry/${job}`)).status).toBe(400);
  });

  test("times out by its policy, and is then free to be retried", async () => {
    const client = await startQueue();
    manual(client);
    const job = await client.submit({ ...INPUT, policy: { executionTimeout: 5_000 } });
    await settle();
    client.clock.advance(5_000);
    await settle();
    expect((await client.call("GET", `/status/${job}`)).body.status).toBe("TIMED_OUT");
    expect((await client.call("POST", `/retry/${job}`)).body.status).toBe("IN_QUEUE");
  });

  test("times out by the endpoint's own limit", async () => {
    const client = await startQueue({}, { timeout: 1_000 });
    manual(client);
    const job = await client.submit();
    await settle();
    client.clock.advance(1_000);
    await settle();
    expect((await client.call("GET", `/status/${job}`)).body.status).toBe("TIMED_OUT");
  });

  test.each(["running", "waiting"])("is cancelled while it is %s", async (state) => {
    const client = await startQueue({}, { workers: { max: state === "running" ? 1 : 0 } });
    const waiting = manual(client);
    const job = await client.submit();
    expect((await client.call("POST", `/cancel/${job}`)).body).toEqual({ id: job, status: "CANCELLED" });
    waiting[0]?.resolve("too late");
    await settle();
    expect((await client.call("GET", `/status/${job}`)).body.status).toBe("CANCELLED");
  });

  test("is kept for 30 minutes after /run and one after /runsync", async () => {
    const { call, submit, clock } = await startQueue();
    const job = await submit();
    const sync = (await call("POST", "/runsync", INPUT)).body.id;
    await settle();
    clock.advance(MINUTE - 1);
    expect((await call("GET", `/status/${sync}`)).status).toBe(200);
    clock.advance(1);
    expect((await call("GET", `/status/${sync}`)).status).toBe(404);
    clock.advance(29 * MINUTE - 1);
    expect((await call("GET", `/status/${job}`)).status).toBe(200);
    clock.advance(1);
    expect((await call("GET", `/status/${job}`)).status).toBe(404);
    expect((await call("POST", `/retry/${job}`)).status).toBe(404);
  });

  test("is gone when its time to live is over, even while it runs", async () => {
    const client = await startQueue();
    manual(client);
    const first = await client.submit({ ...INPUT, policy: { ttl: 10_000 } });
    const second = await client.submit();
    expect((await client.call("GET", `/status/${second}?ttl=5000`)).status).toBe(200);
    client.clock.advance(5_000);
    expect((await client.call("GET", `/status/${second}`)).status).toBe(404);
    expect((await client.call("GET", `/status/${first}`)).status).toBe(200);
    client.clock.advance(5_000);
    expect((await client.call("GET", `/status/${first}`)).status).toBe(404);
  });

  test("streams the chunks that came since the last look, as the specification has it", async () => {
    const { call, submit, emulator } = await startQueue({ features: { streamStatus: false } });
    emulator.setHandler("*", async function* () {
      yield "a";
      yield { output: "b", metrics: { tokens: 1 } };
    });
    const job = await submit();
    await settle();
    expect((await call("GET", `/stream/${job}`)).body).toEqual([
      { output: "a", metrics: {} },
      { output: "b", metrics: { tokens: 1 } },
    ]);
    expect((await call("GET", `/stream/${job}`)).body).toEqual([]);
    expect((await call("GET", `/status/${job}`)).body).toMatchObject({
      status: "COMPLETED",
      output: ["a", "b"],
    });
  });

  test("streams beside its state, as the live service does", async () => {
    const { call, submit, emulator } = await startQueue();
    emulator.setHandler("*", async function* () {
      yield "a";
    });
    const job = await submit();
    await settle();
    const { body } = await call("GET", `/stream/${job}`);
    expect(body).toEqual({ status: "COMPLETED", stream: [{ output: "a" }] });
    expect((await call("GET", `/stream/${job}`)).body).toEqual({ status: "COMPLETED", stream: [] });
  });
});
