import type { Properties } from "../../provider/value";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  kinds,
  provider,
  stacks,
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
      `could not delete network volume "data" .*: pod "trainer" \\(${holder.id}\\) still uses it after 1 s`,
    ),
  );
});

test("a secret of which no list tells who names it is not told as gone", async () => {
  const { id, outs = {} } = await create("secret");
  emulator.faults.add({ match: { path: "/pods" }, when: "before", what: { malformed: true } });
  const failure = await provider()
    .secret.delete(id, outs)
    .catch((error) => error);
  expect(failure.message).toMatch(/^could not delete secret "token" .*: GET \/pods answered 200/);
  expect(failure.message).not.toContain("may be gone");
});

test("the name of what uses it cannot hide the rest of the error", async () => {
  const { networkVolume, pod } = provider();
  const { id } = await create(networkVolume, "networkVolume");
  await create(pod, "pod", {
    name: "a\u001b[2K\nb",
    mounts: { network: [{ volumeId: id, path: "/a" }] },
  });
  const deleted = networkVolume.delete?.(id, { name: "data", deleteTimeout: 1 });
  await expect(deleted).rejects.toThrow(String.raw`pod "a\u{1b}[2K\u{a}b" (`);
});

/** A pod, and a service that answers a deletion as if it had none. It shows it again after so many looks at the list. */
async function unshownPod(looks: number) {
  const { id, outs = {} } = await create("pod", {
    name: inputs.pod.name,
    __providerId: stacks.ours,
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

describe("a template that the service does not free", () => {
  beforeEach(() => {
    const match = { method: "DELETE", path: "/templates/*" };
    emulator.faults.add({ match, when: "before", what: { inUse: true }, times: 0 });
  });

  const refused = async (changes: Properties = {}) => {
    const { template, pod } = provider();
    const { id, outs } = await begin(template, "template", changes);
    const removed = () => template.delete(id, { ...outs, deleteTimeout: 1 });
    return { pod, removed };
  };

  test("is used by nothing any more: the error does not ask to delete something", async () => {
    const { removed } = await refused();
    await expect(removed()).rejects.toThrow(
      /After 1 s, nothing is known to use it: run the command again, since the service may free it soon \[PODLUMI-IN-USE\]/,
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
      `: cluster "ring" (${id}) still uses it after 1 s: delete that first, or declare`,
    );
  });

  test("may be used by a pod of the same image, which the error does not tell to delete as it is", async () => {
    const { pod, removed } = await refused();
    const { id } = await begin(pod, "pod", { name: "trainer", image: inputs.template.image });
    await expect(removed()).rejects.toThrow(
      `pod "trainer" (${id}) may use it: if so, delete that first, or declare`,
    );
  });

  test("is for endpoints, so that a pod of its image is no suspect", async () => {
    const { pod, removed } = await refused({ serverless: true });
    await begin(pod, "pod", { image: inputs.template.image });
    await expect(removed()).rejects.toThrow("run the command again, since the service may free it soon");
  });
});

test.each(["adopt", "import"] as const)(
  "what another resource has got in this run, by %s, is not deleted with the one that had it",
  async (by) => {
    const { id, outs = {} } = await create("networkVolume");
    const { networkVolume } = provider();
    const renamed = declared("networkVolume", { __urn: urnOf("networkVolume", "renamed") });
    if (by === "adopt") await begin(networkVolume, "networkVolume", { ...renamed, adopt: id });
    else await networkVolume.import(id, renamed);
    const { said } = await heard(() => networkVolume.delete(id, outs));
    expect(said).toContain(`keeps the network volume ${id}, which NetworkVolume "renamed" has`);
    expect(existing()).toEqual([id]);
  },
);

test("what another resource adopts is kept also where a refresh has read its former one first, as in `pulumi up --refresh`", async () => {
  const { id, outs = {} } = await create("networkVolume");
  const state = { ...outs, __provider: "p" };
  const { networkVolume } = provider();
  const { inputs: read = {} } = await networkVolume.read(id, state);
  await networkVolume.diff(id, state, read);
  const renamed = declared("networkVolume", { __urn: urnOf("networkVolume", "renamed") });
  await begin(networkVolume, "networkVolume", { ...renamed, adopt: id });
  await networkVolume.delete(id, outs);
  expect(existing()).toEqual([id]);
});

test("what two resources of the state have stays while only one of them goes", async () => {
  const [a, b] = ["a", "b"].map((name) => urnOf("pod", name));
  const { id, outs = {} } = await begin("pod", { __urn: a });
  const state = { ...outs, __urn: b, __provider: "p" };
  const { pod } = provider();
  const news = declared("pod", { __urn: b, name: outs.name });
  await pod.check(state, news);
  await pod.diff(id, state, news);
  expect((await heard(() => pod.delete(id, outs))).said).toContain(`keeps the pod ${id}, which Pod "b" has`);
  expect(existing()).toEqual([id]);
});
