import { endRun } from "../../provider/core/end";
import type { Properties } from "../../provider/core/value";
import { late, until } from "./lost-answers";
import {
  backend,
  begin,
  creations,
  declared,
  emulator,
  existing,
  heard,
  kinds,
  provider,
  runs,
  stacks,
  urnOf,
} from "./process";

// A request that takes effect after its error, and is sent again meanwhile, makes a twin.

/** Kinds whose names need not be unique in an account. */
const several = kinds.filter((kind) => !["registryAuth", "secret", "template"].includes(kind));

beforeEach(() => runs("up"));

const posts = () =>
  emulator.requests.filter(({ method, path }) => method === "POST" && !path.startsWith("/graphql")).length;

/** Those of them whose objects hold data by then. */
const withData = ["cluster", "networkVolume"] as const;

/** A pod with its state, and the twin that its create has made. */
async function podWithTwin() {
  late(90_000);
  const { id, outs = {} } = await begin(provider().pod, "pod");
  await until(() => existing().length === 2);
  const twin = String(existing().find((other) => other !== id));
  const olds: Properties = { ...outs, __provider: "p" };
  return { id, olds, twin };
}

describe("an effect that comes after its error", () => {
  test.each(kinds)("is waited for, and nothing is sent again: a %s", async (kind) => {
    late(15_000);
    const { id } = await begin(provider()[kind], kind);
    await until(() => existing().length > 0);
    expect(existing()).toEqual([id]);
    if (several.includes(kind)) expect(posts()).toBe(1);
  });

  test.each(several.filter((kind) => !withData.some((one) => one === kind)))(
    "and after the request was sent again, is a twin: the next up says so, and its end deletes it: a %s",
    async (kind) => {
      late(90_000);
      const { id, outs } = await begin(provider()[kind], kind);
      await until(() => existing().length === 2);
      const [twin] = existing().filter((other) => other !== id);

      const olds = { ...outs, __provider: "p" };
      const { run, [kind]: next } = provider();
      const { inputs: news } = (await next.check?.(olds, declared(kind))) ?? {};
      expect(await next.diff?.(id, olds, news)).toMatchObject({ changes: true, replaces: [] });
      const { outs: updated } = (await next.update?.(id, olds, news)) ?? {};
      expect(existing()).toContain(twin);
      await endRun(run);
      expect(existing()).toEqual([id]);

      const settled = provider()[kind];
      const state = { ...updated, __provider: "p" };
      const { inputs: same } = (await settled.check?.(state, declared(kind))) ?? {};
      expect(await settled.diff?.(id, state, same)).toMatchObject({ changes: false });
    },
  );

  test.each(withData)(
    "and may hold data by then stays: an error of the program may come before what adopts it, and no provider sees that: a %s",
    async (kind) => {
      late(90_000);
      const { id, outs = {} } = await begin(provider()[kind], kind);
      await until(() => existing().length === 2);
      const twin = String(existing().find((other) => other !== id));
      const olds: Properties = { ...outs, __provider: "p" };
      const { run, [kind]: next } = provider();
      const { inputs: news = {} } = await next.check(olds, declared(kind));
      const leaves = new RegExp(`leaves the .* \\(${twin}\\).* may hold data by now`);
      const { said, result } = await heard(() => next.diff(id, olds, news));
      expect(said).toMatch(leaves);
      expect(result).toMatchObject({ changes: false });
      await next.update(id, olds, news);
      expect((await heard(() => endRun(run))).said).toMatch(leaves);
      expect(existing().sort()).toEqual([id, twin].sort());
    },
  );

  test("and after creates that have failed, it is a twin of what the engine had created once more", async () => {
    const { run, pod } = provider();
    for (const _try of [1, 2]) {
      late(300_000);
      for (const { match } of creations)
        emulator.faults.add({ match, when: "before", what: { status: 400 } });
      await expect(begin(pod, "pod")).rejects.toThrow(/A request of this create had no clear answer/);
    }
    late(300_000);
    const { id, outs } = await begin(pod, "pod");
    await until(() => existing().length === 4);
    expect(outs).toMatchObject({ __unanswered: { attempts: [1, 3, 5] } });
    const { said } = await heard(() => endRun(run));
    expect(said.match(/deleted the pod/g)).toHaveLength(3);
    expect(said).not.toContain("takes it over");
    expect(existing()).toEqual([id]);
  });

  test("is a twin that is deleted once where a retry continues with the object, though the first one has failed", async () => {
    late(90_000);
    emulator.service.timings.starting = 3_000;
    const { run, pod } = provider();
    const { id }: { id: string } = await begin(pod, "pod", { waitTimeout: 1 }).catch((error) => error);
    expect(await begin(pod, "pod", { waitTimeout: 600 })).toMatchObject({ id });
    await until(() => existing().length === 2);
    const { said } = await heard(() => endRun(run));
    expect(said.match(/deleted the pod/g)).toHaveLength(1);
    expect(said).not.toContain("leaves the pod");
    expect(existing()).toEqual([id]);
  });

  test("a twin that the program adopts or reads later in the run stays", async () => {
    const { id, olds, twin } = await podWithTwin();
    const act: ((pod: ReturnType<typeof provider>["pod"]) => unknown)[] = [
      (pod) => pod.read(twin, { __urn: urnOf("pod", "read") }),
      (pod) => begin(pod, "pod", { adopt: twin, __urn: urnOf("pod", "second") }),
    ];
    for (const name of act) {
      const { run, pod } = provider();
      const { inputs: news = {} } = await pod.check(olds, declared("pod"));
      const { said } = await heard(() => pod.diff(id, olds, news));
      expect(said).toContain("at its end, unless the program adopts or reads it");
      await pod.update(id, olds, news);
      await name(pod);
      await endRun(run);
      expect(existing().sort()).toEqual([id, twin].sort());
    }
  });

  test("a twin stays where the run fails, perhaps before what adopts it, and the next up deletes it", async () => {
    const { id, olds, twin } = await podWithTwin();
    const patch = { method: "PATCH", path: `/pods/${id}` };
    const news = { ...declared("pod", { image: "org/pod:2" }), name: olds.name };
    emulator.faults.add({ match: patch, when: "before", what: { status: 400 } });
    for (const [left, said] of [
      [[id, twin], new RegExp(`leaves the pod .* \\(${twin}\\).* this run has failed`)],
      [[id], /deleted the pod/],
    ] as const) {
      const { run, pod } = provider();
      await pod.check(olds, news);
      await pod.update(id, olds, news).catch(() => undefined);
      expect((await heard(() => endRun(run))).said).toMatch(said);
      expect(existing().sort()).toEqual([...left].sort());
    }
  });

  test.each([
    ["the command leaves out what may adopt it", "up --target urn"],
    ["the machine does not show the command, as on Windows", undefined],
  ])("a twin stays where %s, and the preview says so", async (_where, line) => {
    const { id, olds, twin } = await podWithTwin();
    runs(line);
    const { run, pod } = provider();
    const { inputs: news = {} } = await pod.check(olds, declared("pod"));
    const leaves = new RegExp(`leaves the pod .* \\(${twin}\\).* leaves out a part of the program`);
    const { said, result } = await heard(() => pod.diff(id, olds, news));
    expect(said).toMatch(leaves);
    expect(result).toMatchObject({ changes: false });
    await pod.update(id, olds, news);
    expect((await heard(() => endRun(run))).said).toMatch(leaves);
    expect(existing().sort()).toEqual([id, twin].sort());
  });

  test("a twin stays where the stack has several providers: a failure under another one, which nothing shows, may come before what adopts it", async () => {
    const { id, olds, twin } = await podWithTwin();
    backend.serving = 2;
    const leaves = new RegExp(`leaves the pod .* \\(${twin}\\).* this stack has several providers`);
    const next = provider();
    const { inputs: news = {} } = await next.pod.check(olds, declared("pod"));
    const { said, result } = await heard(() => next.pod.diff(id, olds, news));
    expect(said).toMatch(leaves);
    expect(result).toMatchObject({ changes: false });
    await next.pod.update(id, olds, news);
    expect((await heard(() => endRun(next.run))).said).toMatch(leaves);
    expect(existing().sort()).toEqual([id, twin].sort());
    // Its own provider declares nothing any more, and another one may be about to adopt the twin.
    const last = provider();
    await last.pod.delete(id, olds);
    expect((await heard(() => endRun(last.run))).said).toMatch(leaves);
    expect(existing()).toEqual([twin]);
  });

  test("a twin that the program adopts stays where the object in the state is deleted before that, as a replacement can be", async () => {
    const { id, olds, twin } = await podWithTwin();
    const { run, pod } = provider();
    await pod.check(olds, declared("pod", { gpu: { id: "NVIDIA A40" } }));
    await pod.delete(id, olds);
    await begin(pod, "pod", { adopt: twin, __urn: urnOf("pod", "second") });
    await endRun(run);
    expect(existing()).toEqual([twin]);
  });

  test("a twin that the end of a run has no time to delete is told of, as where Pulumi has many states to export", async () => {
    late(90_000);
    const { run, pod } = provider();
    await begin(pod, "pod");
    await until(() => existing().length === 2);
    jest.spyOn(run.states, "all").mockReturnValue(new Promise(() => undefined));
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(
      /may have created for this pod: the time ran out, .*\. `npx podlumi ls` shows what there is \[PODLUMI-ORPHAN\]/,
    );
    expect(existing()).toHaveLength(2);
  });

  test("what hinders the end of a run, such as a key that is revoked meanwhile, is told in whole sentences", async () => {
    late(90_000);
    const { run, pod } = provider();
    await begin(pod, "pod");
    await until(() => existing().length === 2);
    emulator.faults.add({ match: { method: "GET" }, when: "before", what: { status: 401 }, times: 0 });
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(/or add --run-program\. `npx podlumi ls` shows what there is \[PODLUMI-ORPHAN\]/);
  });

  test.each(several)("a twin goes with the object that the state has: a %s", async (kind) => {
    late(90_000);
    const { id, outs } = await begin(provider()[kind], kind);
    await until(() => existing().length === 2);
    runs("destroy");
    await provider()[kind].delete?.(id, outs);
    expect(existing()).toEqual([]);
  });

  test.each(several)("a twin that is there when the run ends goes with it: a %s", async (kind) => {
    late(90_000);
    const made = provider();
    const { id } = await begin(made[kind], kind);
    await until(() => existing().length === 2);
    await endRun(made.run);
    expect(existing()).toEqual([id]);
  });

  test.each(several)("a twin that another stack has taken into its state stays: a %s", async (kind) => {
    late(90_000);
    const { id, outs } = await begin(provider()[kind], kind);
    await until(() => existing().length === 2);
    backend.othersHave = [...existing().filter((one) => one !== id)];
    runs("destroy");
    await provider()[kind].delete?.(id, outs);
    expect(existing()).toHaveLength(1);
  });

  test.each(["pod", "serverlessEndpoint", "cluster"] as const)(
    "and comes an hour later may be a person's copy, which is named and stays: a %s",
    async (kind) => {
      late(90_000);
      const { id, outs } = await begin(provider()[kind], kind);
      const { clock } = emulator.service;
      const now = clock.now.bind(clock);
      jest.spyOn(clock, "now").mockImplementation(() => now() + 3_600_000);
      await until(() => existing().length === 2);
      const [copy] = existing().filter((other) => other !== id);

      const olds = { ...outs, __provider: "p" };
      const next = provider()[kind];
      const { inputs: news } = (await next.check?.(olds, declared(kind))) ?? {};
      const { result, said } = await heard(async () => next.diff?.(id, olds, news));
      expect(result).toMatchObject({ changes: false });
      expect(said).toMatch(new RegExp(`leaves the .* \\(${copy}\\): .* that it may be a copy`));
      await next.update?.(id, olds, news);
      runs("destroy");
      await provider()[kind].delete?.(id, outs);
      expect(existing()).toEqual([copy]);
    },
  );

  test("what looks like a twin and is another stack's, or the program's own, stays", async () => {
    late(90_000);
    const { id, outs } = await begin(provider().pod, "pod");
    const others = [
      await begin(provider().pod, "pod", { __stack: stacks.theirs, __urn: urnOf("pod", "it", "prod") }),
      await begin(provider().pod, "pod", { __urn: urnOf("pod", "other") }),
    ];
    await until(() => existing().length === 4);
    runs("destroy");
    await provider().pod.delete?.(id, outs);
    expect(existing().sort()).toEqual(others.map((other) => other.id).sort());
  });
});
