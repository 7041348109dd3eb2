import { systemClock } from "../../provider/client/clock";
import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { template } from "../../provider/resources/template";
import { unknownValue } from "../../provider/value";
import { type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import type { Fault } from "../../sdk/emulator/service/faults/fault";
import { useFastClock } from "./fast-clock";
import { heard } from "./process";

afterEach(() => jest.restoreAllMocks());

const inputs = {
  name: "worker",
  image: "org/worker:1",
  args: "-v",
  category: "AMD",
  startSsh: false,
  __urn: "urn:t",
};

test.each<[string, EmulatorOptions["features"]]>([
  ["by the other name of the arguments", { templateArgs: "containerArgs" }],
  ["by the public service's name of the arguments", { templateArgs: "dockerArgs" }],
  ["on a server that cannot tell it", { graphqlExtras: false }],
])("a template gets its readme %s, and keeps all else", async (_title, features) => {
  const emulator = await startEmulator({ features });
  const verbs = () => handler(template, new Run({ ...emulator.env }));

  const { id, outs } = await verbs().create({ ...inputs, readme: "# One" });
  expect(emulator.service.templates.readme(id)).toBe("# One");
  expect(emulator.service.templates.get(id)).toMatchObject({ args: "-v", category: "AMD", startSsh: false });

  await verbs().update?.(id, outs, { ...inputs, readme: "# Two" });
  expect(emulator.service.templates.readme(id)).toBe("# Two");
  const read = await verbs().read?.(id, { ...outs, readme: "# Two" });
  expect(read?.props).toMatchObject({ readme: "# Two", args: "-v" });
  await emulator.close();
});

test("a template without readme needs no GraphQL", async () => {
  const emulator = await startEmulator({ features: { graphql: false } });
  const { create, read } = handler(template, new Run({ ...emulator.env }));
  const { id, outs } = await create(inputs);
  expect((await read(id, outs))?.props).toMatchObject({ readme: "" });
  expect(emulator.requests.filter((request) => request.interface === "graphql")).toEqual([]);
  await emulator.close();
});

test("the public service saves a readme with all settings but the CUDA versions, so that REST has only these to restore", async () => {
  const emulator = await startEmulator({ features: { templateArgs: "dockerArgs" } });
  const { create } = handler(template, new Run({ ...emulator.env }));
  const make = async (name: string, more: object = {}) => {
    const { id } = await create({ ...inputs, name, public: true, readme: "# One", ...more });
    const sent = emulator.requests.splice(0).map(({ operation, method }) => operation ?? method);
    return { sent, made: emulator.service.templates.get(id) };
  };
  await make("first");
  const { sent, made } = await make("plain");
  expect(sent).toEqual(["POST", "saveTemplate", "saveTemplate"]);
  expect(made).toMatchObject({ args: "-v", category: "AMD", startSsh: false, public: true });
  const limited = await make("limited", { allowedCudaVersions: ["12.4"] });
  expect(limited.sent).toEqual(["POST", "saveTemplate", "saveTemplate", "PATCH"]);
  expect(limited.made).toMatchObject({ category: "AMD", allowedCudaVersions: ["12.4"] });
  await emulator.close();
});

test("what a save has reset, and a failure left so, the next update restores", async () => {
  useFastClock();
  const emulator = await startEmulator({
    faults: [{ match: { method: "PATCH" }, when: "before", what: { status: 400 }, times: 1 }],
  });
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const news = { ...inputs, readme: "# One" };
  const { id, properties } = await verbs()
    .create(news)
    .catch((error) => error);
  expect(emulator.service.templates.get(id)).toMatchObject({ category: "NVIDIA", startSsh: true });
  await verbs().update(id, properties, news);
  expect(emulator.service.templates.get(id)).toMatchObject({ category: "AMD", startSsh: false });
  await emulator.close();
});

test("a save after a response without mounts keeps the storage that the program declares", async () => {
  useFastClock();
  const emulator = await startEmulator({
    faults: [{ match: { method: "PATCH" }, when: "before", what: { status: 400 }, times: 1 }],
  });
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const mounts = { persistent: { size: 20, path: "/t" } };
  const news = { ...inputs, mounts, readme: "# One" };
  const { id, properties } = await verbs()
    .create(news)
    .catch((error) => error);
  const match = { method: "GET" };
  emulator.faults.add({ match, when: "after", what: { blank: ["mounts"] }, times: 0 });
  await verbs().update(id, properties, news);
  expect(emulator.service.templates.get(id)).toMatchObject({ mounts, category: "AMD" });
  await emulator.close();
});

test("a template whose readme a retired GraphQL has refused needs none of it once the program drops the readme", async () => {
  const emulator = await startEmulator({
    faults: [{ match: { interface: "graphql" }, when: "before", what: { status: 410 } }],
  });
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const { id, message, properties } = await verbs()
    .create({ ...inputs, readme: "# One" })
    .catch((error) => error);
  expect(message).toContain("PODLUMI-RETIRED");
  const { outs } = await verbs().update(id, properties, inputs);
  expect((await verbs().diff(id, outs ?? {}, inputs)).changes).toBe(false);
  await emulator.close();
});

describe("once the service has retired GraphQL, a template with a readme", () => {
  const retired = {
    match: { interface: "graphql" },
    when: "before",
    what: { status: 410 },
    times: 0,
  } as const;
  const start = async () => {
    const emulator = await startEmulator();
    const verbs = () => handler(template, new Run({ ...emulator.env }));
    const news = { ...inputs, readme: "# One" };
    const { id, outs } = await verbs().create(news);
    emulator.faults.add(retired);
    return { emulator, verbs, news, id, outs };
  };

  test("is refreshed and changed as before", async () => {
    const { emulator, verbs, news, id, outs } = await start();
    expect((await verbs().read(id, outs)).props).toMatchObject({ readme: "# One" });
    await verbs().update(id, outs, { ...news, image: "org/worker:2" });
    expect(emulator.service.templates.get(id)).toMatchObject({ image: "org/worker:2" });
    await emulator.close();
  });

  test("can drop it, which changes only the state, as the preview says", async () => {
    const { emulator, verbs, id, outs } = await start();
    const { result, said } = await heard(() => verbs().diff(id, outs, inputs));
    expect([...result.fields.keys()]).toEqual(["readme"]);
    expect(said).toContain("the template keeps its readme");
    const { outs: left = {} } = await verbs().update(id, outs, inputs);
    expect(emulator.service.templates.readme(id)).toBe("# One");
    expect((await verbs().diff(id, left, inputs)).changes).toBe(false);
    await emulator.close();
  });

  test("keeps a readme that the program computes: it may be the one that it has", async () => {
    const { emulator, verbs, id, outs, news } = await start();
    const { fields } = await verbs().diff(id, outs, { ...news, readme: unknownValue });
    expect([...fields.keys()]).toEqual(["readme"]);
    await emulator.close();
  });

  test("cannot get another one, nor a new template one: the preview fails", async () => {
    const { emulator, verbs, id, outs, news } = await start();
    const another = { ...news, readme: "# Two" };
    await expect(verbs().diff(id, outs, another)).rejects.toThrow(/readme: .*retired.*PODLUMI-RETIRED/);
    const { failures } = await verbs().check({}, { ...another, name: "new", __urn: "urn:new" });
    expect(failures).toEqual([expect.objectContaining({ property: "readme" })]);
    await emulator.close();
  });

  test("cannot be adopted with it, since nothing tells which one it has", async () => {
    const { emulator, verbs, news } = await start();
    const { templates } = emulator.service;
    const { id } = templates.create({ name: "other", image: "org/worker:1" });
    const adopting = { ...news, name: "other", image: "org/worker:2", adopt: id };
    const { failures } = await verbs().check({}, adopting);
    expect(failures).toEqual([expect.objectContaining({ property: "adopt" })]);
    await expect(verbs().create(adopting)).rejects.toThrow("PODLUMI-RETIRED");
    expect(templates.get(id).image).toBe("org/worker:1");
    await emulator.close();
  });
});

describe("where GraphQL lives", () => {
  const start = async (what: Fault["what"], operation?: string) => {
    const emulator = await startEmulator();
    const verbs = () => handler(template, new Run({ ...emulator.env }));
    const { id, outs } = await verbs().create({ ...inputs, readme: "# One" });
    emulator.faults.add({ match: { interface: "graphql", operation }, when: "before", what, times: 0 });
    return { emulator, verbs, id, outs };
  };

  test("a 410 to the removal of a readme fails: the template still has it", async () => {
    const { emulator, verbs, id, outs } = await start({ status: 410 }, "saveTemplate");
    await expect(verbs().update(id, outs, inputs)).rejects.toThrow("410");
    emulator.faults.clear();
    await verbs().update(id, outs, inputs);
    expect(emulator.service.templates.readme(id)).toBe("");
    await emulator.close();
  });

  test("and does not answer, the preview of another readme goes on without an answer", async () => {
    useFastClock();
    const { emulator, verbs, id, outs } = await start({ status: 503 });
    const began = systemClock.now();
    await verbs().diff(id, outs, { ...inputs, readme: "# Two" });
    expect(systemClock.now() - began).toBeLessThan(11_000);
    await emulator.close();
  });
});

test("podlumi asks for no readme that it knows, and reads the others with the templates", async () => {
  const emulator = await startEmulator();
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const asked = () => emulator.requests.splice(0).map(({ operation, method }) => operation ?? method);
  const { id, outs } = await verbs().create({ ...inputs, readme: "# One" });
  expect(asked()).toEqual(["GET", "GET", "POST", "saveTemplate", "PATCH"]);
  await verbs().update?.(id, outs, { ...inputs, readme: "# One", image: "org/worker:2" });
  expect(asked()).toEqual(["GET", "PATCH"]);
  emulator.service.timings.latency = 300;
  await verbs().read?.(id, { ...outs, readme: "# One" });
  const [first, second] = emulator.requests;
  expect([first?.operation, second?.operation]).toContain("myself");
  expect(Number(second?.at) - Number(first?.at)).toBeLessThan(300);
  await emulator.close();
});

test("the form of saveTemplate that the public service has is tried where the other is not in its schema", async () => {
  const emulator = await startEmulator({ features: { templateArgs: "dockerArgs" } });
  const { create } = handler(template, new Run({ ...emulator.env }));
  await create({ ...inputs, readme: "# Read" });
  const saves = emulator.requests.filter(({ operation }) => operation === "saveTemplate");
  expect(saves.map(({ status }) => status)).toEqual([400, 200]);
  await emulator.close();
});

const refusal = { data: null, errors: [{ message: "not this one" }] };

test("a template whose readme is refused fails alone", async () => {
  const emulator = await startEmulator({
    features: { templateArgs: "dockerArgs" },
    faults: [
      {
        match: { operation: "saveTemplate" },
        when: "before",
        what: { answer: { status: 200, body: refusal } },
      },
    ],
  });
  const { create } = handler(template, new Run({ ...emulator.env }));
  const made = ["a", "b", "c"].map((name) => create({ ...inputs, name, readme: "# Read" }));
  const outcomes = (await Promise.allSettled(made)).map(({ status }) => status).sort();
  expect(outcomes).toEqual(["fulfilled", "fulfilled", "rejected"]);
  await emulator.close();
});

const unclear = (operation: string): Fault => ({
  match: { operation },
  when: "after",
  what: { answer: { status: 404, text: "Not Found" } },
});

test("a save without a clear answer is done if the readme is there", async () => {
  const emulator = await startEmulator({ faults: [unclear("saveTemplate")] });
  const { create } = handler(template, new Run({ ...emulator.env }));
  const { outs } = await create({ ...inputs, readme: "# One" });
  expect(outs?.readme).toBe("# One");
  await emulator.close();
});

test.each(["env", "args", "ports"])(
  "no save goes out beside a response without %s, which it would overwrite",
  async (name) => {
    const emulator = await startEmulator();
    const verbs = () => handler(template, new Run({ ...emulator.env }));
    const { id, outs } = await verbs().create({ ...inputs, readme: "# One" });
    const before = emulator.service.templates.get(id);
    const match = { method: "PATCH", path: "/templates/*" };
    emulator.faults.add({ match, when: "after", what: { blank: [name] }, times: 1 });
    const news = { ...inputs, image: "org/worker:2", readme: "# Two" };
    const { message, properties } = await verbs()
      .update(id, outs, news)
      .catch((error) => error);
    expect(message).toMatch(new RegExp(`without ${name},.*PODLUMI-UNREADABLE`));
    expect(emulator.service.templates.get(id)).toEqual({ ...before, image: "org/worker:2" });
    await verbs().update(id, properties, news);
    expect(emulator.service.templates.readme(id)).toBe("# Two");
    await emulator.close();
  },
);

test.each<[string, Fault[]]>([
  ["of which nothing is known", [unclear("saveTemplate"), unclear("myself")]],
  [
    "after which the rest fails",
    [{ match: { method: "PATCH" }, when: "before", what: { status: 400 }, times: 1 } as Fault],
  ],
])("a readme of a save %s goes with the next edit that drops it", async (_title, faults) => {
  const emulator = await startEmulator({ faults });
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const { id, properties } = await verbs()
    .create({ ...inputs, readme: "# One" })
    .catch((error) => error);
  expect(properties).toMatchObject({ readme: "# One" });
  expect(emulator.service.templates.readme(id)).toBe("# One");
  expect((await verbs().read(id, properties)).props).toMatchObject({ readme: "# One" });

  await verbs().update?.(id, properties, inputs);
  expect(emulator.service.templates.readme(id)).toBe("");
  await emulator.close();
});

const refused = (times: number): Fault => ({
  match: { operation: "saveTemplate" },
  when: "before",
  what: { answer: { status: 200, body: refusal } },
  times,
});

test.each([
  ["to remove", "# One", undefined],
  ["to change", "# One", "# Two"],
])("a readme that the service refused %s differs until an update gets through", async (_what, from, to) => {
  const emulator = await startEmulator();
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const { id, outs } = await verbs().create({ ...inputs, readme: from });
  const news = { ...inputs, readme: to };
  emulator.faults.add(refused(1));
  const { properties } = await verbs()
    .update(id, outs, news)
    .catch((error) => error);
  expect(emulator.service.templates.readme(id)).toBe(from);

  const { props: refreshed = {} } = await verbs().read(id, properties);
  expect((await verbs().diff(id, refreshed, news)).fields.has("readme")).toBe(true);
  // Without a refresh, the engine updates what was not ready.
  const { outs: updated } = await verbs().update(id, properties, { ...news, image: "org/worker:2" });
  expect(emulator.service.templates.readme(id)).toBe(to ?? "");
  expect((await verbs().diff(id, updated ?? {}, { ...news, image: "org/worker:2" })).fields.size).toBe(0);
  await emulator.close();
});

describe("what a save has reset", () => {
  const declared = { ...inputs, public: true, readme: "# One" };
  /** The program leaves `startJupyter` and the CUDA versions to others. */
  const set = { startJupyter: false, allowedCudaVersions: ["12.4"] };
  const all = { category: "AMD", startSsh: false, public: true, ...set };
  const reset = {
    category: "NVIDIA",
    startSsh: true,
    public: false,
    startJupyter: true,
    allowedCudaVersions: [],
  };
  const restoration = { method: "PATCH", path: "/templates/*" };
  const refusal: Fault = { match: restoration, when: "before", what: { status: 400 }, times: 1 };

  const start = async () => {
    useFastClock();
    const emulator = await startEmulator();
    const verbs = () => handler(template, new Run({ ...emulator.env }));
    const { id, outs } = await verbs().create(declared);
    emulator.service.templates.update(id, set);
    const { props = {} } = await verbs().read(id, outs);
    expect(emulator.service.templates.get(id)).toMatchObject(all);
    return { emulator, verbs, id, state: props, now: () => emulator.service.templates.get(id) };
  };

  /** The restoration after another readme was refused. */
  const failed = async () => {
    const started = await start();
    const { emulator, verbs, id, state, now } = started;
    emulator.faults.add(refusal);
    const { properties } = await verbs()
      .update(id, state, { ...declared, readme: "# Two" })
      .catch((error) => error);
    expect(now()).toMatchObject(reset);
    return { ...started, state: properties };
  };

  test.each<[string, object]>([
    ["the next up", { readme: "# Two" }],
    ["the next up with another readme", { readme: "# Three" }],
    ["the next up with the readme of before", { readme: "# One" }],
    ["the next up without a readme", { readme: undefined }],
    [
      "the next up, where the program says otherwise by now",
      { readme: "# Two", category: "CPU", public: undefined, startJupyter: true },
    ],
  ])("and whose restoration was refused, is restored by %s", async (_title, news) => {
    const { emulator, verbs, id, state, now } = await failed();
    const next = { ...declared, ...news };
    const { outs = {} } = await verbs().update(id, state, next);
    const { public: isPublic = false, category, startJupyter = false } = next as Record<string, unknown>;
    expect(now()).toMatchObject({ ...all, public: isPublic, category, startJupyter });
    expect(outs).toMatchObject({ ...all, public: isPublic, category, startJupyter });
    expect(emulator.service.templates.readme(id)).toBe(next.readme ?? "");
    expect((await verbs().diff(id, outs, next)).changes).toBe(false);
    await emulator.close();
  });

  test.each([["# Two"], [undefined]])(
    "and whose restoration was refused, is restored after a refresh as far as the program declares it: readme %s",
    async (readme) => {
      const { emulator, verbs, id, state, now } = await failed();
      const { props = {} } = await verbs().read(id, state);
      const next = { ...declared, readme };
      const { outs = {} } = await verbs().update(id, props, next);
      expect(now()).toMatchObject({ category: "AMD", startSsh: false, public: true });
      expect(emulator.service.templates.readme(id)).toBe(readme ?? "");
      expect((await verbs().diff(id, outs, next)).changes).toBe(false);
      await emulator.close();
    },
  );

  test("is restored also where the service has retired GraphQL since then, and the program drops the readme", async () => {
    const { emulator, verbs, id, state, now } = await failed();
    emulator.faults.add({ match: { interface: "graphql" }, when: "before", what: { status: 410 }, times: 0 });
    await verbs().update(id, state, { ...declared, readme: undefined });
    expect(now()).toMatchObject(all);
    await emulator.close();
  });

  test("is restored at once, though reads may lag behind the failed save", async () => {
    const { emulator, verbs, id, state } = await failed();
    const began = systemClock.now();
    await verbs().update(id, state, { ...declared, readme: "# Two" });
    expect(systemClock.now() - began).toBeLessThan(10_000);
    await emulator.close();
  });

  test("is restored also where the restoration of a removed readme was refused", async () => {
    const { emulator, verbs, id, state, now } = await start();
    const news = { ...declared, readme: undefined };
    emulator.faults.add(refusal);
    const { properties } = await verbs()
      .update(id, state, news)
      .catch((error) => error);
    expect(now()).toMatchObject(reset);
    await verbs().update(id, properties, news);
    expect(now()).toMatchObject(all);
    await emulator.close();
  });

  test("is restored also where nothing tells whether the save was done", async () => {
    const { emulator, verbs, id, state, now } = await start();
    const news = { ...declared, image: "org/worker:2", readme: "# Two" };
    emulator.faults.add({ ...unclear("saveTemplate"), times: 1 });
    // One look comes before the save, to see whether there is GraphQL.
    emulator.faults.add({ ...unclear("myself"), times: 2 });
    const { properties } = await verbs()
      .update(id, state, news)
      .catch((error) => error);
    expect(now()).toMatchObject(reset);
    await verbs().update(id, properties, news);
    expect(now()).toMatchObject(all);
    await emulator.close();
  });

  /** A run saves another readme and is killed. The state is that from before. */
  const killed = async () => {
    const started = await start();
    const { emulator, verbs, id, state, now } = started;
    emulator.faults.add(refusal);
    await verbs()
      .update(id, state, { ...declared, readme: "# Two" })
      .catch(() => undefined);
    expect(now()).toMatchObject(reset);
    return started;
  };

  test.each<[string, object]>([
    ["the same program", { readme: "# Two" }],
    ["the same program and another image", { readme: "# Two", image: "org/worker:2" }],
    ["another readme and image", { readme: "# Three", image: "org/worker:2" }],
    ["no readme", { readme: undefined }],
  ])(
    "by a run that was killed then, an up with %s sets as far as the program declares it",
    async (_title, news) => {
      const { emulator, verbs, id, state, now } = await killed();
      const after = { ...all, startJupyter: true, allowedCudaVersions: [], ...news, readme: undefined };
      const next = { ...declared, ...news };
      const { outs = {} } = await verbs().update(id, state, next);
      expect({ ...now(), readme: undefined }).toMatchObject(after);
      expect({ ...outs, readme: undefined }).toMatchObject(after);
      expect(emulator.service.templates.readme(id)).toBe(next.readme ?? "");
      expect((await verbs().diff(id, outs, next)).changes).toBe(false);
      await emulator.close();
    },
  );

  // Nothing tells it from what a person has set.
  test("by a run that was killed then, an up with the readme of before leaves, and the one after a refresh sets", async () => {
    const { emulator, verbs, id, state, now } = await killed();
    const next = { ...declared, image: "org/worker:2" };
    const { outs = {} } = await verbs().update(id, state, next);
    expect(now()).toMatchObject({ ...reset, image: "org/worker:2" });
    const { props = {} } = await verbs().read(id, outs);
    const { fields } = await verbs().diff(id, props, next);
    expect([...fields.keys()]).toEqual(expect.arrayContaining(["public", "category", "startSsh"]));
    await verbs().update(id, props, next);
    expect(now()).toMatchObject({ category: "AMD", startSsh: false, public: true });
    expect(emulator.service.templates.readme(id)).toBe("# One");
    await emulator.close();
  });

  test("is not taken for what others have set", async () => {
    const { emulator, verbs, id, state, now } = await start();
    emulator.service.templates.update(id, { startJupyter: true, category: "CPU" });
    await verbs().update(id, state, { ...declared, readme: "# Two" });
    expect(now()).toMatchObject({ ...all, startJupyter: true, category: "CPU" });
    emulator.faults.add(refusal);
    const { properties } = await verbs()
      .update(id, state, { ...declared, readme: "# Three" })
      .catch((error) => error);
    emulator.service.templates.update(id, { category: "AMD", allowedCudaVersions: ["12.8"] });
    await verbs().update(id, properties, { ...declared, readme: "# Three" });
    expect(now()).toMatchObject({ category: "AMD", public: true, allowedCudaVersions: ["12.8"] });
    await emulator.close();
  });
});

test("what a person has set with a readme of theirs an update of something else leaves, without a look at it", async () => {
  const emulator = await startEmulator();
  const { templates } = emulator.service;
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const found = { name: "worker", image: "org/worker:1", public: true, startSsh: false };
  const { id } = templates.create(found);
  // The program leaves who may use it to others.
  const news = { ...inputs, startSsh: undefined, readme: "# One" };
  const { outs } = await verbs().create({ ...news, adopt: id });
  expect(templates.get(id)).toMatchObject(found);
  const theirs = { public: false, startSsh: true, readme: "# Theirs" };
  templates.update(id, theirs);
  emulator.requests.splice(0);
  await verbs().update(id, outs, { ...news, image: "org/worker:2" });
  expect({ ...templates.get(id), readme: templates.readme(id) }).toMatchObject({
    ...theirs,
    image: "org/worker:2",
  });
  expect(emulator.requests.map(({ operation, method }) => operation ?? method)).toEqual(["GET", "PATCH"]);
  // A refresh shows the readme, and the next update sets it.
  const { props = {} } = await verbs().read(id, outs);
  await verbs().update(id, props, news);
  expect(templates.get(id)).toMatchObject({ public: false, startSsh: true });
  expect(templates.readme(id)).toBe("# One");
  await emulator.close();
});

test.each<[string, object]>([
  ["an update of it", {}],
  ["an adoption that sets one", { readme: undefined }],
])("%s keeps what only GraphQL has of the template", async (_title, before) => {
  const emulator = await startEmulator({ features: { templateArgs: "dockerArgs" } });
  const verbs = () => handler(template, new Run({ ...emulator.env }));
  const extras = { startScript: "./start", advancedStart: true, portsConfig: [{ port: "80", name: "web" }] };
  const given = { ...inputs, readme: "# One", ...before };
  const { id, outs } = await verbs().create(given);
  emulator.service.templates.update(id, extras);
  const news = { ...inputs, readme: "# Two" };
  await (given.readme === undefined
    ? verbs().create({ ...news, adopt: id, __urn: "urn:other" })
    : verbs().update?.(id, outs, news));
  expect(emulator.service.templates.extras(id)).toEqual({ ...extras, readme: "# Two" });
  await emulator.close();
});
