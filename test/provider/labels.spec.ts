import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { definitions } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { check } from "./checked";
import { begin, declared, emulator, goOnWith, type Kind, provider } from "./process";

// Of the four kinds that can have them, the service shows the tags of pods and network volumes alone.

const kinds = ["pod", "serverlessEndpoint", "cluster", "networkVolume"] as const;
const types = {
  pod: "POD",
  serverlessEndpoint: "SERVERLESS_ENDPOINT",
  cluster: "CLUSTER",
  networkVolume: "NETWORK_VOLUME",
} as const;

type Labelled = (typeof kinds)[number];

/** What an object of a kind has, by the service's own book. */
const held = (kind: Labelled, id: string) => {
  const { tags, costCenters } = emulator.service;
  const resource = { type: types[kind], id };
  return {
    tags: Object.fromEntries(tags.of(resource).map(({ key, value }) => [key, value])),
    center: costCenters.of(resource).map(({ value }) => value),
  };
};

/** The next `up`, in a process of its own. */
async function up(kind: Labelled, id: string, outs: Properties = {}, changes: Properties = {}) {
  const { [kind]: handler } = provider();
  const state = { ...outs, __provider: "p" };
  const { inputs, failures = [] } = await handler.check(state, declared(kind as Kind, changes));
  expect(failures).toEqual([]);
  const { changes: differs = true } = await handler.diff(id, state, inputs);
  return differs ? ((await handler.update(id, state, inputs)).outs ?? {}) : outs;
}

const writes = () =>
  emulator.requests
    .filter(({ method, path }) => method !== "GET" && /tags|cost-centers/.test(path))
    .map(({ method, path }) => `${method} ${path.replace(/\/c[a-z0-9]{20,}/, "/ID").replace(/\/v2/, "")}`);

test("a change of tags is compared without an API key, too", async () => {
  const { id, outs = {} } = await begin("networkVolume", { tags: { team: "ml" } });
  const { diff } = handler(definitions.NetworkVolume, new Run({}));
  const news = declared("networkVolume", { tags: { team: "web" } });
  const { fields } = await diff(id, { ...outs, __provider: "p" }, news);
  expect([...fields]).toEqual([["tags", "update"]]);
});

describe.each(kinds)("a %s", (kind) => {
  test("gets its tags and its cost center, changes them, and loses what the program drops", async () => {
    const { id, outs } = await begin(kind, { tags: { team: "ml", env: "" }, costCenter: "research" });
    expect(held(kind, id)).toEqual({ tags: { team: "ml", env: "" }, center: ["research"] });
    expect(outs).toMatchObject({ tags: { team: "ml", env: "" }, costCenter: "research" });
    expect(await up(kind, id, outs, { tags: { team: "ml", env: "" }, costCenter: "research" })).toBe(outs);
    const changed = await up(kind, id, outs, { tags: { team: "web", app: "x" }, costCenter: "sales" });
    expect(held(kind, id)).toEqual({ tags: { team: "web", app: "x" }, center: ["sales"] });
    const { tags, costCenter } = await up(kind, id, changed);
    expect(held(kind, id)).toEqual({ tags: {}, center: [] });
    expect([tags, costCenter]).toEqual([undefined, undefined]);
    expect(emulator.service.tags.list()).toHaveLength(4);
    expect(writes().filter((one) => /^(PATCH|DELETE) \/(tags|cost-centers)\/ID$/.test(one))).toEqual([]);
  });

  test("keeps the tags of other people, also when it is adopted", async () => {
    const theirs = emulator.service.tags.create({ key: "owner", value: "ada" });
    const { id, outs } = await begin(kind);
    emulator.service.tags.attach(theirs.id, { type: types[kind], id });
    const tagged = await up(kind, id, outs, { tags: { team: "ml" } });
    expect(tagged.tags).toEqual({ team: "ml" });
    expect((await provider()[kind].read(id, { ...tagged, __provider: "p" })).props).toMatchObject({
      tags: { team: "ml" },
    });
    const adopted = await begin(kind, { adopt: id, tags: { team: "ml" } });
    expect(adopted.outs?.tags).toEqual({ team: "ml" });
    await up(kind, id, adopted.outs);
    expect(held(kind, id).tags).toEqual({ owner: "ada" });
  });
});

describe.each(["pod", "networkVolume"] as const)("the tags of a %s", (kind) => {
  test("show in a refresh what somebody has changed, which the next up undoes", async () => {
    const { id, outs } = await begin(kind, { tags: { team: "ml", app: "x" } });
    const { tags } = emulator.service;
    const [team] = tags.list();
    const resource = { type: types[kind], id };
    tags.detach(String(team?.id), resource);
    tags.attach(tags.create({ key: "team", value: "web" }).id, resource);
    const { props } = await provider()[kind].read(id, { ...outs, __provider: "p" });
    expect(props?.tags).toEqual({ team: "web", app: "x" });
    const mended = await up(kind, id, props, { tags: { team: "ml", app: "x" } });
    expect(mended.tags).toEqual({ team: "ml", app: "x" });
    expect(held(kind, id).tags).toEqual({ team: "ml", app: "x" });
  });

  test("are all there when it is imported or only read", async () => {
    const { id } = await begin(kind, { tags: { team: "ml", app: "" } });
    const imported = await provider()[kind].import(id, declared(kind));
    expect(imported.inputs).toMatchObject({ tags: { team: "ml", app: "" } });
    expect((await provider()[kind].read(id, {})).props).toMatchObject({ tags: { team: "ml", app: "" } });
  });
});

test("resources of one run share a tag, which one of them creates", async () => {
  const one = provider();
  const tags = { team: "ml" };
  await Promise.all([begin(one.pod, "pod", { tags }), begin(one.networkVolume, "networkVolume", { tags })]);
  expect(writes().filter((request) => request.startsWith("POST"))).toEqual(["POST /tags"]);
  expect(writes().filter((request) => request.startsWith("PUT"))).toHaveLength(2);
});

test("a tag that another run creates at the same moment is that one", async () => {
  emulator.on("before", { method: "POST", path: "/tags" }, async () => {
    emulator.service.tags.create({ key: "team", value: "ml" });
  });
  const { id } = await begin("networkVolume", { tags: { team: "ml" } });
  expect(held("networkVolume", id).tags).toEqual({ team: "ml" });
});

test.each([
  { method: "POST", path: "/tags" },
  { method: "PUT", path: "/tags/*/resources/NETWORK_VOLUME/*" },
])("after a failure of $method $path, the object is in the state, and the next up goes on", async (match) => {
  const tags = { app: "", team: "ml" };
  emulator.faults.add({ match, when: "before", what: { status: 400, detail: "not today" }, skip: 1 });
  const failure = await begin("networkVolume", { tags, costCenter: "research" }).catch((error) => error);
  expect(failure.message).toMatch(/exists but is not ready: tags: (POST|PUT) \/tags.*not today/);
  const { id, properties } = failure;
  expect(properties.tags).toEqual({ app: "" });
  const { tags: mended } = await up("networkVolume", id, properties, { tags, costCenter: "research" });
  expect(mended).toEqual(tags);
  expect(held("networkVolume", id)).toEqual({ tags, center: ["research"] });
});

test("a tag that could not be detached goes with the next up", async () => {
  const { id, outs } = await begin("networkVolume", { tags: { app: "x", team: "ml" } });
  emulator.faults.add({
    match: { method: "DELETE", path: "/tags/*/resources/NETWORK_VOLUME/*" },
    when: "before",
    what: { status: 400 },
  });
  const failure = await up("networkVolume", id, outs, { tags: { app: "x" } }).catch((error) => error);
  const { props } = await provider().networkVolume.read(id, { ...failure.properties, __provider: "p" });
  await up("networkVolume", id, props, { tags: { app: "x" } });
  expect(held("networkVolume", id).tags).toEqual({ app: "x" });
});

test("a pod that does not become ready keeps its tags in the state", async () => {
  emulator.on("after", { method: "POST", path: "/pods" }, async () => {
    const [pod] = emulator.service.pods.list();
    emulator.service.pods.fail(String(pod?.id));
  });
  const failure = await begin("pod", { tags: { team: "ml" } }).catch((error) => error);
  expect(failure.message).toMatch(/not ready/);
  expect(failure.properties.tags).toEqual({ team: "ml" });
});

describe("a service without tags and cost centers", () => {
  beforeEach(() => goOnWith({ labels: false }));

  test.each([
    [{ tags: { team: "ml" } }, "tags"],
    [{ costCenter: "research" }, "costCenter"],
  ])("fails %j in the preview at the property", async (changes, property) => {
    const { networkVolume } = provider();
    const { failures } = await networkVolume.check({}, declared("networkVolume", changes));
    expect(failures).toEqual([
      { property, reason: expect.stringMatching(/beta.* Leave .* out.*\[PODLUMI-NO-TAGS\]$/) },
    ]);
    const { id, outs } = await begin("networkVolume");
    const state = { ...outs, __provider: "p" };
    const { inputs } = await networkVolume.check(state, declared("networkVolume", changes));
    await expect(networkVolume.diff(id, state, inputs)).rejects.toThrow(`${property}: the service has no`);
    await expect(networkVolume.update(id, state, inputs)).rejects.toThrow("[PODLUMI-NO-TAGS]");
  });

  test("is not asked for what no program declares", async () => {
    const { id, outs } = await begin("networkVolume");
    await up("networkVolume", id, outs, { size: 30 });
    expect(emulator.requests.filter(({ path }) => /tags|cost/.test(path))).toEqual([]);
  });
});

test.each([
  [{ tags: { "": "x" } }, 'tags[""]', "needs a name"],
  [{ tags: { "runpod:x": "y" } }, 'tags["runpod:x"]', "runpod:"],
  [{ tags: { "RunPod:x": "y" } }, 'tags["RunPod:x"]', "runpod:"],
  [{ tags: { " team": "y" } }, 'tags[" team"]', "white space"],
  [{ tags: { " ": "y" } }, 'tags[" "]', "white space"],
  [{ tags: { ["k".repeat(192)]: "y" } }, `tags.${"k".repeat(192)}`, "191 characters"],
  [{ tags: { team: "v".repeat(192) } }, "tags.team", "191 characters"],
  [{ tags: { team: 3 } }, "tags.team", "string"],
  [{ costCenter: "" }, "costCenter", "empty"],
  [{ costCenter: " x" }, "costCenter", "white space"],
  [{ costCenter: "c".repeat(51) }, "costCenter", "50 characters"],
])("%j is invalid at %s", (changes, property, reason) => {
  for (const kind of kinds)
    expect(check(kind, changes)).toEqual([{ property, reason: expect.stringContaining(reason) }]);
});

test.each([
  { tags: {} },
  { tags: { ["k".repeat(191)]: "v".repeat(191), team: "", runpodx: " outer " } },
  { costCenter: "c".repeat(50) },
])("%j is valid", (changes) => {
  for (const kind of kinds) expect(check(kind, changes)).toEqual([]);
});

test("other kinds have neither", () => {
  const having = Object.entries(definitions).filter(([, { fields }]) => "tags" in fields);
  expect(having.map(([name]) => name).sort()).toEqual(
    ["Cluster", "NetworkVolume", "Pod", "ServerlessEndpoint"].sort(),
  );
});
