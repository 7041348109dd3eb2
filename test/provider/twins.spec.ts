import type { Properties } from "../../provider/value";
import { late, until } from "./lost-answers";
import {
  begin,
  creations,
  declared,
  emulator,
  existing,
  heard,
  kinds,
  letServicePass,
  provider,
  stacks,
  urnOf,
} from "./process";

// A request that takes effect after its error, and is sent again meanwhile, makes a twin.

/** Kinds whose names need not be unique in an account. */
const several = kinds.filter((kind) => !["registryAuth", "secret", "template"].includes(kind));

const posts = () =>
  emulator.requests.filter(({ method, path }) => method === "POST" && !path.startsWith("/graphql")).length;

/** A pod with its state, and the twin that its create has made. */
async function podWithTwin() {
  late(90_000);
  const { id, outs = {} } = await begin("pod");
  await until(() => existing().length === 2);
  const twin = String(existing().find((other) => other !== id));
  const olds: Properties = { ...outs, __provider: "p" };
  return { id, olds, twin };
}

describe("an effect that comes after its error", () => {
  test.each(kinds)("is waited for, and nothing is sent again: a %s", async (kind) => {
    late(15_000);
    const { id } = await begin(kind);
    await until(() => existing().length > 0);
    expect(existing()).toEqual([id]);
    if (several.includes(kind)) expect(posts()).toBe(1);
  });

  test.each(several)(
    "and after the request was sent again, is a twin: the next preview says so, and the update deletes it: a %s",
    async (kind) => {
      late(90_000);
      const { id, outs } = await begin(kind);
      await until(() => existing().length === 2);
      const [twin] = existing().filter((other) => other !== id);

      const olds = { ...outs, __provider: "p" };
      const { [kind]: next } = provider();
      const { inputs: news = {} } = await next.check(olds, declared(kind));
      const { said, result } = await heard(() => next.diff(id, olds, news));
      expect(result).toMatchObject({ changes: true, replaces: [] });
      expect(said).toMatch(
        new RegExp(`this update deletes the .*\\(${twin}\\): a request without an answer created it`),
      );
      expect(existing()).toContain(twin);
      const { outs: updated } = await next.update(id, olds, news);
      expect(existing()).toEqual([id]);

      const settled = provider()[kind];
      const state = { ...updated, __provider: "p" };
      const { inputs: same = {} } = await settled.check(state, declared(kind));
      expect(await settled.diff(id, state, same)).toMatchObject({ changes: false });
    },
  );

  test.each(["pod", "networkVolume"] as const)(
    "and after an update and a refresh, is a twin all the same: a %s",
    async (kind) => {
      late(200_000);
      const { id, outs = {} } = await begin(kind);
      const news = { ...declared(kind), name: outs.name, ...(kind === "pod" ? { disk: 30 } : { size: 30 }) };
      const { outs: updated = {} } = await provider()[kind].update(id, { ...outs, __provider: "p" }, news);
      const { props = {} } = await provider()[kind].read(id, updated);
      await until(() => existing().length === 2);
      await provider()[kind].update(id, { ...props, __provider: "p" }, news);
      expect(existing()).toEqual([id]);
    },
  );

  test("is no twin where this run has it, as what it has created in place of the object", async () => {
    const { id, olds, twin } = await podWithTwin();
    const { pod, run } = provider();
    run.holders.note(twin, urnOf("pod"));
    await pod.delete(id, olds);
    expect(existing()).toEqual([twin]);
  });

  test("whose deletion fails is named by the error, and the next deletion deletes it", async () => {
    const { id, olds, twin } = await podWithTwin();
    const match = { method: "DELETE", path: `/pods/${twin}` };
    emulator.faults.add({ match, when: "before", what: { status: 403 } });
    const says = new RegExp(
      `^could not delete the pod "\\S+" \\(${twin}\\): a request without an answer created it .* 403`,
    );
    await expect(provider().pod.delete(id, olds)).rejects.toThrow(says);
    expect(existing()).toEqual([twin]);
    await provider().pod.delete(id, olds);
    expect(existing()).toEqual([]);
  });

  test("is forgotten by an update that comes when no request takes effect any more", async () => {
    const { id, olds } = await podWithTwin();
    letServicePass(900_000);
    const { outs } = await provider().pod.update(id, olds, {
      ...declared("pod", { disk: 30 }),
      name: olds.name,
    });
    expect(existing()).toEqual([id]);
    expect(outs).not.toHaveProperty("__unfinished");
  });

  test("and after creates that have failed, it is a twin of what the engine had created once more", async () => {
    const { pod } = provider();
    for (const _try of [1, 2]) {
      late(300_000);
      for (const { match } of creations)
        emulator.faults.add({ match, when: "before", what: { status: 400 } });
      await expect(begin(pod, "pod")).rejects.toThrow(/An earlier request may still create the pod/);
    }
    late(300_000);
    const { id, outs = {} } = await begin(pod, "pod");
    await until(() => existing().length === 4);
    expect(outs).toMatchObject({ __unfinished: { create: { attempts: [1, 3, 5] } } });
    const { said } = await heard(() =>
      provider().pod.update(id, outs, { ...declared("pod"), name: outs.name }),
    );
    expect(said.match(/deleted the pod/g)).toHaveLength(3);
    expect(existing()).toEqual([id]);
  });

  test("is a twin that is deleted where a retry continues with the object, though the first one has failed", async () => {
    late(90_000);
    emulator.service.timings.starting = 3_000;
    const { pod } = provider();
    const { id }: { id: string } = await begin(pod, "pod", { waitTimeout: 1 }).catch((error) => error);
    const retried = await begin(pod, "pod", { waitTimeout: 600 });
    expect(retried).toMatchObject({ id });
    await until(() => existing().length === 2);
    await provider().pod.delete(id, retried.outs ?? {});
    expect(existing()).toEqual([]);
  });

  test("a twin that another resource of this run adopts stays", async () => {
    const { id, olds, twin } = await podWithTwin();
    const { pod } = provider();
    const second = declared("pod", { adopt: twin, __urn: urnOf("pod", "second") });
    const { inputs: adopting } = await pod.check({}, second);
    const { inputs: news = {} } = await pod.check(olds, declared("pod"));
    expect(await pod.diff(id, olds, news)).toMatchObject({ changes: false });
    await pod.update(id, olds, news);
    expect((await pod.create(adopting)).id).toBe(twin);
    expect(existing().sort()).toEqual([id, twin].sort());
  });

  test.each(several)("a twin goes with the object that the state has: a %s", async (kind) => {
    late(90_000);
    const { id, outs } = await begin(kind);
    await until(() => existing().length === 2);
    await provider()[kind].delete?.(id, outs);
    expect(existing()).toEqual([]);
  });

  test.each(several.filter((kind) => kind !== "registryDelegation"))(
    "a twin that another stack has adopted stays: a %s",
    async (kind) => {
      late(90_000);
      const { id, outs = {} } = await begin(kind);
      await until(() => existing().length === 2);
      const [twin = ""] = existing().filter((one) => one !== id);
      const theirs = { __providerId: stacks.theirs, __urn: urnOf(kind, "theirs", "prod"), adopt: twin };
      await begin(kind, theirs);
      await provider()[kind].delete(id, outs);
      expect(existing()).toEqual([twin]);
    },
  );

  test.each(["pod", "serverlessEndpoint", "cluster"] as const)(
    "and comes an hour later may be a person's copy, and stays: a %s",
    async (kind) => {
      late(90_000);
      const { id, outs } = await begin(kind);
      const { clock } = emulator.service;
      const now = clock.now.bind(clock);
      jest.spyOn(clock, "now").mockImplementation(() => now() + 3_600_000);
      await until(() => existing().length === 2);
      const [copy] = existing().filter((other) => other !== id);

      const olds = { ...outs, __provider: "p" };
      const next = provider()[kind];
      const { inputs: news } = (await next.check?.(olds, declared(kind))) ?? {};
      expect(await next.diff?.(id, olds, news)).toMatchObject({ changes: false });
      await next.update?.(id, olds, news);
      await provider()[kind].delete?.(id, outs);
      expect(existing()).toEqual([copy]);
    },
  );

  test("what looks like a twin and is another stack's, or the program's own, stays", async () => {
    late(90_000);
    const { id, outs } = await begin("pod");
    const others = [
      await begin("pod", { __providerId: stacks.theirs, __urn: urnOf("pod", "it", "prod") }),
      await begin("pod", { __urn: urnOf("pod", "other") }),
    ];
    await until(() => existing().length === 4);
    await provider().pod.delete?.(id, outs);
    expect(existing().sort()).toEqual(others.map((other) => other.id).sort());
  });
});
