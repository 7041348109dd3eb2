import { endRun } from "../../provider/core/end";
import { secretMark } from "../../provider/core/kind/secret-value";
import type { Properties } from "../../provider/core/value";
import { interrupted } from "./lost-answers";
import {
  backend,
  begin,
  create,
  declared,
  emulator,
  existing,
  haveAs,
  haveInState,
  heard,
  provider,
  runs,
  shareProvider,
  stacks,
  stated,
  urnOf,
} from "./process";

// Creates that an interrupted run had begun, as Pulumi's state shows them.

test("what a killed replacement had begun is waited for while a list lags", async () => {
  const { id, outs = {} } = await begin(provider().pod, "pod");
  haveInState(id);
  const gpu = { gpu: { id: "NVIDIA A40" } };
  const left = await interrupted("pod", { ...gpu, name: undefined });
  backend.pending = [urnOf("pod")];
  const next = provider();
  const listed = { answer: { status: 200, body: { pods: [emulator.service.pods.get(id)] } } };
  emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: listed, times: 3 });
  const { inputs: checked = {} } = await next.pod.check(outs, declared("pod", gpu));
  expect((await next.pod.diff(id, outs, checked)).replaces).toEqual(["gpu"]);
  expect((await begin(next.pod, "pod", gpu)).id).toBe(left);
});

/**
 * Another run of the stack creates its resource of a kind, after this one has checked it. The state has the creates of both then. Pulumi
 * lists the stack.
 */
async function createdMeanwhile(kind: "networkVolume" | "pod") {
  Object.assign(backend, { pending: [urnOf(kind)], renamed: "organization/project/dev" });
  const next = provider()[kind];
  const { inputs: checked = {} } = await next.check({}, declared(kind));
  backend.pending = [];
  const { id } = await begin(provider()[kind], kind);
  backend.pending = [urnOf(kind), urnOf(kind)];
  return { id, create: () => next.create(checked) };
}

test.each(["networkVolume", "pod"] as const)(
  "what another run of the stack has created since is taken over, since pulumi cancel ends no run: a %s",
  async (kind) => {
    const { id, create } = await createdMeanwhile(kind);
    haveAs(urnOf(kind), id);
    expect(await create()).toMatchObject({ id });
    expect(existing()).toEqual([id]);
  },
);

test("what the state has for another resource by now is not taken over, whatever its mark says", async () => {
  const { id, create } = await createdMeanwhile("networkVolume");
  haveInState(id);
  await create();
  expect(existing()).toHaveLength(2);
});

describe("a resource whose name alone tells it, of which an interrupted run had begun the create", () => {
  const named = { name: "training" };

  test.each(["cluster", "networkVolume"] as const)("is not created again: a %s", async (kind) => {
    const left = await interrupted(kind, named);
    backend.pending = [urnOf(kind)];
    const { failures = [] } = await provider()[kind].check({}, declared(kind, named));
    expect(failures).toEqual([
      {
        property: "name",
        reason: expect.stringMatching(new RegExp(`\\(${left}\\)\\. If so, write adopt: "${left}"; if not`)),
      },
    ]);
    await expect(create(provider()[kind], kind, named)).rejects.toThrow(/\[PODLUMI-MAY-BE-MADE\]/);
    expect(existing()).toEqual([left]);
  });

  describe("is replaced, and the program adopts", () => {
    const of = (version: string, more: Properties = {}) => {
      const resource = `arn:aws:ecr:us-east-2:123456789012:repository/app:${version}`;
      return declared("registryDelegation", { ...named, resource, ...more });
    };

    /** Checks the resource, and then what is to replace it, as the engine does. */
    async function replacement(adopted: (ids: { own: string; left: string }) => string) {
      const { id: own, outs = {} } = await begin(
        provider().registryDelegation,
        "registryDelegation",
        of("v1"),
      );
      haveInState(own);
      const left = await interrupted("registryDelegation", of("v2"));
      backend.pending = [urnOf("registryDelegation")];
      const news = of("v2", { adopt: adopted({ own, left }) });
      const { registryDelegation } = provider();
      const { inputs: changed = {} } = await registryDelegation.check(of("v1"), news);
      expect((await registryDelegation.diff(own, outs, changed)).replaces).toEqual(["resource"]);
      const { inputs: made = {}, failures } = await registryDelegation.check({}, news);
      return { own, left, failures, create: () => registryDelegation.create(made) };
    }

    test("what the error names: that takes its place", async () => {
      const { own, left, failures, create } = await replacement((ids) => ids.left);
      expect(failures).toEqual([]);
      expect((await create()).id).toBe(left);
      expect(existing()).toEqual([own, left]);
    });

    test("the object that it has: the replacement deletes that, so nothing is adopted", async () => {
      const { left, failures } = await replacement((ids) => ids.own);
      const reason = expect.stringContaining(`If so, write adopt: "${left}"`);
      expect(failures).toEqual([{ property: "name", reason }]);
    });
  });

  test("is not made under another name either, as the engine makes one up for each run of the plugin", async () => {
    const left = await interrupted("networkVolume", named);
    Object.assign(backend, { pendingName: named.name, pending: [urnOf("networkVolume")] });
    const next = { ...named, name: "training-2" };
    const { failures } = await provider().networkVolume.check({}, declared("networkVolume", next));
    expect(failures).toEqual([
      { property: "name", reason: expect.stringContaining(`If so, write adopt: "${left}"`) },
    ]);
    const made = create(provider().networkVolume, "networkVolume", next);
    await expect(made).rejects.toThrow(/was creating this resource, .*\[PODLUMI-MAY-BE-MADE\]/);
    expect(existing()).toEqual([left]);
  });

  test("is waited for from when the state is read: the run may have waited for room before its request", async () => {
    const left = await interrupted("cluster", named);
    backend.pending = [urnOf("cluster")];
    backend.writtenAgo = 60_000;
    const none = { answer: { status: 200, body: { clusters: [] } } };
    emulator.faults.add({
      match: { method: "GET", path: "/clusters" },
      when: "before",
      what: none,
      times: 3,
    });
    const { cluster } = provider();
    await expect(create(cluster, "cluster", named)).rejects.toThrow(/\[PODLUMI-MAY-BE-MADE\]/);
    expect(existing()).toEqual([left]);
  });

  test("is created where only another stack has one of its name, as the same program in another stage does", async () => {
    const { id: theirs } = await create(provider().networkVolume, "networkVolume", {
      ...named,
      __urn: urnOf("networkVolume", "it", "prod"),
      __stack: stacks.theirs,
    });
    backend.othersHave = [theirs];
    backend.pending = [urnOf("networkVolume")];
    const { failures = [] } = await provider().networkVolume.check({}, declared("networkVolume", named));
    expect(failures).toEqual([]);
    const { id } = await create(provider().networkVolume, "networkVolume", named);
    expect(existing().sort()).toEqual([id, theirs].sort());
  });

  test("is created where nothing of its name has come", async () => {
    backend.pending = [urnOf("networkVolume")];
    const { id } = await create(provider().networkVolume, "networkVolume", named);
    expect(existing()).toEqual([id]);
  });
});

describe("what an interrupted run was creating", () => {
  const urn = (name: string) => urnOf("Pod", name);
  const lags = () => {
    const none = { answer: { status: 200, body: { pods: [] } } };
    emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: none, times: 3 });
  };

  test("by the other face is waited for, and taken over by the same resource", async () => {
    const left = await interrupted("pod", { __urn: urn("it"), __stack: stacks.theirs });
    Object.assign(backend, { pendingMarker: stacks.theirs, pending: [urn("it")] });
    lags();
    const __urn = urn("it").replace("pulumi-nodejs:dynamic/podlumi:", "podlumi:index:");
    expect((await create(provider().pod, "pod", { __urn })).id).toBe(left);
  });

  test.each([
    ["networkVolume", "as it is", 0],
    ["pod", "and changes its mark of ownership, which was that of another resource", 1],
  ] as const)(
    "by the other face gets another mark, as it says, unless that is in its name: a %s",
    async (kind, what, sent) => {
      const __urn = urnOf(kind, "it");
      const left = await interrupted(kind, { __urn, __stack: stacks.theirs });
      Object.assign(backend, { pendingMarker: stacks.theirs, pending: [__urn] });
      const { result, said } = await heard(() => begin(provider()[kind], kind, { __urn }));
      expect(result.id).toBe(left);
      expect(said).toContain(`(${left}) ${what}`);
      expect(emulator.requests.filter(({ method }) => method === "PATCH")).toHaveLength(sent);
    },
  );

  test("under another URN is waited for, and named at the end of the run", async () => {
    const left = await interrupted("pod", { __urn: urn("it") });
    backend.pending = [urn("it")];
    lags();
    const { run, pod } = provider();
    const { id } = await create(pod, "pod", { __urn: urn("renamed") });
    expect(id).not.toBe(left);
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(
      new RegExp(
        `\\(${left}\\) is in no state .* creating it as ${urn("it")}.* write adopt: "${left}".*PODLUMI-ORPHAN`,
      ),
    );
  });

  test("is told of, too, where the end of the run has no time to look for it, or a list fails", async () => {
    await interrupted("pod", { __urn: urn("it") });
    backend.pending = [urn("it")];
    const { run, pod } = provider();
    await create(pod, "pod", { __urn: urn("renamed") });
    const told = (why: string) =>
      new RegExp(
        `look for the pod .* creating as ${urn("it")}: ${why}.* \`npx podlumi ls\` .*PODLUMI-ORPHAN`,
      );
    const never = jest.spyOn(run.states, "all").mockReturnValue(new Promise(() => undefined));
    expect((await heard(() => endRun(run))).said).toMatch(told("the time ran out"));
    never.mockRestore();
    emulator.faults.add({ match: { path: "/pods" }, when: "before", what: { status: 403 }, times: 0 });
    expect((await heard(() => endRun(run))).said).toMatch(told("GET /pods answered 403"));
  });

  test("and what takes it over later in the run leaves nothing to name", async () => {
    const left = await interrupted("pod", { __urn: urn("it") });
    backend.pending = [urn("it")];
    const { run, pod } = provider();
    await create(pod, "pod", { __urn: urn("first") });
    expect((await begin(pod, "pod", { __urn: urn("it") })).id).toBe(left);
    const { said } = await heard(() => endRun(run));
    expect(said).toBe("");
  });

  test("may be what has the name of the program, under whatever URN", async () => {
    const volume = (name: string) => ({ name: "datasets", __urn: urnOf("NetworkVolume", name) });
    const left = await interrupted("networkVolume", volume("it"));
    backend.pending = [urnOf("NetworkVolume")];
    const renamed = create(provider().networkVolume, "networkVolume", volume("renamed"));
    await expect(renamed).rejects.toThrow(
      new RegExp(`was creating ${urnOf("NetworkVolume")}, .*write adopt: "${left}".*PODLUMI-MAY-BE-MADE`),
    );
    expect(existing()).toEqual([left]);
  });

  describe("under a name of the program that has it no longer", () => {
    const volume = (name: string) => ({ name, __urn: urnOf("NetworkVolume", name) });
    const named = (id: string) =>
      new RegExp(
        `\\(${id}\\) is in no state .* creating ${urnOf("NetworkVolume", "datasets")}, and may have created it.*PODLUMI-ORPHAN`,
      );

    test("is named at the end of a run that makes another one", async () => {
      const left = await interrupted("networkVolume", volume("datasets"));
      Object.assign(backend, { pendingName: "datasets", pending: [urnOf("NetworkVolume", "datasets")] });
      const { run, networkVolume } = provider();
      await begin(networkVolume, "networkVolume", volume("other"));
      expect((await heard(() => endRun(run))).said).toMatch(named(left));
    });

    test.each(["refresh", "destroy"])(
      "is named at the end of a %s, and nothing else of that name is",
      async (what) => {
        const { id, outs = {} } = await create(provider().template, "template");
        emulator.service.volumes.create({ name: "others", size: 10, dataCenter: "EU-RO-1" });
        const left = await interrupted("networkVolume", volume("datasets"));
        const end = async () => {
          const { run, template } = provider();
          if (what === "refresh") await template.read(id, outs);
          else await template.delete(id, outs);
          return (await heard(() => endRun(run))).said;
        };
        backend.othersHave = [left];
        Object.assign(backend, { pendingName: "datasets", pending: [urnOf("NetworkVolume", "datasets")] });
        expect(await end()).toBe("");
        backend.othersHave = [];
        const said = await end();
        expect(said).toMatch(named(left));
        expect(said).not.toContain("others");
      },
    );
  });

  test("under a name is not what an interrupted replacement has kept, to adopt it again, and that is told", async () => {
    const { id, outs = {} } = await create(provider().template, "template");
    const kept = emulator.service.volumes.create({ name: "datasets", size: 10, dataCenter: "EU-RO-1" });
    const urn = urnOf("NetworkVolume", "datasets");
    Object.assign(backend, { pendingName: "datasets", pending: [urn] });
    backend.objects = [stated(urn, kept.id, { isGone: true })];
    const { run, template } = provider();
    await template.read(id, outs);
    const { said } = await heard(() => endRun(run));
    expect(said).toContain(`kept the network volume "datasets" (${kept.id}), to adopt it again`);
    expect(said).not.toMatch(/in no state|delete it/);
  });

  test("under a name that is secret may be any volume without a mark, and no name is told", async () => {
    const { id, outs = {} } = await create(provider().template, "template");
    await begin(provider().networkVolume, "networkVolume");
    const unmarked = emulator.service.volumes.create({ name: "datasets", size: 10, dataCenter: "EU-RO-1" });
    const pendingName = { ...secretMark, ciphertext: "v1:" };
    Object.assign(backend, { pendingName, pending: [urnOf("NetworkVolume", "datasets")] });
    const { run, template } = provider();
    await template.read(id, outs);
    const { said } = await heard(() => endRun(run));
    expect(said.match(/the network volume .*? is in no state/g)).toEqual([
      `the network volume ${unmarked.id} is in no state`,
    ]);
  });

  test("under a name that is secret is none of the volumes with another name, where the program declares it yet", async () => {
    emulator.service.volumes.create({ name: "others", size: 10, dataCenter: "EU-RO-1" });
    const pendingName = { ...secretMark, ciphertext: "v1:" };
    Object.assign(backend, { pendingName, pending: [urnOf("networkVolume")] });
    const { run, networkVolume } = provider();
    haveInState((await begin(networkVolume, "networkVolume")).id);
    expect((await heard(() => endRun(run))).said).toBe("");
  });

  test("under a name is named, all of it by one look at the states, also where that takes too long", async () => {
    const { id, outs = {} } = await create(provider().template, "template");
    emulator.service.volumes.create({ name: "datasets", size: 10, dataCenter: "EU-RO-1" });
    const urns = ["one", "two"].map((name) => urnOf("NetworkVolume", name));
    Object.assign(backend, { pendingName: "datasets", pendingMarker: stacks.ours, pending: urns });
    const { run, template } = provider();
    await template.read(id, outs);
    const all = jest.spyOn(run.states, "all").mockReturnValue(new Promise(() => undefined));
    const { said } = await heard(() => endRun(run));
    for (const urn of urns) expect(said).toContain(`was creating ${urn}, and may have created it`);
    expect(all).toHaveBeenCalledTimes(1);
  });

  test.each(["refresh", "up"])("under a name is not what it was adopting, in a %s", async (what) => {
    const { id, outs = {} } = await create(provider().template, "template");
    emulator.service.volumes.create({ name: "datasets", size: 10, dataCenter: "EU-RO-1" });
    const pending = [urnOf("NetworkVolume", "datasets")];
    const adopting = { pendingName: "datasets", pendingAdopts: true, pendingMarker: stacks.ours, pending };
    Object.assign(backend, adopting);
    const { run, template, networkVolume } = provider();
    if (what === "refresh") await template.read(id, outs);
    else await begin(networkVolume, "networkVolume", { __urn: urnOf("NetworkVolume", "other") });
    expect((await heard(() => endRun(run))).said).toBe("");
  });

  test("under a name is not what another provider creates in an up that refreshes", async () => {
    const { template } = provider();
    const { id, outs = {} } = await create(template, "template");
    emulator.service.volumes.create({ name: "datasets", size: 10, dataCenter: "EU-RO-1" });
    const pending = [urnOf("NetworkVolume", "datasets")];
    Object.assign(backend, { pendingName: "datasets", pendingMarker: stacks.theirs, pending });
    const next = provider();
    await next.template.read(id, outs);
    await next.template.check(outs, declared("template", { name: "worker" }));
    expect((await heard(() => endRun(next.run))).said).toBe("");
  });

  test.each(["--clear-pending-creates", "--import-pending-creates"])(
    "under a name of the program may be any volume in no state after `pulumi refresh %s`, which names them",
    async (flag) => {
      const { networkVolume } = provider();
      const { id, outs = {} } = await create(networkVolume, "networkVolume", { name: "ours" });
      const size = { size: 10, dataCenter: "EU-RO-1" };
      const theirs = emulator.service.volumes.create({ name: "theirs", ...size });
      const left = emulator.service.volumes.create({ name: "datasets", ...size });
      haveInState(id);
      backend.othersHave = [theirs.id];
      const refresh = async (line: string) => {
        runs(line);
        const next = provider();
        await next.networkVolume.read(id, outs);
        return (await heard(() => endRun(next.run))).said;
      };
      expect(await refresh(`refresh ${flag}`)).toBe(
        `in no state that this login shows, and without a mark: network volume "datasets" (${left.id}). If this refresh has cleared a create ` +
          "of an interrupted run, that run may have created one of these. Write adopt with its id where it is to stay, and otherwise delete " +
          "it, if nobody else created it\n",
      );
      expect(await refresh("refresh --yes")).toBe("");
    },
  );

  test("is told of once where the program has it no longer: each later create of the kind waits for it", async () => {
    backend.pending = [urn("it")];
    const { run, pod } = provider();
    await Promise.all(["one", "two"].map((name) => create(pod, "pod", { __urn: urn(name), name })));
    const { said } = await heard(() => endRun(run));
    expect(said).toBe(
      "an interrupted run was creating a pod that has left the program, and none has appeared: each `pulumi up` that creates a pod " +
        "waits half a minute for it, until `pulumi refresh --clear-pending-creates`\n",
    );
  });

  test("leaves nothing to tell where this run creates it", async () => {
    backend.pending = [urn("it")];
    const { run, pod } = provider();
    const { said } = await heard(async () => {
      await begin(pod, "pod", { __urn: urn("it") });
      await endRun(run);
    });
    expect(said).toBe("");
  });

  test("is not what another provider may be creating in this run, nor what this run creates itself", async () => {
    Object.assign(backend, { pendingMarker: stacks.theirs, pending: [urn("beside")] });
    const { run, pod } = provider();
    await Promise.all(["one", "two", "three"].map((name) => create(pod, "pod", { __urn: urn(name), name })));
    expect(run.atEnd.interrupted.size).toBe(0);
    expect(existing()).toHaveLength(3);
  });
});

describe("what this stack or one that shares its provider may have created", () => {
  test("is this stack's where an interrupted run was creating the very resource", async () => {
    const left = await interrupted("pod");
    shareProvider();
    backend.pending = [urnOf("pod")];
    expect((await begin(provider().pod, "pod")).id).toBe(left);
  });

  test("is waited for while a list lags, though the state was asked for before this run began the create", async () => {
    const left = await interrupted("pod");
    const volume = await interrupted("networkVolume");
    backend.pending = [urnOf("pod")];
    const next = provider();
    const none = { answer: { status: 200, body: { pods: [] } } };
    emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: none, times: 3 });
    // Asks whose the volume is, by the state.
    expect((await begin(next.networkVolume, "networkVolume")).id).toBe(volume);
    expect((await begin(next.pod, "pod")).id).toBe(left);
  });

  test("is named otherwise, and left alone", async () => {
    const left = await interrupted("pod");
    shareProvider();
    backend.pending = [urnOf("pod", "other")];
    const { result, said } = await heard(() => begin(provider().pod, "pod"));
    expect(result.id).not.toBe(left);
    expect(said).toMatch(
      /But another stack may have created it .* taken over only with adopt: "\w+"\. \[PODLUMI-ORPHAN\]/,
    );
    // This run's own create, which the state shows by then, proves nothing.
    backend.pending = [];
    expect((await create(provider().pod, "pod")).id).not.toBe(left);
  });
});
