import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../provider/client/clock";
import { recent } from "../../provider/client/proof";
import { endRun } from "../../provider/core/end";
import type { Properties } from "../../provider/core/value";
import {
  backend,
  begin,
  create,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  kinds,
  loseState,
  provider,
  runs,
  stacks,
  stated,
  stateHas,
  urnOf,
} from "./process";

test.each(kinds)("a %s that is gone already is deleted, also by the run that created it", async (kind) => {
  const of = provider()[kind];
  const { id, outs } = await begin(of, kind);
  await of.delete(id, outs ?? {});
  await of.delete(id, outs ?? {});
  expect(existing()).toEqual([]);
});

test("a deletion that is refused for too long says who uses what", async () => {
  const { networkVolume, pod } = provider();
  const { id } = await create(networkVolume, "networkVolume");
  const holder = await create(pod, "pod", { mounts: { network: [{ volumeId: id, path: "/a" }] } });
  const deleted = networkVolume.delete?.(id, { name: "data", deleteTimeout: 1 });
  await expect(deleted).rejects.toThrow(
    new RegExp(
      `could not delete network volume "data" .* retried for 1 s\\. It is used by pod "trainer" \\(${holder.id}\\)`,
    ),
  );
});

test("the name of what uses it cannot hide the rest of the error", async () => {
  const { networkVolume, pod } = provider();
  const { id } = await create(networkVolume, "networkVolume");
  await create(pod, "pod", {
    name: "a\u001b[2K\nb",
    mounts: { network: [{ volumeId: id, path: "/a" }] },
  });
  const deleted = networkVolume.delete?.(id, { name: "data", deleteTimeout: 1 });
  await expect(deleted).rejects.toThrow(String.raw`It is used by pod "a\u{1b}[2K\u{a}b" (`);
});

/** A pod, and a service that answers a deletion as if it had none. It shows it again after so many looks at the list. */
async function unshownPod(looks: number) {
  const { id, outs = {} } = await create(provider().pod, "pod", {
    name: inputs.pod.name,
    __stack: stacks.ours,
  });
  const missing = (match: object, times: number) =>
    emulator.faults.add({ match, when: "before", what: { status: 404 }, times } as never);
  missing({ method: "DELETE", path: `/pods/${id}` }, 1);
  missing({ method: "GET", path: `/pods/${id}` }, looks + 1);
  const none = { answer: { status: 200, body: { pods: [] } } };
  emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: none, times: looks });
  return { id, outs };
}

test("what was created a moment ago, and does not show yet, is deleted as soon as it does", async () => {
  const { id, outs } = await unshownPod(3);
  jest.restoreAllMocks(); // A list on a busy machine takes longer than seconds of the fast clock.
  await provider().pod.delete(id, outs);
  expect(existing()).toEqual([]);
});

test("what a deletion did not find, and the end of the run shows, is named", async () => {
  const { id, outs } = await unshownPod(100);
  const { run, pod } = provider();
  const { said } = await heard(async () => {
    await pod.delete(id, { ...outs, __made: "2020-01-01T00:00:00.000Z" });
    emulator.faults.clear();
    await systemClock.sleep(recent);
    await endRun(run);
  });
  expect(existing()).toEqual([id]);
  expect(said).toContain(`there is no pod ${id} any more.`);
  expect(said).toMatch(new RegExp(`\\(${id}\\) is there after all: .* \\[PODLUMI-ORPHAN\\]`));
});

describe("a template that the service does not free", () => {
  beforeEach(() => {
    const match = { method: "DELETE", path: "/templates/*" };
    emulator.faults.add({ match, when: "before", what: { inUse: true }, times: 0 });
  });

  const refused = async (changes: Properties = {}) => {
    const { run, template, pod, serverlessEndpoint } = provider();
    const { id, outs } = await begin(template, "template", changes);
    const removed = () => template.delete(id, { ...outs, deleteTimeout: 1 });
    return { run, id, pod, serverlessEndpoint, removed };
  };

  test("is used by nothing any more: the error does not ask to delete something", async () => {
    const { removed } = await refused();
    await expect(removed()).rejects.toThrow(
      /retried for 1 s\. Nothing uses it any more, and the service will free it soon: run the command again \[PODLUMI-IN-USE\]/,
    );
  });

  test("is used by a cluster, and the pods of that and of others are not told of", async () => {
    const { removed } = await refused();
    const [{ id: templateId } = { id: "" }] = emulator.service.templates.list();
    const compute = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
    const more = { name: "ring", type: "TRAINING", compute } as const;
    const { id } = emulator.service.clusters.create({ ...more, templateId });
    emulator.service.clusters.create({ ...more, image: String(inputs.template.image) });
    await expect(removed()).rejects.toThrow(
      `It is used by cluster "ring" (${id}). Delete that first, or declare`,
    );
  });

  test("may be used by a pod of the same image, which the error does not tell to delete as it is", async () => {
    const { pod, removed } = await refused();
    const { id } = await begin(pod, "pod", { name: "trainer", image: inputs.template.image });
    await expect(removed()).rejects.toThrow(
      `It may be used by pod "trainer" (${id}), which has its image. If so, delete that first, or declare`,
    );
  });

  test("is used by what another stack has, also where a run has looked at its states long before", async () => {
    const { run, id: templateId, serverlessEndpoint, removed } = await refused({ serverless: true });
    const { id } = await begin(serverlessEndpoint, "serverlessEndpoint", { name: "llm" });
    backend.objects = [stated(urnOf("serverlessEndpoint"), id, { outputs: { __from: templateId } })];
    backend.othersHave = [id];
    loseState();
    const { states } = run;
    const all = states.all.bind(states);
    jest.spyOn(states, "all").mockImplementation((when) => setTimeout(20).then(() => all(when)));
    await expect(removed()).rejects.toThrow(
      `It is used by endpoint "llm" (${id}), which was created from it. Delete that first, or declare`,
    );
  });

  test("may be used by what a stack has whose state cannot be read: the error does not say that nothing uses it", async () => {
    const { removed } = await refused();
    backend.otherIsLost = true;
    await expect(removed()).rejects.toThrow(
      /retried for 1 s\. Delete what uses it first, or declare it in the program again/,
    );
  });

  test("may be used by an endpoint that no state has, as after retainOnDelete: the error does not say that nothing uses it", async () => {
    const { serverlessEndpoint, removed } = await refused({ serverless: true });
    const { id } = await begin(serverlessEndpoint, "serverlessEndpoint", { image: "org/other:1" });
    await expect(removed()).rejects.toThrow(/retried for 1 s\. Delete what uses it first, or declare/);
    backend.objects = [stated(urnOf("serverlessEndpoint"), id, { outputs: { __from: "" } })];
    await expect(removed()).rejects.toThrow("Nothing uses it any more");
  });

  test("may be used by an endpoint that the program has adopted, of which nothing tells from what it was created", async () => {
    const { serverlessEndpoint, removed } = await refused({ serverless: true });
    const image = "org/other:1";
    const { id } = await begin(serverlessEndpoint, "serverlessEndpoint", { image });
    const adopted = { adopt: id, image, __urn: urnOf("serverlessEndpoint", "adopting") };
    const { outs = {} } = await begin(provider().serverlessEndpoint, "serverlessEndpoint", adopted);
    for (const outputs of [outs, { ...outs, __from: undefined }]) {
      backend.objects = [stated(urnOf("serverlessEndpoint"), id, { outputs })];
      await expect(removed()).rejects.toThrow(/retried for 1 s\. Delete what uses it first, or declare/);
    }
  });

  test("is for endpoints, so that a pod of its image is no suspect", async () => {
    const { pod, removed } = await refused({ serverless: true });
    await begin(pod, "pod", { image: inputs.template.image });
    await expect(removed()).rejects.toThrow("Nothing uses it any more");
  });
});

test("a destroy lists what an object names, and what the end needs, while it deletes it, so that the next deletion waits for no list", async () => {
  const { template, serverlessEndpoint } = provider();
  const worker = await begin(template, "template", { serverless: true });
  const named = { templateId: worker.id, env: undefined };
  const { id, outs = {} } = await begin(serverlessEndpoint, "serverlessEndpoint", named);
  emulator.requests.splice(0);
  await provider().serverlessEndpoint.delete(id, outs);
  const asked = emulator.requests.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual(expect.arrayContaining(["GET /v2/templates", "GET /v2/pods"]));
});

test("the end of a destroy warns where the account had none of several objects, as with the key of another one", async () => {
  const [volume, secret] = [
    await create(provider().networkVolume, "networkVolume"),
    await create(provider().secret, "secret"),
  ];
  emulator.service.volumes.delete(volume.id);
  const destroyed = async () => {
    const { run, networkVolume, secret: secrets } = provider();
    const { said } = await heard(async () => {
      await networkVolume.delete(volume.id, volume.outs ?? {});
      await secrets.delete(secret.id, secret.outs ?? {});
      await endRun(run);
    });
    return said;
  };
  expect(await destroyed()).not.toContain("PODLUMI-ALL-GONE");
  const warning =
    /none of the 2 objects that this run was to delete .* cost money.*checkpoint\.json .* over .*--remove.* podlumi ls.*\[PODLUMI-ALL-GONE\]/;
  expect(await destroyed()).toMatch(warning);
});

test.each([
  ["the service refuses to delete another one", ["a", "b", "c", "d"], "refused"],
  // A warning is told once, so its number differs.
  ["another stack has adopted another one", ["a", "b", "c", "d", "e"], "adopted"],
  ["the run leaves out another one", ["a", "b", "c", "d", "e", "f"], "left"],
])("it does not where %s, which the account has", async (_where, names, what) => {
  const all: Awaited<ReturnType<typeof create>>[] = [];
  for (const name of names) all.push(await create(provider().pod, "pod", { __urn: urnOf("pod", name) }));
  const [left = "", ...gone] = all.map(({ id }) => id);
  for (const id of gone) emulator.service.pods.delete(id);
  const outputs = { __stack: stacks.ours };
  backend.objects = [...all.map(({ id }, index) => stated(urnOf("pod", names[index]), id, { outputs }))];
  const match = { method: "DELETE", path: `/pods/${left}` };
  if (what === "refused") emulator.faults.add({ match, when: "before", what: { status: 400 } });
  const theirs = { adopt: left, __stack: stacks.theirs, __urn: urnOf("pod", "theirs") };
  if (what === "adopted") await begin(provider().pod, "pod", theirs);
  const { run, pod } = provider();
  const { said } = await heard(async () => {
    for (const { id, outs = {} } of what === "left" ? all.slice(1) : all)
      await pod.delete(id, outs).catch(() => undefined);
    await endRun(run);
  });
  expect(said.match(/there is no pod/g)).toHaveLength(gone.length);
  expect(said).not.toContain("PODLUMI-ALL-GONE");
  expect(existing()).toEqual([left]);
});

test.each([
  ["another provider of the stack has", ["g", "h", "i"], { __stack: stacks.theirs }],
  // A warning is told once, so its number differs.
  ["this run creates", ["j", "k", "l", "m"], {}],
])("it does where the account has only what %s: it may be another account", async (_what, names, inputs) => {
  const gone: Awaited<ReturnType<typeof create>>[] = [];
  for (const name of names) gone.push(await create(provider().pod, "pod", { __urn: urnOf("pod", name) }));
  for (const { id } of gone) emulator.service.pods.delete(id);
  const { run, pod } = provider();
  const __urn = urnOf("pod", "there");
  const by = "__stack" in inputs ? provider().pod : pod;
  const there = await create(by, "pod", { ...inputs, __urn });
  backend.objects = [stated(__urn, there.id, { outputs: { __stack: stacks.ours, ...inputs } })];
  const { said } = await heard(async () => {
    for (const { id, outs = {} } of gone) await pod.delete(id, outs);
    await endRun(run);
  });
  expect(said).toMatch(/none of the \d objects that this run was to delete .*\[PODLUMI-ALL-GONE\]/);
});

test("what the program reads is not deleted when the read fails", async () => {
  const { id, outs = {} } = await create(provider().networkVolume, "networkVolume");
  const { networkVolume } = provider();
  const match = { method: "GET", path: "/network-volumes/*" };
  emulator.faults.add({ match, when: "before", what: { status: 403 }, times: 1 });
  const reading = networkVolume.read?.(id, { __urn: urnOf("networkVolume", "read") });
  await expect(reading).rejects.toThrow(/could not read/);
  await expect(networkVolume.delete(id, outs)).rejects.toThrow(/\[PODLUMI-STILL-READ\]/);
  expect(existing()).toEqual([id]);
});

test.each(["adopt", "import"] as const)(
  "what the program gives to another resource, by %s, is not deleted when that fails: a destroy deletes it",
  async (by) => {
    const { id, outs = {} } = await create(provider().networkVolume, "networkVolume");
    stateHas?.set(id, String(outs.__urn));
    const given = declared("networkVolume", { __urn: urnOf("networkVolume", "renamed") });
    const { networkVolume } = provider();
    const taking =
      by === "adopt"
        ? create(networkVolume, "networkVolume", { ...given, adopt: id })
        : networkVolume.import(id, given);
    await expect(taking).rejects.toThrow(/\[PODLUMI-DECLARED-TWICE\]/);
    await expect(networkVolume.delete(id, outs)).rejects.toThrow(
      `the program gives it to ${given.__urn} (adopt, import). To rename its resource, use aliases; to delete it, take that out`,
    );
    expect(existing()).toEqual([id]);
    runs("destroy");
    await networkVolume.delete(id, outs);
    expect(existing()).toEqual([]);
  },
);

test("what the program reads by now, under another name, is not deleted; a destroy deletes it", async () => {
  const { id, outs = {} } = await create(provider().template, "template", { __stack: stacks.ours });
  const reads = urnOf("Template", "reads");
  const up = provider();
  await up.template.read(id, { __urn: reads });
  await expect(up.template.delete(id, outs)).rejects.toThrow(
    new RegExp(`could not delete template "worker" \\(${id}\\): the program reads it as ${reads}`),
  );
  await up.template.check({}, { ...declared("template"), __urn: outs.__urn });
  await expect(up.template.delete(id, outs)).rejects.toThrow("Another object replaces it: take the get out");
  expect(existing()).toEqual([id]);
  runs("destroy");
  await up.template.delete(id, outs);
  expect(existing()).toEqual([]);
});

describe("what two resources of the state have", () => {
  const [a, b] = ["a", "b"].map((name) => urnOf("Pod", name)) as [string, string];
  let id: string;
  let outs: object;
  beforeEach(async () => {
    ({ id, outs = {} } = await begin(provider().pod, "pod", { __urn: a }));
    backend.objects = [stated(a, id), stated(b, id)];
  });
  const left = (__urn: string) => ({ ...outs, __urn });

  test("stays while only one of them goes: in a destroy with targets, and where the other one was replaced", async () => {
    runs(`destroy --target ${a}`);
    const { said } = await heard(() => provider().pod.delete(id, left(a)));
    expect(said).toContain(
      `keeps the pod ${id}, which another resource of this stack has, too: ${b} [PODLUMI-HELD-TWICE]`,
    );
    runs("up");
    backend.objects = [stated(a, "another"), stated(b, id)];
    await provider().pod.delete(id, left(a));
    expect(existing()).toEqual([id]);
  });

  test.each(["up", `destroy -t ${a} -t ${b}`, "destroy"])("goes with both of them: %s", async (line) => {
    runs(line);
    const { pod } = provider();
    await Promise.all([pod.delete(id, left(a)), pod.delete(id, left(b))]);
    expect(existing()).toEqual([]);
  });

  test("goes with both of them under two providers, whose processes look at once: the later one sees that the other goes", async () => {
    runs("up");
    await provider().pod.delete(id, left(a));
    expect(existing()).toEqual([id]);
    backend.objects = [stated(a, id, { isGoing: true }), stated(b, id, { isGoing: true })];
    await provider().pod.delete(id, left(b));
    expect(existing()).toEqual([]);
  });

  test("goes where its one resource was renamed, and the state keeps the former name", async () => {
    runs("up");
    backend.objects = [stated(b, id, { outputs: { __urn: a } })];
    await provider().pod.delete(id, left(a));
    expect(existing()).toEqual([]);
  });
});
