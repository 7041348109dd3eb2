import { BALANCED, send } from "./client";
import { INPUT, manual, settle, startQueue } from "./queue-client";

describe("a queue", () => {
  test("gives no more jobs than there may be workers, and others in turn", async () => {
    const client = await startQueue({}, { workers: { max: 1 } });
    const waiting = manual(client);
    const jobs = [await client.submit(), await client.submit()];
    await settle();
    const statuses = () =>
      Promise.all(jobs.map(async (job) => (await client.call("GET", `/status/${job}`)).body.status));
    expect(await statuses()).toEqual(["IN_PROGRESS", "IN_QUEUE"]);
    waiting[0]?.resolve("done");
    await settle();
    expect(await statuses()).toEqual(["COMPLETED", "IN_PROGRESS"]);
  });

  test("purges what waits and leaves alone what runs", async () => {
    const client = await startQueue({}, { workers: { max: 1 } });
    manual(client);
    const jobs = [await client.submit(), await client.submit(), await client.submit()];
    await settle();
    expect((await client.call("POST", "/purge-queue")).body).toEqual({ removed: 2, status: "completed" });
    expect((await client.call("GET", `/status/${jobs[0]}`)).body.status).toBe("IN_PROGRESS");
    expect((await client.call("GET", `/status/${jobs[1]}`)).status).toBe(404);
  });

  test("reports its health", async () => {
    const client = await startQueue({}, { workers: { max: 2 } });
    const waiting = manual(client);
    const failed = await client.submit();
    await client.submit();
    await client.submit();
    waiting[0]?.reject(new Error("no"));
    await settle();
    await client.call("POST", `/retry/${failed}`);
    expect((await client.call("GET", "/health")).body).toMatchObject({
      jobs: { completed: 0, failed: 1, inProgress: 2, inQueue: 1, retried: 1 },
      workers: { idle: 0, running: 2 },
    });
  });

  test("answers /runsync with the job as it is when the wait is over", async () => {
    const client = await startQueue();
    manual(client);
    const answer = client.call("POST", "/runsync?wait=1000", INPUT);
    while (client.emulator.service.jobs.health(client.id).jobs.inProgress === 0) await settle();
    client.clock.advance(1_000);
    expect((await answer).body.status).toBe("IN_PROGRESS");
  });

  test("takes jobs again once workers are no longer throttled", async () => {
    const { call, submit, emulator, id } = await startQueue();
    emulator.service.endpoints.throttle(id);
    const job = await submit();
    await settle();
    expect((await call("GET", `/status/${job}`)).body.status).toBe("IN_QUEUE");
    emulator.service.endpoints.throttle(id, false);
    await settle();
    expect((await call("GET", `/status/${job}`)).body.status).toBe("COMPLETED");
  });

  test("goes with its endpoint", async () => {
    const client = await startQueue();
    manual(client);
    const job = await client.submit();
    client.emulator.service.endpoints.delete(client.id);
    expect((await client.call("GET", `/status/${job}`)).status).toBe(404);
    expect((await client.call("POST", "/run", INPUT)).status).toBe(404);
  });

  test("is not there for the first moments, nor for load balancers", async () => {
    const { call, clock, emulator, queue } = await startQueue({ timings: { queueReady: 3_000 } });
    expect((await call("GET", "/health")).status).toBe(404);
    clock.advance(3_000);
    expect((await call("GET", "/health")).status).toBe(200);
    const { id } = emulator.service.endpoints.create(BALANCED);
    clock.advance(3_000);
    expect((await queue("POST", `/${id}/run`, INPUT)).status).toBe(404);
  });

  test("takes the bare key and a bearer token", async () => {
    const { emulator, id } = await startQueue({ apiKey: "key" });
    const health = async (headers: Record<string, string>) =>
      (await send(`${emulator.queueUrl}/v2/${id}/health`, "GET", undefined, headers)).status;
    expect(await health({ Authorization: "key" })).toBe(200);
    expect(await health({ Authorization: "Bearer key" })).toBe(200);
    expect(await health({ Authorization: "other" })).toBe(401);
    expect(await health({})).toBe(401);
  });

  test.each([
    ["no input", "/run", {}],
    ["an input that is no object", "/run", { input: "hi" }],
    ["too short a timeout", "/run", { ...INPUT, policy: { executionTimeout: 4_999 } }],
    ["too short a wait", "/runsync?wait=999", INPUT],
    ["too long a wait", "/runsync?wait=300001", INPUT],
  ])("refuses %s with 400", async (_, path, body) => {
    const { call } = await startQueue();
    expect((await call("POST", path, body)).status).toBe(400);
  });

  test.each([
    ["/run", 10],
    ["/runsync", 20],
  ])("refuses payloads of %s above %i MB with 413", async (path, megabytes) => {
    const { call } = await startQueue();
    const payload = { input: { data: "x".repeat(megabytes * 1024 * 1024) } };
    expect((await call("POST", path, payload)).status).toBe(413);
  });
});
