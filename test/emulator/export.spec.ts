import { type Emulator, instant, startEmulator } from "podlumi/emulator";
import { Endpoint } from "podlumi/jobs";

// podlumi/emulator, as a user's test has it.

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ timings: instant, apiKey: "rpa_MINE" });
});
afterEach(() => emulator.reset());
afterAll(() => emulator.close());

const ask = (path: string) =>
  fetch(`${emulator.apiUrl}${path}`, { headers: { authorization: `Bearer ${emulator.env.RUNPOD_API_KEY}` } });

const endpoint = {
  type: "QUEUE",
  image: "org/worker:1",
  gpu: { pools: ["ADA_24"], count: 1 },
  workers: { min: 0, max: 1 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};
const seed = {
  networkVolumes: [{ as: "data", name: "data", size: 10, dataCenter: "EU-RO-1" }],
  globalVolumes: [{ as: "models", name: "models" }],
  endpoints: [
    { ...endpoint, as: "llm", name: "llm", networkVolumes: ["$data"] },
    { ...endpoint, as: "everywhere", name: "everywhere", globalVolumes: ["$models"] },
  ],
};

test("its settings are those of the command, also that which keeps a run on this machine", () => {
  expect(emulator.env).toEqual({
    RUNPOD_API_KEY: "rpa_MINE",
    RUNPOD_API_URL: emulator.apiUrl,
    RUNPOD_GRAPHQL_URL: emulator.graphqlUrl,
    RUNPOD_QUEUE_URL: emulator.queueUrl,
    PODLUMI_EMULATED: "1",
  });
});

test("a seed creates objects that refer to each other, and a reset takes them, faults, handlers and requests away", async () => {
  const ids = await emulator.seed(seed);
  expect(emulator.requests).toEqual([]);
  expect(emulator.snapshot()).toMatchObject({
    networkVolumes: [{ id: ids.data, name: "data" }],
    globalVolumes: [{ id: ids.models, name: "models" }],
    endpoints: [
      { id: ids.llm, networkVolumes: [ids.data] },
      { id: ids.everywhere, globalVolumes: [ids.models] },
    ],
    pods: [],
  });
  emulator.addFault({ match: { path: "/pods" }, when: "before", what: { status: 502 }, times: 0 });
  expect((await ask("/pods")).status).toBe(502);
  expect(emulator.requests).toMatchObject([{ method: "GET", path: "/v2/pods", status: 502 }]);

  const { requests } = emulator;
  const { account: before } = emulator.snapshot();
  emulator.reset();
  expect((await ask("/pods")).status).toBe(200);
  expect(emulator.requests).toBe(requests);
  expect(emulator.requests).toHaveLength(1);
  const { account, ...objects } = emulator.snapshot();
  expect(Object.values(objects).flat()).toEqual([]);
  expect(account).toEqual({ id: expect.stringMatching(/^user\d+emulator$/) });
  expect(account).not.toEqual(before);
});

test("a handler of the user does the jobs, and a later account has the default again", async () => {
  const { apiKey, queueUrl } = { apiKey: "rpa_MINE", queueUrl: emulator.queueUrl };
  const done = async () => {
    const { llm = "" } = await emulator.seed(seed);
    emulator.setHandler("*", ({ prompt }) => ({ text: `You said ${prompt}` }));
    const endpoint = new Endpoint(llm, { apiKey, queueUrl });
    return (await endpoint.runAndWait({ input: { prompt: "hello" } })).output;
  };
  expect(await done()).toEqual({ text: "You said hello" });
  emulator.reset();
  const { llm = "" } = await emulator.seed(seed);
  const endpoint = new Endpoint(llm, { apiKey, queueUrl });
  expect((await endpoint.runAndWait({ input: { n: 1 } })).output).toEqual({ echo: { n: 1 } });
});

test("one fault ends alone, and what a seed must not have is told with a code", async () => {
  const slow = { match: { path: "/pods" }, when: "before", what: { status: 503 }, times: 0 } as const;
  const id = emulator.addFault(slow);
  emulator.addFault({ ...slow, match: { path: "/templates" } });
  emulator.clearFaults(id);
  expect((await ask("/pods")).status).toBe(200);
  expect((await ask("/templates")).status).toBe(503);
  emulator.clearFaults();
  expect((await ask("/templates")).status).toBe(200);

  await expect(emulator.seed({ volumes: [] } as never)).rejects.toThrow(
    /^a seed has .*, and no volumes \[PODLUMI-SEED\]$/,
  );
  await expect(emulator.seed({ networkVolumes: [{ name: "x" }] })).rejects.toThrow(
    /^networkVolumes\[0\] of the seed was refused: .*\[PODLUMI-SEED\]$/,
  );
  await expect(startEmulator({ seed: "no-such-file.json" })).rejects.toThrow(
    /no-such-file.*\[PODLUMI-SEED\]$/,
  );
});

test("requests beyond the rate limit are refused", async () => {
  const strict = await startEmulator({ rateLimit: 2 });
  const statuses = [];
  for (let n = 0; n < 3; n++)
    statuses.push(
      (await fetch(`${strict.apiUrl}/pods`, { headers: { authorization: "Bearer any" } })).status,
    );
  expect(statuses).toEqual([200, 200, 429]);
  await strict.close();
});
