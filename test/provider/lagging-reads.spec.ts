import { systemClock } from "../../provider/client/clock";
import type { Properties } from "../../provider/value";
import { speed } from "./fast-clock";
import { begin, declared, emulator, type Kind, kinds, provider, stacks, urnOf } from "./process";

/** Real milliseconds for which a read shows what was before. They are a fraction of the time for which podlumi expects that. */
const lag = 200;

/** An object that new processes update twice in a row, while reads lag behind. */
async function updatedTwice(kind: Kind, made: Properties, first: Properties, second: Properties) {
  const news = (changes: Properties) => declared(kind, { name: "it", ...changes });
  const { id, outs } = await provider()[kind].create(news(made));
  await systemClock.sleep(lag * speed * 1.5);
  Object.assign(emulator.service.timings, { readLag: lag, listLag: lag });
  const { outs: between = {} } = await provider()[kind].update(id, outs as Properties, news(first));
  const later = () => provider()[kind].update(id, between, news(second));
  return { id, between, later };
}

const mounts = (size: number, path: string) => ({ mounts: { persistent: { size, path } } });
const env = (of: Record<string, string>) => ({ env: of });

test.each<[string, Kind, Properties, Properties, Properties]>([
  ["storage", "pod", mounts(20, "/a"), mounts(40, "/a"), mounts(40, "/b")],
  ["a variable", "pod", env({ A: "1", B: "1" }), env({ A: "2", B: "1" }), env({ A: "2", B: "2" })],
  [
    "workers",
    "serverlessEndpoint",
    { workers: { min: 0, max: 3 } },
    { workers: { min: 0, max: 5 } },
    { workers: { min: 1, max: 5 } },
  ],
])(
  "an update keeps what the one before it made of %s, although reads lag behind",
  async (_title, kind, made, first, second) => {
    const { id, later } = await updatedTwice(kind, made, first, second);
    await later();
    const { pods, endpoints } = emulator.service;
    expect(kind === "pod" ? pods.get(id) : endpoints.get(id)).toMatchObject(second);
  },
);

test("a variable that the update before took out stays out, and a new time limit stays", async () => {
  const limit = (expiresAfter: string) => ({ expiresAfter });
  const { id, between, later } = await updatedTwice(
    "pod",
    { ...env({ A: "1", B: "1" }), ...limit("1h") },
    { ...env({ A: "1" }), ...limit("2h") },
    { ...env({ A: "2" }), ...limit("2h") },
  );
  const { outs } = await later();
  const variables = emulator.service.pods.get(id).env;
  expect(variables).toMatchObject({ A: "2" });
  expect(variables).not.toHaveProperty("B");
  expect(outs).toMatchObject({ expiresAfter: "2h", expiresAt: between.expiresAt });
});

test("a refresh in between keeps the time of the last update, and what somebody else changes by then stays", async () => {
  const { id, between } = await updatedTwice("pod", mounts(20, "/a"), mounts(40, "/a"), mounts(40, "/b"));
  const { props = {} } = await provider().pod.read(id, between);
  expect(props.__at).toEqual(between.__at);
  Object.assign(emulator.service.timings, { readLag: 0, listLag: 0 });
  emulator.service.pods.update(id, mounts(60, "/a"));
  await provider().pod.update(id, between, declared("pod", { name: "it", ...mounts(40, "/b") }));
  expect(emulator.service.pods.get(id)).toMatchObject(mounts(60, "/b"));
});

/** From now on, reads show what was before. */
const lagFromNowOn = () =>
  Object.assign(emulator.service.timings, { readLag: lag / 2, listLag: lag / 2, starting: lag / 4 });

/** A change of each kind that has one in place. */
const changes: [Kind, Properties][] = [
  ["cluster", { name: "other" }],
  ["networkVolume", { size: 30 }],
  ["pod", { image: "org/pod:2" }],
  ["pod", { env: { A: "2" } }],
  ["pod", { desiredStatus: "EXITED" }],
  ["pod", { image: "org/pod:2", waitFor: "RUNNING" }],
  ["pod", { locked: true }],
  ["serverlessEndpoint", { image: "org/worker:2" }],
  ["serverlessEndpoint", { workers: { max: 2 } }],
  ["serverlessEndpoint", { gpu: { pools: ["AMPERE_24"] } }],
  ["template", { image: "org/worker:2" }],
  ["registryAuth", { password: "hunter23" }],
  ["secret", { value: "hunter23" }],
];

test.each(changes)(
  "a %s that was created a moment ago takes %j, although reads do not show it yet",
  async (kind, change) => {
    lagFromNowOn();
    const news = declared(kind, { name: "it", ...(kind === "pod" && { waitFor: "NONE" }) });
    const { id, outs = {} } = await provider()[kind].create(news);
    const { outs: after } = await provider()[kind].update(id, outs, { ...news, ...change });
    expect(after).toMatchObject(change);
  },
);

test.each<[string, Kind, object, Properties]>([
  ["the change", "pod", { method: "PATCH", path: "/pods/*" }, { image: "org/pod:2" }],
  [
    "its releases",
    "serverlessEndpoint",
    { path: "/serverless/*/releases" },
    { image: "org/worker:2", verify: { input: { n: 1 } } },
  ],
])(
  "an update waits until %s of a %s that was created a moment ago is not missing any more",
  async (...row) => {
    const [, kind, match, change] = row;
    const news = declared(kind, { name: "it" });
    const { id, outs = {} } = await provider()[kind].create(news);
    emulator.setHandler("*", () => "done");
    emulator.faults.add({ match, when: "before", what: { status: 404 }, times: 3 });
    const { outs: after } = await provider()[kind].update(id, outs, { ...news, ...change });
    expect(after).toMatchObject(change);
  },
);

test.each(kinds)("a refresh keeps a %s that was created a moment ago", async (kind) => {
  lagFromNowOn();
  const { id, outs = {} } = await provider()[kind].create(declared(kind, { name: "it" }));
  expect(await provider()[kind].read(id, outs)).toMatchObject({ id });
});

test.each<[string, () => void]>([
  [
    "a key whose account the service does not tell",
    () => {
      const match = { method: "GET", path: "/account" };
      emulator.faults.add({ match, when: "before", what: { status: 404 }, times: 0 });
    },
  ],
  [
    "the key of another member of the organization",
    () => {
      emulator.service.userId = "user2";
    },
  ],
])("a refresh keeps a volume that was created a moment ago, with %s", async (_title, another) => {
  lagFromNowOn();
  const { id, outs = {} } = await provider().networkVolume.create(declared("networkVolume", { name: "it" }));
  another();
  expect(await provider().networkVolume.read(id, outs)).toMatchObject({ id });
});

test("a stop of a pod that was created a moment ago counts, although its response is lost", async () => {
  const news = declared("pod", { name: "it", waitFor: "NONE" });
  lagFromNowOn();
  const { id, outs = {} } = await provider().pod.create(news);
  emulator.faults.add({
    match: { method: "POST", path: "/pods/*/action" },
    when: "after",
    what: { reset: true },
  });
  const { outs: after } = await provider().pod.update(id, outs, { ...news, desiredStatus: "EXITED" });
  expect(after).toMatchObject({ status: "EXITED" });
});

test("a new readme soon after the create keeps what the save of the first one had reset for a moment", async () => {
  const settings = { public: true, startSsh: false };
  const news = (readme: string) => declared("template", { name: "it", ...settings, readme });
  // From the first save on, reads show what was before its restoration.
  const stop = emulator.on("after", { operation: "saveTemplate" }, () => {
    const match = { method: "GET", path: "/templates/*" };
    emulator.faults.add({ match, when: "before", what: { lag }, times: 0 });
  });
  const { id, outs = {} } = await provider().template.create(news("# One"));
  stop();
  const { outs: after } = await provider().template.update(id, outs, news("# Two"));
  expect(emulator.service.templates.get(id)).toMatchObject(settings);
  expect(after).toMatchObject({ ...settings, readme: "# Two" });
});

/** An endpoint and two templates for it. */
async function applied(first: Properties, second: Properties) {
  const { service } = emulator;
  const of = (name: string) =>
    service.templates.create({ name, image: `org/${name}:1`, serverless: true, env: {} }).id;
  const [one, two] = [of("one"), of("two")];
  const made = { image: undefined, templateId: one };
  const between = { ...made, ...first };
  return updatedTwice("serverlessEndpoint", made, between, { ...made, ...second, templateId: two });
}

test("another template leaves an endpoint the time limit that the update before gave it", async () => {
  const { id, between, later } = await applied({ expiresAfter: "2h" }, { expiresAfter: "2h" });
  const { outs } = await later();
  expect(outs).toMatchObject({ expiresAfter: "2h", expiresAt: between.expiresAt });
  expect(emulator.service.endpoints.get(id).env).toHaveProperty("PODLUMI_EXPIRES");
});

describe("an object that this resource adopted a moment ago, and that reads show with the mark of before", () => {
  /** An endpoint or a pod of another stack that this one has adopted, and its state. */
  async function adopted(kind: "pod" | "serverlessEndpoint") {
    const theirs = { __providerId: stacks.theirs, __urn: urnOf(kind, "theirs", "prod") };
    const { id } = await begin(kind, theirs);
    await systemClock.sleep(lag * speed * 1.5);
    Object.assign(emulator.service.timings, { readLag: lag, listLag: lag });
    const { outs = {} } = await begin(kind, { adopt: id });
    return { id, outs, news: declared(kind, { name: outs.name }) };
  }

  test.each(["pod", "serverlessEndpoint"] as const)("takes an update of a %s", async (kind) => {
    const { id, outs, news } = await adopted(kind);
    const { outs: after } = await provider()[kind].update(id, outs, { ...news, image: "org/new:2" });
    expect(after).toMatchObject({ image: "org/new:2", __mark: outs.__mark });
  });

  test("keeps its mark beside a new variable where only a single read lags", async () => {
    const { id, outs, news } = await adopted("pod");
    Object.assign(emulator.service.timings, { listLag: 0 });
    const { env } = emulator.service.pods.get(id);
    await provider().pod.update(id, outs, { ...news, env: { A: "2" } });
    expect(emulator.service.pods.get(id).env).toMatchObject({ A: "2", PODLUMI_MARK: env.PODLUMI_MARK });
  });

  test("is deleted, and not left behind", async () => {
    const { id, outs } = await adopted("pod");
    await provider().pod.delete(id, outs);
    expect(emulator.service.pods.list()).toEqual([]);
  });

  test("keeps its mark when a template is applied, so that the other stack continues to leave it alone", async () => {
    const { id, outs, news } = await adopted("serverlessEndpoint");
    const template = emulator.service.templates.create({
      name: "new",
      image: "org/new:1",
      serverless: true,
      env: {},
    });
    const { env } = emulator.service.endpoints.get(id);
    const applied = { ...news, image: undefined, templateId: template.id };
    await provider().serverlessEndpoint.update(id, outs, applied);
    expect(emulator.service.endpoints.get(id).env.PODLUMI_MARK).toBe(env.PODLUMI_MARK);
  });
});
