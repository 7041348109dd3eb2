import { setTimeout } from "node:timers/promises";
import type { Properties } from "../../provider/core/value";
import { declared, emulator, heard, type Kind, provider } from "./process";

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

/** Real milliseconds after which workers and pods are ready. */
const late = 3_000;

test.each<[string, Kind, Properties]>([
  ["an endpoint that fails verify", "serverlessEndpoint", { verify: { input: { n: 1 } } }],
  ["an endpoint without a healthy worker", "serverlessEndpoint", { workers: { min: 1 }, waitFor: "READY" }],
  ["a pod that starts for too long", "pod", {}],
  ["a cluster with a pod that starts for too long", "cluster", {}],
])("after a refresh, %s is still an update, until it is ready", async (_title, kind, more) => {
  const news = await checked(kind, { ...more, waitTimeout: 5 });
  emulator.service.timings.starting = late;
  emulator.setHandler("*", () => {
    throw new Error("CUDA out of memory");
  });
  const left: Left = await provider()
    [kind].create(news)
    .catch((error) => error);
  expect(left.properties).toMatchObject({ __unready: true });
  const { props: refreshed = {}, inputs: olds } = await provider()[kind].read(left.id, left.properties);
  expect(olds).not.toHaveProperty("__unready");
  const { result, said } = await heard(() => compared(kind, left.id, refreshed, news));
  expect(result).toMatchObject({ changes: true, replaces: [] });
  expect(said).toContain("has not become ready since podlumi last changed it");
  await expect(result.next.update(left.id, refreshed, news)).rejects.toThrow(/is not ready/);

  emulator.setHandler("*", () => "done");
  const patient = { ...news, waitTimeout: 600 };
  const { outs = {} } = await provider()[kind].update(left.id, refreshed, patient);
  expect(outs).not.toHaveProperty("__unready");
  expect(await compared(kind, left.id, outs, patient)).toMatchObject({ changes: false });
});

test.each<Kind>(["pod", "cluster"])(
  "after a refresh that shows a %s running, nothing is left to do",
  async (kind) => {
    emulator.service.timings.starting = 500;
    const news = await checked(kind, { waitTimeout: 5 });
    const left: Left = await provider()
      [kind].create(news)
      .catch((error) => error);
    expect(left.properties).toMatchObject({ __unready: true });
    await setTimeout(500);
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
