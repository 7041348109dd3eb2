import type { Properties } from "../../provider/value";
import { declared, emulator, heard, type Kind, letServicePass, provider } from "./process";

/** What the engine keeps of an object that did not become ready. */
interface Left {
  readonly id: string;
  readonly properties: Properties;
}

/** Inputs as the engine gives them. */
async function checked(kind: Kind, changes: Properties): Promise<Properties> {
  const { inputs, failures } = await provider()[kind].check(
    undefined,
    declared(kind, { name: "it", ...changes }),
  );
  expect(failures ?? []).toEqual([]);
  return inputs;
}

/** Compares as an up of a new process does. */
async function compared(kind: Kind, id: string, state: Properties, news: Properties) {
  const next = provider()[kind];
  await next.check(news, news);
  return { next, ...(await next.diff(id, { ...state, __provider: "p" }, news)) };
}

/** Milliseconds after which workers and pods are ready: longer than a specification takes, unless it lets them pass. */
const late = 3_600_000;

/** What a create leaves that does not become ready in time, with its inputs and its provider. */
async function unready(kind: Kind, more: Properties) {
  const news = await checked(kind, { ...more, waitTimeout: 5 });
  // A job fails as soon as a worker has started.
  if (!("verify" in more)) emulator.service.timings.starting = late;
  emulator.setHandler("*", () => {
    throw new Error("CUDA out of memory");
  });
  const each = provider()[kind];
  const left: Left = await each.create(news).catch((error) => error);
  return { news, each, left };
}

test.each<[string, Kind, Properties]>([
  ["an endpoint that fails verify", "serverlessEndpoint", { verify: { input: { n: 1 } } }],
  ["an endpoint without a healthy worker", "serverlessEndpoint", { workers: { min: 1 }, waitFor: "READY" }],
  ["a pod that starts for too long", "pod", {}],
  ["a cluster with a pod that starts for too long", "cluster", {}],
])("after a refresh, %s is still an update, until it is ready", async (_title, kind, more) => {
  const { news, left } = await unready(kind, more);
  expect(left.properties).toMatchObject({ __unfinished: { isNotReady: true } });
  const { props: refreshed = {}, inputs: olds } = await provider()[kind].read(left.id, left.properties);
  expect(olds).not.toHaveProperty("__unfinished");
  const { result, said } = await heard(() => compared(kind, left.id, refreshed, news));
  expect(result).toMatchObject({ changes: true, replaces: [] });
  expect(said).toContain("has not become ready since podlumi last changed it");
  await expect(result.next.update(left.id, refreshed, news)).rejects.toThrow(/is not ready/);

  emulator.setHandler("*", () => "done");
  letServicePass(late);
  const patient = { ...news, waitTimeout: 600 };
  const { outs = {} } = await provider()[kind].update(left.id, refreshed, patient);
  expect(outs).not.toHaveProperty("__unfinished");
  expect(await compared(kind, left.id, outs, patient)).toMatchObject({ changes: false });
});

test.each<[string, Kind, Properties]>([
  ["an endpoint that fails verify", "serverlessEndpoint", { verify: { input: { n: 1 } } }],
  ["a pod that starts for too long", "pod", {}],
  ["a cluster with a pod that starts for too long", "cluster", {}],
])(
  "a create of %s continues with that where the engine asks for it once more",
  async (_title, kind, more) => {
    const { news, each, left } = await unready(kind, more);
    emulator.requests.splice(0);
    await expect(each.create(news)).rejects.toMatchObject({
      id: left.id,
      properties: { __unfinished: { isNotReady: true } },
    });
    emulator.setHandler("*", () => "done");
    letServicePass(late);
    const { id, outs } = await each.create({ ...news, waitTimeout: 600 });
    expect(id).toBe(left.id);
    expect(outs).not.toHaveProperty("__unfinished");
    const made = emulator.requests.filter((one) => one.method === "POST" && one.interface === "rest");
    expect(made).toEqual([]);
  },
);

test("a try that fails before it waits leaves what the one before it has left, which the engine keeps no more", async () => {
  const news = await checked("pod", { waitTimeout: 5 });
  emulator.service.timings.starting = late;
  const { pod } = provider();
  const { id, properties }: Left = await pod.create(news).catch((error) => error);
  emulator.faults.add({ match: { path: "/pods/*" }, when: "before", what: { status: 403 } });
  const again = pod.create(news);
  await expect(again).rejects.toThrow(/\[PODLUMI-FORBIDDEN\]/);
  await expect(again).rejects.toMatchObject({ id, properties });
});

test("an attempt of an update that fails leaves what the one before it has left: a pod that it has started continues to cost money", async () => {
  const { id, outs = {} } = await provider().pod.create(
    declared("pod", { name: "it", desiredStatus: "EXITED" }),
  );
  emulator.service.timings.starting = late;
  const news = declared("pod", { name: "it", waitTimeout: 1 });
  const { pod } = provider();
  const { properties }: Left = await pod.update(id, outs, news).catch((error) => error);
  expect(properties).toMatchObject({ desiredStatus: "RUNNING" });
  emulator.faults.add({ match: { path: "/pods/*" }, when: "before", what: { status: 403 } });
  // The engine tells each try the state from before the first one.
  const again = pod.update(id, outs, news);
  await expect(again).rejects.toThrow(/\[PODLUMI-FORBIDDEN\]/);
  await expect(again).rejects.toMatchObject({ id, properties });
});

test("a command in another form is declared in that one alone, though its pod does not become ready", async () => {
  const { id, outs = {} } = await provider().pod.create(declared("pod", { name: "it", args: "a" }));
  emulator.service.timings.starting = late;
  const news = declared("pod", { name: "it", cmd: ["b"], waitTimeout: 1 });
  const left: Left = await provider()
    .pod.update(id, outs, news)
    .catch((error) => error);
  const { inputs: olds } = await provider().pod.read(id, left.properties);
  expect(olds).toMatchObject({ cmd: ["b"] });
  expect(olds).not.toHaveProperty("args");
});

test.each<Kind>(["pod", "cluster"])(
  "after a refresh that shows a %s running, nothing is left to do",
  async (kind) => {
    emulator.service.timings.starting = late;
    const news = await checked(kind, { waitTimeout: 5 });
    const left: Left = await provider()
      [kind].create(news)
      .catch((error) => error);
    expect(left.properties).toMatchObject({ __unfinished: { isNotReady: true } });
    letServicePass(late);
    const { props = {} } = await provider()[kind].read(left.id, left.properties);
    expect(await compared(kind, left.id, props, news)).toMatchObject({ changes: false });
  },
);

test("an endpoint of an older state that has verify and no release that passed it is an update", async () => {
  const news = await checked("serverlessEndpoint", { verify: { input: { n: 1 } } });
  const { id, outs = {} } = await provider().serverlessEndpoint.create(news);
  expect(await compared("serverlessEndpoint", id, outs, news)).toMatchObject({ changes: false });
  const { verifiedRelease, ...older } = outs;
  expect(await compared("serverlessEndpoint", id, older, news)).toMatchObject({ changes: true });
});

test.each<[string, Properties, boolean]>([
  ["of another image, as an interrupted up or another person makes it", { image: "org/worker:2" }, true],
  ["of other arguments, which the program does not declare", { args: "--theirs" }, true],
  ["with more GPUs", { gpu: { count: 2 } }, true],
  ["with fewer types of GPUs", { gpu: { pools: ["AMPERE_24"], excludedTypes: ["NVIDIA L4"] } }, true],
  ["none: only the number of workers changed", { workers: { max: 2 } }, false],
])(
  "after a refresh, an endpoint with verify needs a verification of a release %s",
  async (_title, made, needs) => {
    const gpu = { pools: ["AMPERE_24"] };
    const news = await checked("serverlessEndpoint", { gpu, verify: { input: { n: 1 } } });
    const { id, outs = {} } = await provider().serverlessEndpoint.create(news);
    const { props: same = {} } = await provider().serverlessEndpoint.read(id, outs);
    expect(same).toEqual(outs);
    emulator.service.endpoints.update(id, made);
    const { props = {} } = await provider().serverlessEndpoint.read(id, outs);
    const { changes } = await compared("serverlessEndpoint", id, props, {
      ...news,
      ...(made.image !== undefined && made),
    });
    expect(changes === true).toBe(needs);
    expect(props.verifiedRelease).toBe(needs ? undefined : 1);
  },
);

test("a release of unknown version that passes verify is verified once", async () => {
  emulator.faults.add({
    match: { path: "/serverless/*/releases" },
    when: "after",
    what: {
      answer: { status: 200, body: { releases: [], rollout: { inProgress: false }, endpointVersion: null } },
    },
    times: 0,
  });
  const news = await checked("serverlessEndpoint", { verify: { input: { n: 1 } } });
  const { id, outs = {} } = await provider().serverlessEndpoint.create(news);
  expect(await compared("serverlessEndpoint", id, outs, news)).toMatchObject({ changes: false });
});

describe("an endpoint whose releases lag behind", () => {
  const kind = "serverlessEndpoint";
  /** What answers show of the endpoint before its update. */
  const lagging = (id: string, what: "releases" | "workers", times: number) =>
    emulator.faults.add({
      match: { path: `/serverless/*/${what}` },
      when: "after",
      what: { answer: { status: 200, body: emulator.service.endpoints[what](id) } },
      times,
    });
  const jobs = (id: string) => emulator.service.jobs.health(id).jobs.completed;

  test.each<[string, Properties, number]>([
    ["a while", {}, 3],
    ["ever", { verify: { input: { n: 1 }, timeout: 600 } }, 0],
  ])(
    "verifies what an update has created, although they show the release before for %s",
    async (_title, more, times) => {
      const news = await checked(kind, { verify: { input: { n: 1 } }, ...more });
      const { id, outs = {} } = await provider()[kind].create(news);
      lagging(id, "releases", times);
      const { outs: after } = await provider()[kind].update(id, outs, { ...news, image: "org/worker:2" });
      expect(jobs(id)).toBe(2);
      expect(after).toMatchObject({ verifiedRelease: times === 0 ? 1 : 2 });
    },
  );

  test("waits for a worker of the new release", async () => {
    const news = await checked(kind, { workers: { min: 1 }, waitFor: "READY" });
    const { id, outs = {} } = await provider()[kind].create(news);
    lagging(id, "workers", 2);
    emulator.requests.splice(0);
    await provider()[kind].update(id, outs, { ...news, image: "org/worker:2" });
    expect(emulator.requests.filter(({ path }) => path.endsWith("/workers")).length).toBeGreaterThan(2);
  });

  test("waits for no release that an update has not created, not even with little time", async () => {
    const news = await checked(kind, { workers: { min: 1 }, waitFor: "READY", waitTimeout: 20 });
    const { id, outs = {} } = await provider()[kind].create(news);
    emulator.service.endpoints.update(id, { flashboot: "FLASHBOOT" });
    await provider()[kind].update(id, outs, { ...news, flashboot: "FLASHBOOT" });
  });

  test("is verified once it is shown after its create", async () => {
    emulator.faults.add({
      match: { path: "/serverless/*/releases" },
      when: "before",
      what: { status: 404 },
      times: 3,
    });
    const news = await checked(kind, { verify: { input: { n: 1 } } });
    expect((await provider()[kind].create(news)).outs).toMatchObject({ verifiedRelease: 1 });
  });
});

describe("an endpoint whose workers.max the service has lowered to 0", () => {
  const kind = "serverlessEndpoint";
  const image = "org/worker:2";

  test.each<[string, Properties]>([
    ["verify", { verify: { input: { n: 1 } }, workers: { max: 2 } }],
    ["READY", { waitFor: "READY", workers: { min: 1, max: 2 } }],
  ])(
    "waits for no worker: the update with %s says so, and one after a refresh goes on",
    async (_title, args) => {
      const news = await checked(kind, args);
      const { id, outs = {} } = await provider()[kind].create(news);
      emulator.service.endpoints.update(id, { workers: { min: 0, max: 0 } });
      const began = Date.now();
      const left = await provider()
        [kind].update(id, outs, { ...news, image })
        .catch((error) => error);
      expect(left.message ?? left.reasons?.join()).toMatch(
        /its workers\.max is 0 at the service, .* \[PODLUMI-NO-WORKERS\]/,
      );
      expect(Date.now() - began).toBeLessThan(5_000);
      const { props = {} } = await provider()[kind].read(id, left.properties ?? outs);
      const { outs: after } = await provider()[kind].update(id, props, { ...news, image });
      expect(after).toMatchObject({ image, workers: { max: 2 } });
    },
  );
});
