import { type Client, ENDPOINT, emulate, GPU, until } from "./client";

interface Line {
  id: string;
  source: string;
  line: string;
}

/** Reads the given number of events, then disconnects. */
async function follow(
  { emulator }: Client,
  path: string,
  count: number,
  headers: Record<string, string> = {},
): Promise<Line[]> {
  const gone = new AbortController();
  const init = { headers: { Authorization: "Bearer key", ...headers }, signal: gone.signal };
  const response = await fetch(emulator.apiUrl + path, init);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.split("data: ").length <= count) text += (await reader?.read())?.value ?? "";
  gone.abort();
  return [...text.matchAll(/id: (.*)\ndata: (.*)\n\n/g)].map(([, id = "", data = ""]) => ({
    id,
    ...JSON.parse(data),
  }));
}

async function podWithLogs() {
  const client = await emulate();
  const { service } = client.emulator;
  const { id } = service.pods.create({ name: "p", image: "i", gpu: GPU });
  client.clock.advance(3_000);
  for (const line of ["one", "two", "three"]) service.logs.write(id, "container", line);
  return { client, id, path: `/pods/${id}/logs` };
}

const lines = (events: Line[]) => events.map(({ line }) => line);

describe("the logs of a pod", () => {
  test("are server-sent events of both sources", async () => {
    const { client, path } = await podWithLogs();
    const events = await follow(client, path, 7);
    expect(events[0]).toEqual({
      id: "2026-06-01T12:00:00Z/000000000001",
      ts: "2026-06-01T12:00:00Z",
      source: "system",
      line: "pod is PROVISIONING",
    });
    expect(lines(events)).toEqual([
      "pod is PROVISIONING",
      "pod is STARTING",
      "pod is RUNNING",
      "container started",
      "one",
      "two",
      "three",
    ]);
  });

  test("come from one source, and from the tail, when asked", async () => {
    const { client, path } = await podWithLogs();
    expect(lines(await follow(client, `${path}?source=container&tail=2`, 2))).toEqual(["two", "three"]);
    expect(lines(await follow(client, `${path}?source=system&tail=1`, 1))).toEqual(["pod is RUNNING"]);
  });

  test("say once that a restarted pod starts", async () => {
    const { client, id, path } = await podWithLogs();
    client.emulator.service.pods.act(id, "restart");
    client.clock.advance(3_000);
    expect(lines(await follow(client, `${path}?source=system`, 5))).toEqual([
      "pod is PROVISIONING",
      "pod is STARTING",
      "pod is RUNNING",
      "pod is STARTING",
      "pod is RUNNING",
    ]);
  });

  test("resume after the last event, whatever the query says", async () => {
    const { client, path } = await podWithLogs();
    const [one] = await follow(client, `${path}?source=container&tail=3`, 3);
    const resumed = await follow(client, `${path}?source=container&tail=1`, 2, {
      "Last-Event-ID": one?.id ?? "",
    });
    expect(lines(resumed)).toEqual(["two", "three"]);
    const since = await follow(client, `${path}?since=2026-06-01T12:00:01Z&tail=1`, 6);
    expect(lines(since)[0]).toBe("pod is STARTING");
  });

  test("continue with what comes", async () => {
    const { client, id, path } = await podWithLogs();
    // Just before the answer begins, and after that.
    const write = (line: string) => client.emulator.service.logs.write(id, "container", line);
    client.emulator.on("after", {}, () => write("soon"));
    const following = follow(client, `${path}?tail=0`, 2);
    await until(() => client.emulator.requests.at(-1)?.status === 200);
    write("later");
    const passing = setInterval(() => client.clock.advance(1_000), 5).unref();
    expect(lines(await following)).toEqual(["soon", "later"]);
    clearInterval(passing);
  });

  test("lose the container's lines with the container", async () => {
    const { client, id, path } = await podWithLogs();
    client.clock.advance(1_000);
    client.emulator.service.pods.act(id, "restart");
    client.clock.advance(2_000);
    expect(lines(await follow(client, `${path}?source=container`, 1))).toEqual(["container started"]);
  });

  test.each(["tail=5001", "source=kernel", "since=yesterday"])("refuse ?%s", async (query) => {
    const { client, path } = await podWithLogs();
    expect((await client.rest("GET", `${path}?${query}`)).status).toBe(422);
  });
});

describe("the logs of a worker", () => {
  test("belong to an active worker", async () => {
    const client = await emulate();
    const { endpoints } = client.emulator.service;
    const { id } = endpoints.create({ ...ENDPOINT, workers: { min: 1 } });
    client.clock.advance(2_000);
    const [worker] = endpoints.workers(id).workers;
    const path = `/serverless/${id}/workers/${worker?.id}/logs`;
    expect(lines(await follow(client, path, 2))).toEqual(["worker is starting", "worker is ready"]);
    expect((await client.rest("GET", `/serverless/${id}/workers/other/logs`)).status).toBe(404);
  });
});
