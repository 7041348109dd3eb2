import { setTimeout } from "node:timers/promises";
import type { Properties } from "../../provider/value";
import { declared, emulator, type Kind, letServicePass, provider } from "./process";
import { leftBy, leftOver, object, previewed } from "./unclear";

// An update without a clear answer, of which the program takes back what it has changed.

const patch = { method: "PATCH" } as const;
const patches = () => emulator.requests.filter(({ method }) => method === "PATCH").length;

describe("is followed by an update that sends that, and then by none", () => {
  test.each<[Kind, Properties, Properties, object]>([
    ["serverlessEndpoint", { workers: { min: 0, max: 5 } }, { workers: { min: 3, max: 5 } }, {}],
    ["pod", { env: { A: "1" } }, { env: { A: "1", B: "2" } }, {}],
    ["template", { env: undefined }, { env: { B: "2" } }, { env: {} }],
  ])("a %s", async (kind, before, after, then) => {
    const { id, state, old } = await leftBy(kind, before, after);
    expect(object(kind, id)).toMatchObject(after);

    const { said, diff, update } = await previewed(kind, id, state, old);
    const told = kind === "pod" ? "a change of env restarts the pod: .* is lost\n" : "";
    expect({ said, changes: diff.changes ?? diff.fields.size > 0 }).toEqual({
      said: expect.stringMatching(new RegExp(`^${told}sends \\w+ again, as the program says: .*\n$`)),
      changes: true,
    });
    const { outs = {} } = await update();
    expect(object(kind, id)).toMatchObject({ ...before, ...then });
    if (kind === "pod") expect(object(kind, id).env).not.toHaveProperty("B");
    const next = await previewed(kind, id, { ...outs, __provider: "p" }, old);
    expect(next.diff.changes ?? true).toBe(false);
  });

  test.each<Kind>(["pod", "serverlessEndpoint"])(
    "a %s has no time limit, by which the sweep would delete it",
    async (kind) => {
      const { id, state, old } = await leftBy(kind, {}, { expiresAfter: "2h" });
      expect(object(kind, id).env).toHaveProperty("PODLUMI_EXPIRES");
      const { outs = {} } = await provider()[kind].update(id, state, old);
      expect(object(kind, id).env).not.toHaveProperty("PODLUMI_EXPIRES");
      expect((await provider()[kind].diff(id, outs, old)).fields.size).toBe(0);
    },
  );

  test("a template, where a gateway answers 404 to what the service has done", async () => {
    const template = (env: object | undefined) => declared("template", { name: "it", env });
    const { id, outs } = await provider().template.create(template(undefined));
    const answer = { status: 404, text: "<html>404 Not Found</html>", type: "text/html" };
    emulator.faults.add({ match: patch, when: "after", what: { answer }, times: 1 });
    const update = provider().template.update(id, outs as Properties, template({ B: "2" }));
    const { properties } = await leftOver(update);
    expect(object("template", id).env).toEqual({ B: "2" });
    await provider().template.update(id, properties, template(undefined));
    expect(object("template", id).env).toEqual({});
  });

  test("a pod, while the list still shows it as it was before", async () => {
    const pod = (env: object) => declared("pod", { name: "it", env });
    const { id, outs } = await provider().pod.create(pod({ A: "1" }));
    const lag = 3_000;
    await setTimeout(lag);
    emulator.service.timings.listLag = lag;
    emulator.faults.add({ match: patch, when: "after", what: { reset: true }, times: 1 });
    emulator.faults.add({ match: patch, when: "before", what: { status: 403 }, times: 1 });
    const { properties } = await leftOver(provider().pod.update(id, outs as Properties, pod({ A: "2" })));
    expect(object("pod", id).env).toMatchObject({ A: "2" });
    await provider().pod.update(id, properties, pod({ A: "1" }));
    expect(object("pod", id).env).toMatchObject({ A: "1" });
  });
});

describe("leaves the same in the state", () => {
  const endpoint = (min: number) => declared("serverlessEndpoint", { name: "it", workers: { min, max: 5 } });

  test("where Ctrl-C ends its retries", async () => {
    const { id, outs } = await provider().serverlessEndpoint.create(endpoint(0));
    const { run, serverlessEndpoint } = provider();
    emulator.faults.add({ match: patch, when: "after", what: { status: 504 }, times: 100 });
    const inPause = () => setTimeout(5).then(() => run.cancel());
    emulator.on("after", patch, () => void (patches() === 4 && inPause()));
    await expect(serverlessEndpoint.update(id, outs as Properties, endpoint(3))).rejects.toMatchObject({
      message: expect.stringMatching(/it was cancelled.*may still take effect.*PODLUMI-CANCELLED/),
      properties: { workers: { min: 0 }, __unfinished: { unclear: { fields: ["workers"] } } },
    });
    expect(object("serverlessEndpoint", id)).toMatchObject({ workers: { min: 3 } });
  });

  test.each([402, 403, 409])("where a later attempt is refused with %i", async (status) => {
    const { id, outs } = await provider().serverlessEndpoint.create(endpoint(0));
    emulator.faults.add({ match: patch, when: "after", what: { reset: true }, times: 1 });
    emulator.faults.add({ match: patch, when: "before", what: { status }, times: 100 });
    const update = provider().serverlessEndpoint.update(id, outs as Properties, endpoint(3));
    await expect(update).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `${status} .*Before that, PATCH /serverless/\\w+ had no clear answer .*and may still take effect`,
        ),
      ),
      properties: { workers: { min: 0 }, __unfinished: { unclear: { fields: ["workers"] } } },
    });
    expect(object("serverlessEndpoint", id)).toMatchObject({ workers: { min: 3 } });
  });
});

test("is over for a refresh ten minutes later, which shows what it has done", async () => {
  const { id, state } = await leftBy("serverlessEndpoint", { workers: { min: 0 } }, { workers: { min: 3 } });
  const refreshed = async () => (await provider().serverlessEndpoint.read(id, state)).props;
  expect(await refreshed()).toMatchObject({
    workers: { min: 3 },
    __unfinished: { unclear: { fields: ["workers"] } },
  });
  letServicePass(900_000);
  const after = await refreshed();
  expect(after).toMatchObject({ workers: { min: 3 } });
  expect(after).not.toHaveProperty("__unfinished");
});

describe("that has made a volume larger", () => {
  const grown = () => leftBy("networkVolume", { size: 20 }, { size: 60 });

  test("fails in the preview, since only a replacement makes it smaller", async () => {
    const { id, state, old } = await grown();
    letServicePass(300_000);
    await expect(previewed("networkVolume", id, state, old)).rejects.toThrow(
      /will not replace .* size: the program still says 20, and by now it is 60, and the data on it would be lost.*PODLUMI-DATA-LOSS/,
    );
  });

  test("fails with advice, where the list does not show that yet", async () => {
    const { id, state, old } = await grown();
    const { said, update } = await previewed("networkVolume", id, state, old);
    expect(said).toContain("sends size again, as the program says");
    await expect(update()).rejects.toThrow(
      /400 .*An earlier update may have changed size: run `pulumi refresh`, which shows what the object has/,
    );
  });
});

describe("that has given a template storage", () => {
  const mounts = { persistent: { size: 10, path: "/workspace" } };

  test("is followed by its replacement, since nothing else takes that away", async () => {
    const { id, state, old } = await leftBy("template", {}, { mounts });
    letServicePass(300_000);
    const { said, diff } = await previewed("template", id, state, old);
    expect({ said, fields: [...diff.fields] }).toEqual({ said: "", fields: [["mounts", "replace"]] });
  });

  test("promises nothing where the list does not show that yet, and stays known", async () => {
    const { id, state, old } = await leftBy("template", {}, { mounts });
    const { said, diff, update } = await previewed("template", id, state, old);
    expect({ said, changes: diff.changes }).toEqual({ said: "", changes: false });
    // The engine does it all the same: the update before has failed.
    const { outs = {} } = await update();
    const next = await previewed("template", id, { ...outs, __provider: "p" }, old);
    expect([...next.diff.fields]).toEqual([["mounts", "replace"]]);
  });
});

test("that has renamed a template is taken back: the name is its own", async () => {
  const { id, state, old } = await leftBy("template", { name: "worker" }, { name: "renamed" });
  expect(object("template", id).name).toBe("renamed");
  const { said, update } = await previewed("template", id, state, old);
  expect(said).toContain("sends name again, as the program says");
  await update();
  expect(object("template", id).name).toBe("worker");
});

test("leaves it to the engine to compare what the program changes by now, so that replaceOnChanges applies", async () => {
  const { id, state, old } = await leftBy("serverlessEndpoint", {}, { workers: { min: 2, max: 3 } });
  const { said, diff } = await previewed("serverlessEndpoint", id, state, { ...old, image: "org/worker:2" });
  expect({ said, changes: diff.changes, fields: [...diff.fields.keys()] }).toEqual({
    said: expect.stringContaining("sends workers again, as the program says"),
    changes: undefined,
    fields: ["image"],
  });
});

describe("of the status of a pod", () => {
  const action = { method: "POST", path: "/pods/*/action" } as const;
  const pod = (more: Properties) => declared("pod", { name: "it", ...more });

  /** What fails where the action of an update takes effect so late that podlumi does not see it any more. */
  async function leftLate(before: Properties, after: Properties) {
    const { id, outs } = await provider().pod.create(pod(before));
    emulator.faults.add({ match: action, when: "before", what: { later: 15_000 }, times: 1 });
    const { properties } = await leftOver(provider().pod.update(id, outs as Properties, pod(after)));
    return { id, state: { ...properties, __provider: "p" } };
  }

  test.each([
    ["started", "EXITED", "RUNNING"],
    ["stopped", "RUNNING", "EXITED"],
  ])("that it %s is taken back", async (_title, was, is) => {
    const { id, state } = await leftLate({ desiredStatus: was }, { desiredStatus: is });
    expect(state).toMatchObject({ __unfinished: { unclear: { fields: ["desiredStatus"] } } });
    letServicePass(30_000);
    emulator.service.pods.act(id, is === "RUNNING" ? "start" : "stop");
    const { said, diff, update } = await previewed("pod", id, state, pod({ desiredStatus: was }));
    expect({ said, changes: diff.changes }).toEqual({
      said: expect.stringContaining("sends desiredStatus again, as the program says"),
      changes: true,
    });
    const { outs = {} } = await update();
    expect(emulator.service.pods.get(id).status).toBe(was);
    const next = await previewed("pod", id, { ...outs, __provider: "p" }, pod({ desiredStatus: was }));
    expect(next.diff.changes ?? true).toBe(false);
  });

  test("is kept as open, where Ctrl-C ends the look for what it has done", async () => {
    const { id, outs } = await provider().pod.create(pod({}));
    const { run, pod: of } = provider();
    emulator.faults.add({ match: action, when: "before", what: { later: 60_000 }, times: 1 });
    const look = { method: "GET", path: `/pods/${id}` } as const;
    emulator.on("after", look, () => run.cancel());
    await expect(of.update(id, outs as Properties, pod({ desiredStatus: "EXITED" }))).rejects.toMatchObject({
      message: expect.stringMatching(/cancelled.*the stop had no clear answer, and may still take effect/),
      properties: { __unfinished: { unclear: { fields: ["desiredStatus"] } } },
    });
  });

  test("and that of its lock: one that took effect is taken back", async () => {
    const { id, outs } = await provider().pod.create(pod({}));
    emulator.faults.add({ match: patch, when: "after", what: { reset: true }, times: 100 });
    const { properties } = await leftOver(
      provider().pod.update(id, outs as Properties, pod({ locked: true })),
    );
    emulator.faults.clear();
    expect(emulator.service.pods.get(id).locked).toBe(true);
    const { update } = await previewed("pod", id, { ...properties, __provider: "p" }, pod({}));
    await update();
    expect(emulator.service.pods.get(id).locked).toBe(false);
  });
});
