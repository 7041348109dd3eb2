import { JobFailedError, type StreamChunk, UnknownOutcomeError } from "../../sdk/jobs";
import { failure, INPUT, start } from "./endpoint";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function collected(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test.each([
  ["a list", false, { tokens: 2 }],
  ["a list beside the job's state", true, {}],
])("chunks come while the job runs, from a service that answers %s", async (_form, streamStatus, metrics) => {
  let seen = 0;
  const { endpoint } = await start(
    async function* () {
      yield "a";
      // Continues when the first chunk has arrived.
      while (seen === 0) await pause(20);
      yield { output: { text: "b" }, metrics: { tokens: 2 } };
      await pause(600);
      yield "c";
    },
    { features: { streamStatus } },
  );
  const { id } = await endpoint.run(INPUT);
  const chunks: StreamChunk[] = [];
  for await (const chunk of endpoint.stream(id)) {
    seen += 1;
    chunks.push(chunk);
  }
  expect(chunks).toEqual([
    { output: "a", metrics: {} },
    { output: { text: "b" }, metrics },
    { output: "c", metrics: {} },
  ]);
});

test("a response without a list of chunks has none, beside the job's state", async () => {
  const { endpoint, emulator } = await start(async function* () {
    yield "a";
  });
  const match = { path: `/v2/${endpoint.id}/stream/*` };
  for (const stream of [{}, { stream: null }]) {
    const what = { answer: { status: 200, body: { status: "IN_PROGRESS", ...stream } } };
    emulator.faults.add({ match, when: "before", what });
    const { id } = await endpoint.run(INPUT);
    expect(await collected(endpoint.stream(id))).toEqual([{ output: "a", metrics: {} }]);
  }
  const { id } = await endpoint.run(INPUT);
  const what = { answer: { status: 200, body: {} } };
  emulator.faults.add({ match, when: "before", what });
  expect(await failure(collected(endpoint.stream(id)))).toBeInstanceOf(UnknownOutcomeError);
});

test("chunks that come between the last two looks are not lost", async () => {
  let end: (value?: unknown) => void = () => undefined;
  const looked = new Promise((resolve) => {
    end = resolve;
  });
  const { endpoint, emulator } = await start(async function* () {
    await looked;
    yield "last";
  });
  const { id } = await endpoint.run(INPUT);
  // The job ends after an empty read of the stream, and before the read of its status.
  emulator.on("before", { path: `/v2/${endpoint.id}/status/*` }, async () => {
    end();
    await pause(20);
  });
  expect(await collected(endpoint.stream(id))).toEqual([{ output: "last", metrics: {} }]);
});

test("a stream whose worker fails gives what there was, then the worker's error", async () => {
  const { endpoint } = await start(async function* () {
    yield "a";
    throw new Error("out of memory");
  });
  const { id } = await endpoint.run(INPUT);
  const chunks: unknown[] = [];
  const reading = async () => {
    for await (const { output } of endpoint.stream(id)) chunks.push(output);
  };
  expect(await failure(reading())).toMatchObject({ name: JobFailedError.name, id, error: "out of memory" });
  expect(chunks).toEqual(["a"]);
});

test("a worker that does not stream gives no chunks, and the stream ends with the job", async () => {
  const { endpoint } = await start(() => "done");
  const { id } = await endpoint.run(INPUT);
  expect(await collected(endpoint.stream(id))).toEqual([]);
});

test("chunks that may be lost end the stream, and the whole output is still there", async () => {
  const { endpoint, emulator, sent } = await start(async function* () {
    yield "a";
    yield "b";
  });
  const { id } = await endpoint.run(INPUT);
  emulator.faults.add({
    match: { path: `/v2/${endpoint.id}/stream/*` },
    when: "after",
    what: { reset: true },
  });
  expect(await failure(collected(endpoint.stream(id)))).toBeInstanceOf(UnknownOutcomeError);
  expect(sent("stream")).toHaveLength(1);
  expect(await endpoint.wait(id)).toMatchObject({ output: ["a", "b"] });
});

test("a stream can be given up between two chunks", async () => {
  const { endpoint } = await start(async function* () {
    yield "a";
    // A timer would keep the process of the specification.
    await new Promise(() => undefined);
  });
  const { id } = await endpoint.run(INPUT);
  const signal = AbortSignal.timeout(1_500);
  expect(await failure(collected(endpoint.stream(id, { signal })))).toBe(signal.reason);
});
