import { z } from "zod";
import { Endpoint, InvalidOutputError, InvalidRequestError, type Schema } from "../../sdk/jobs";
import { failure, INPUT, start } from "./endpoint";

const MB = 1024 * 1024;
const sized = (bytes: number) => ({ input: { data: "x".repeat(bytes - '{"input":{"data":""}}'.length) } });

test("a request has what the program gave it, and nothing else", async () => {
  const { endpoint, sent } = await start();
  const request = {
    ...INPUT,
    webhook: "https://example.com/done",
    policy: { executionTimeout: 5_000, lowPriority: true, ttl: 10_000 },
    s3Config: { accessId: "a", accessSecret: "b", bucketName: "c", endpointUrl: "https://s3.example.com" },
  };
  await endpoint.run(request);
  await endpoint.run(INPUT);
  expect(sent("run").map(({ body }) => body)).toEqual([request, INPUT]);
});

test.each([
  ["run", 10],
  ["runSync", 20],
] as const)("%s takes exactly %i MB, and sends nothing that is larger", async (call, megabytes) => {
  const { endpoint, emulator } = await start(() => "done");
  expect(await endpoint[call](sized(megabytes * MB))).toHaveProperty("id");
  const before = emulator.requests.length;
  const error = await failure(endpoint[call](sized(megabytes * MB + 1)));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toBe(
    `the request to endpoint ${endpoint.id} was not sent: ` +
      `input: ${megabytes * MB + 1} bytes are too many, the service takes ${megabytes * MB}`,
  );
  expect(emulator.requests).toHaveLength(before);
});

test.each([
  [{ wait: 999 }, "wait: must be whole milliseconds from 1000 to 300000, not 999"],
  [{ wait: 300_001 }, "wait: must be whole milliseconds from 1000 to 300000, not 300001"],
  [{ wait: 1_000.5 }, "wait: must be whole milliseconds from 1000 to 300000, not 1000.5"],
  [{ wait: "5000" as never }, 'wait: must be whole milliseconds from 1000 to 300000, not "5000"'],
])("a wait that the service refuses is not sent: %j", async (options, fault) => {
  const { endpoint, emulator } = await start();
  expect(await failure(endpoint.runSync(INPUT, options))).toMatchObject({ faults: [fault] });
  expect(emulator.requests).toEqual([]);
});

test("a limit that the service would ignore is not sent: misspelt, or in the wrong place", async () => {
  const { endpoint, emulator } = await start();
  const policy = { execution_timeout: 60_000 };
  const s3Config = { accessId: "a", accessSecret: "b", bucketName: "c", endpoint: "https://s3.example.com" };
  const request = { ...INPUT, ttl: 60_000, priority: "low", policy, s3Config };
  expect(await failure(endpoint.run(request as never))).toMatchObject({
    faults: [
      "ttl: belongs into policy",
      "priority: unknown property; it takes input, webhook, policy, s3Config",
      "policy.execution_timeout: unknown property; it takes executionTimeout, lowPriority, ttl",
      "s3Config.endpoint: unknown property; it takes accessId, accessSecret, bucketName, endpointUrl",
    ],
  });
  expect(emulator.requests).toEqual([]);
});

test("all that is wrong with a request is said at once", async () => {
  const { endpoint } = await start(undefined, {}, { input: z.object({ prompt: z.string(), n: z.number() }) });
  const policy = { executionTimeout: 4_999, ttl: 9_999 };
  const request = { input: { prompt: 7 } as never, policy, webhook: "hooks.example/T0KEN" };
  expect(await failure(endpoint.run(request))).toMatchObject({
    faults: [
      expect.stringMatching(/^input\.prompt: /),
      expect.stringMatching(/^input\.n: /),
      expect.stringMatching(/^policy\.executionTimeout: /),
      expect.stringMatching(/^policy\.ttl: /),
      "webhook: must be an address that begins with https:// or http://",
    ],
  });
  expect(await failure(endpoint.status("job", { ttl: 0 }))).toBeInstanceOf(InvalidRequestError);
});

test("an input that is missing or empty, or that JSON cannot hold, and an id that is missing, are told before anything is sent", async () => {
  const { endpoint, emulator } = await start();
  const circle: { inner?: object } = {};
  circle.inner = circle;
  const faults = async (request: object) =>
    (await failure<InvalidRequestError>(endpoint.run(request as never))).faults;
  expect(await faults({ prompt: "hi" })).toEqual([expect.stringMatching(/^input: is missing: /)]);
  expect(await faults({ input: {} })).toEqual(["input: must not be empty: workers refuse an empty input"]);
  expect(await faults({ input: { n: 1n } })).toEqual([
    "input: cannot be sent as JSON: Do not know how to serialize a BigInt",
  ]);
  expect(await faults({ input: circle })).toEqual([
    "input: cannot be sent as JSON: Converting circular structure to JSON",
  ]);
  for (const call of ["status", "wait", "cancel", "retry"] as const)
    await expect(endpoint[call](undefined as never)).rejects.toThrow(
      /needs an id, not a value of type undefined: /,
    );
  expect(emulator.requests).toEqual([]);
});

test("schemas type input and output, and what they make of them is sent and returned", async () => {
  const { endpoint, sent } = await start(
    ({ prompt, n }) => ({ texts: Array(n).fill(prompt), at: "2026-06-01T12:00:00Z" }),
    {},
    {
      input: z.object({ prompt: z.string(), n: z.number().default(2) }),
      output: z.object({ texts: z.array(z.string()), at: z.coerce.date() }),
    },
  );
  const { id, output } = await endpoint.runAndWait({ input: { prompt: "hi" } });
  const [text]: string[] = output.texts;
  expect([text, output.at.getUTCFullYear()]).toEqual(["hi", 2026]);
  expect(sent("run")[0]?.body).toEqual({ input: { prompt: "hi", n: 2 } });
  // A cancel answers without output, so there is none to check against the schema.
  expect(await endpoint.cancel(id)).toEqual({ id, status: "COMPLETED" });
  // @ts-expect-error The schema says what a prompt is.
  await expect(endpoint.run({ input: { prompt: 7 } })).rejects.toThrow(InvalidRequestError);
});

test("any schema of Standard Schema will do, also one that takes its time", async () => {
  const schema: Schema<unknown, string> = {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: async (value) =>
        typeof value === "string"
          ? { value }
          : { issues: [{ message: "is no text", path: [{ key: "x" }, 0] }] },
    },
  };
  const { endpoint, emulator } = await start(() => "done", {}, { output: schema });
  const { output } = await endpoint.runAndWait(INPUT);
  expect(output.length).toBe(4);
  emulator.setHandler(endpoint.id, () => ({ texts: [] }));
  const error = await failure<InvalidOutputError>(endpoint.runSync(INPUT));
  expect(error).toBeInstanceOf(InvalidOutputError);
  expect(error).toMatchObject({ id: expect.stringMatching(/^sync-/), faults: ["output.x.0: is no text"] });
});

test.each([
  ["", 'new Endpoint needs an id, not "": check where the program gets it'],
  [undefined, "new Endpoint needs an id, not a value of type undefined: check where"],
  [
    "https://api.runpod.ai/v2/4m7x2k9q/runsync",
    'not its address: give "4m7x2k9q", which stands in that address',
  ],
  ["https://4m7x2k9q.api.runpod.ai", "not its address: give its output `id`"],
])("an endpoint with the id %j is refused at once", (id, reason) => {
  expect(() => new Endpoint(id as string, { apiKey: "key" })).toThrow(reason);
});
