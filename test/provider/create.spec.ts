import { endRun } from "../../provider/core/end";
import type { Properties } from "../../provider/core/value";
import { speed } from "./fast-clock";
import {
  begin,
  create,
  creations,
  declared,
  emulator,
  end,
  existing,
  haveInOtherState,
  haveInState,
  heard,
  inputs,
  type Kind,
  kinds,
  provider,
  runsTargets,
  stacks,
  urnOf,
  withoutSecretsOverRest,
} from "./process";

describe.each([
  ["the connection is cut", { reset: true }],
  ["the service fails", { status: 500 }],
  ["a gateway fails", { status: 502 }],
  ["the answer is no JSON", { malformed: true }],
  ["the answer ends early", { truncated: true }],
])("when %s", (_title, what) => {
  test.each(kinds)("after a %s was made, it is found and not made twice", async (kind) => {
    for (const { match } of creations) emulator.faults.add({ match, when: "after", what } as never);
    const { id } = await begin(provider()[kind], kind);
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(1);
  });

  test("after a secret was made over GraphQL, it is found and not made twice", async () => {
    await withoutSecretsOverRest();
    for (const { match } of creations) emulator.faults.add({ match, when: "after", what } as never);
    const { id } = await begin(provider().secret, "secret");
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(1);
  });

  test.each(kinds)("before a %s was made, it is made", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "before", what, times: 2 } as never);
    const { id } = await begin(provider()[kind], kind);
    expect(existing()).toEqual([id]);
    expect(emulator.faults.injected).toHaveLength(2);
  });
});

/** Kinds whose names need not be unique in an account. */
const several = kinds.filter((kind) => !["registryAuth", "secret", "template"].includes(kind));

/** Makes creates take effect late, in milliseconds of the provider's clock. Their error answer comes at once. */
const late = (milliseconds: number, times = 1) => {
  const what = { later: milliseconds / speed, status: 504 };
  for (const { match } of creations) emulator.faults.add({ match, when: "before", what, times } as never);
};

const posts = () =>
  emulator.requests.filter(({ method, path }) => method === "POST" && !path.startsWith("/graphql")).length;

describe("an effect that comes after its error", () => {
  test.each(kinds)("is waited for, and nothing is sent again: a %s", async (kind) => {
    late(15_000);
    const { id } = await begin(provider()[kind], kind);
    await until(() => existing().length > 0);
    expect(existing()).toEqual([id]);
    if (several.includes(kind)) expect(posts()).toBe(1);
  });

  test.each(several)(
    "and after the request was sent again, is a twin: the next up says so, and its end deletes it: a %s",
    async (kind) => {
      late(45_000);
      const { id, outs } = await begin(provider()[kind], kind);
      await until(() => existing().length === 2);
      const [twin] = existing().filter((other) => other !== id);

      const olds = { ...outs, __provider: "p" };
      const { run, [kind]: next } = provider();
      const { inputs: news } = (await next.check?.(olds, declared(kind))) ?? {};
      expect(await next.diff?.(id, olds, news)).toMatchObject({ changes: true, replaces: [] });
      const { outs: updated } = (await next.update?.(id, olds, news)) ?? {};
      expect(existing()).toContain(twin);
      await end(run);
      expect(existing()).toEqual([id]);

      const settled = provider()[kind];
      const state = { ...updated, __provider: "p" };
      const { inputs: same } = (await settled.check?.(state, declared(kind))) ?? {};
      expect(await settled.diff?.(id, state, same)).toMatchObject({ changes: false });
    },
  );

  test("a twin that the program adopts or reads later in the run stays", async () => {
    late(45_000);
    const { id, outs } = await begin(provider().pod, "pod");
    await until(() => existing().length === 2);
    const twin = String(existing().find((other) => other !== id));
    const olds = { ...outs, __provider: "p" };
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
      await end(run);
      expect(existing().sort()).toEqual([id, twin].sort());
    }
  });

  test("so it does where the run fails, perhaps before what adopts it, and the next up deletes it", async () => {
    late(45_000);
    const { id, outs } = await begin(provider().pod, "pod");
    await until(() => existing().length === 2);
    const twin = String(existing().find((other) => other !== id));
    const olds = { ...outs, __provider: "p" };
    const patch = { method: "PATCH", path: `/pods/${id}` };
    const news = { ...declared("pod", { image: "org/pod:2" }), name: outs?.name };
    emulator.faults.add({ match: patch, when: "before", what: { status: 400 } });
    for (const [left, said] of [
      [[id, twin], new RegExp(`leaves the pod .* \\(${twin}\\).* this run has failed`)],
      [[id], /deleted the pod/],
    ] as const) {
      const { run, pod } = provider();
      await pod.check(olds, news);
      await pod.update(id, olds, news).catch(() => undefined);
      expect((await heard(() => end(run))).said).toMatch(said);
      expect(existing().sort()).toEqual([...left].sort());
    }
  });

  test("so it does where the command leaves out what may adopt it, and the preview says so", async () => {
    late(45_000);
    const { id, outs } = await begin(provider().pod, "pod");
    await until(() => existing().length === 2);
    const twin = String(existing().find((other) => other !== id));
    const olds = { ...outs, __provider: "p" };
    runsTargets(true);
    const { run, pod } = provider();
    const { inputs: news = {} } = await pod.check(olds, declared("pod"));
    const leaves = new RegExp(`leaves the pod .* \\(${twin}\\).* leaves out a part of the program`);
    const { said, result } = await heard(() => pod.diff(id, olds, news));
    expect(said).toMatch(leaves);
    expect(result).toMatchObject({ changes: false });
    await pod.update(id, olds, news);
    expect((await heard(() => end(run))).said).toMatch(leaves);
    expect(existing().sort()).toEqual([id, twin].sort());
  });

  test("so it does where the object in the state is deleted before that, as a replacement can be", async () => {
    late(45_000);
    const { id, outs = {} } = await begin(provider().pod, "pod");
    await until(() => existing().length === 2);
    const twin = String(existing().find((other) => other !== id));
    const { run, pod } = provider();
    await pod.check(outs, declared("pod", { gpu: { id: "NVIDIA A40" } }));
    await pod.delete(id, outs);
    await begin(pod, "pod", { adopt: twin, __urn: urnOf("pod", "second") });
    await end(run);
    expect(existing()).toEqual([twin]);
  });

  test("a twin that the end of a run has no time to delete is told of, as where Pulumi has many states to export", async () => {
    late(45_000);
    const { run, pod } = provider();
    await begin(pod, "pod");
    await until(() => existing().length === 2);
    jest.spyOn(run.states, "all").mockReturnValue(new Promise(() => undefined));
    const { said } = await heard(() => endRun(run));
    expect(said).toMatch(
      /may have made for this pod: there was no time, .* `pulumi refresh` .*PODLUMI-ORPHAN/,
    );
    expect(existing()).toHaveLength(2);
  });

  test.each(several)("a twin goes with the object that the state has: a %s", async (kind) => {
    late(45_000);
    const { id, outs } = await begin(provider()[kind], kind);
    await until(() => existing().length === 2);
    await provider()[kind].delete?.(id, outs);
    expect(existing()).toEqual([]);
  });

  test.each(several)("a twin that is there when the run ends goes with it: a %s", async (kind) => {
    late(45_000);
    const made = provider();
    const { id } = await begin(made[kind], kind);
    await until(() => existing().length === 2);
    await end(made.run);
    expect(existing()).toEqual([id]);
  });

  test.each(several)("a twin that another stack has taken into its state stays: a %s", async (kind) => {
    late(45_000);
    const { id, outs } = await begin(provider()[kind], kind);
    await until(() => existing().length === 2);
    haveInOtherState(...existing().filter((one) => one !== id));
    await provider()[kind].delete?.(id, outs);
    expect(existing()).toHaveLength(1);
  });

  test.each(["pod", "serverlessEndpoint", "cluster"] as const)(
    "and comes an hour later may be a person's copy, which is named and stays: a %s",
    async (kind) => {
      late(45_000);
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
      await provider()[kind].delete?.(id, outs);
      expect(existing()).toEqual([copy]);
    },
  );

  test("what looks like a twin and is another stack's, or the program's own, stays", async () => {
    late(45_000);
    const { id, outs } = await begin(provider().pod, "pod");
    const others = [
      await begin(provider().pod, "pod", { __stack: stacks.theirs, __urn: urnOf("pod", "it", "prod") }),
      await begin(provider().pod, "pod", { __urn: urnOf("pod", "other") }),
    ];
    await until(() => existing().length === 4);
    await provider().pod.delete?.(id, outs);
    expect(existing().sort()).toEqual(others.map((other) => other.id).sort());
  });
});

describe("a create that fails after a request without a clear answer", () => {
  test.each(kinds)(
    "says so, and the end of the run names what that has made after all: a %s",
    async (kind) => {
      late(90_000);
      const refused = { status: 400 };
      for (const { match } of creations)
        emulator.faults.add({ match, when: "before", what: refused, times: 0 } as never);
      const { run, ...of } = provider();
      await expect(begin(of[kind], kind)).rejects.toThrow(
        /400 .* A request of this create had no clear answer, and may still make the .* `npx podlumi ls --stack project\/dev`/,
      );
      await until(() => existing().length > 0);
      const { said } = await heard(() => end(run));
      expect(said).toMatch(new RegExp(`the create that failed has made the .*\\(${existing()[0]}\\)`));
      emulator.faults.clear();
      expect((await begin(provider()[kind], kind)).id).toBe(existing()[0]);
      expect(existing()).toHaveLength(1);
    },
  );

  test("and by a name of the program, may have made what appears then", async () => {
    late(45_000);
    const { run, cluster } = provider();
    await expect(create(cluster, "cluster")).rejects.toThrow(/It may still come/);
    await until(() => existing().length > 0);
    const { said } = await heard(() => end(run));
    expect(said).toMatch(new RegExp(`may have made the .* If so, write adopt: "${existing()[0]}"`));
  });
});

describe("under a name of the program, where nothing else tells whose an object is", () => {
  const unmarked = ["networkVolume", "cluster", "registryDelegation"] as const;

  test.each(unmarked)("a request without a clear end is not sent again: a %s", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "before", what: { status: 502 } } as never);
    await expect(create(provider()[kind], kind)).rejects.toThrow(
      /Nothing of it has appeared within 30 s\. It may still come: look with `npx podlumi ls` in some minutes/,
    );
    expect(existing()).toEqual([]);
    expect((await create(provider()[kind], kind)).id).toBe(existing()[0]);
  });

  test.each(unmarked)("what has appeared is not taken, but named: a %s", async (kind) => {
    for (const { match } of creations)
      emulator.faults.add({ match, when: "after", what: { status: 502 } } as never);
    const failed = create(provider()[kind], kind);
    await expect(failed).rejects.toThrow(
      /Since then there is the .*, which may be what it made. If so, write adopt/,
    );
    await expect(failed).rejects.toThrow(String(existing()[0]));
    expect(existing()).toHaveLength(1);
  });

  test.each(["template", "registryAuth"] as const)(
    "nor is a unique name taken for a proof: a %s",
    async (kind) => {
      for (const { match } of creations)
        emulator.faults.add({ match, when: "after", what: { status: 502 } } as never);
      await expect(create(provider()[kind], kind)).rejects.toThrow(/which may be what it made/);
      expect(existing()).toHaveLength(1);
    },
  );
});

test("an equal object that somebody makes while a request fails is not taken over", async () => {
  const { service } = emulator;
  const match = { method: "POST", path: "/network-volumes" };
  emulator.faults.add({ match, when: "before", what: { status: 502 } });
  emulator.on("before", match, () => {
    if (service.volumes.list().length === 0)
      service.volumes.create({ name: "data", size: 20, dataCenter: "EU-RO-1" });
  });
  await expect(create(provider().networkVolume, "networkVolume")).rejects.toThrow(
    /which may be what it made/,
  );
  expect(service.volumes.list()).toHaveLength(1);
  const { id } = await begin(provider().networkVolume, "networkVolume");
  expect(service.volumes.list()).toHaveLength(2);
  expect(service.volumes.get(id).name).not.toBe("data");
});

test("a list that lags hides for a while what was made", async () => {
  emulator.service.timings.listLag = 20_000 / speed;
  for (const { match } of creations)
    emulator.faults.add({ match, when: "after", what: { reset: true } } as never);
  for (const kind of kinds) await begin(provider()[kind], kind);
  expect(existing()).toHaveLength(kinds.length);
});

test("two equal resources of one program are made, each once, when both answers are lost", async () => {
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "after",
    what: { reset: true },
    times: 2,
  });
  const { pod } = provider();
  const make = (name: string) => pod.create({ ...declared("pod"), name: "web", __urn: urnOf("pod", name) });
  const made = await Promise.all([make("one"), make("two")]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  expect(existing().sort()).toEqual(made.map(({ id }) => id).sort());
});

describe("a name that must be unique", () => {
  const kindsOf: [Kind, () => { id: string }, (id: string) => void][] = [
    [
      "template",
      () => emulator.service.templates.create({ name: "worker", image: "org/other:1" }),
      (id) => emulator.service.templates.delete(id),
    ],
    [
      "registryAuth",
      () => emulator.service.registries.create({ name: "ghcr", username: "a", password: "b" }),
      (id) => emulator.service.registries.delete(id),
    ],
    [
      "secret",
      () => emulator.service.secrets.create({ name: "token", value: "b" }),
      (id) => emulator.service.secrets.delete(id),
    ],
  ];

  test.each(kindsOf)("of a %s that is taken fails in the check, and says by whom", async (kind, take) => {
    const { id } = take();
    const { failures } = (await provider()[kind].check?.({}, { ...inputs[kind], __urn: "urn:x" })) ?? {};
    expect(failures).toEqual([
      { property: "name", reason: expect.stringMatching(new RegExp(`is taken by the .* ${id}\\.`)) },
    ]);
    expect(
      emulator.requests.filter(({ method }) => method === "POST" || method === "GET").length,
    ).toBeLessThanOrEqual(4);
  });

  test.each(kindsOf)("of a %s is tried again while its holder may go away", async (kind, take, release) => {
    const { id } = take();
    setTimeout(() => release(id), 300);
    const made = await create(provider()[kind], kind);
    expect(existing()).toEqual([made.id]);
  });

  test("is free for the resource that holds it, and taken for another of the same program", async () => {
    const { template } = provider();
    const check = (urn: string, olds: Properties) =>
      template.check?.(olds, { ...inputs.template, __urn: urn });
    const { id, outs } = await create(template, "template");
    const next = provider().template;
    await next.diff?.(id, outs, { ...inputs.template });
    expect((await next.check?.({}, { ...inputs.template, __urn: "urn:template" }))?.failures).toEqual([]);
    expect((await check("urn:a", {}))?.failures).toEqual([]);
    expect((await check("urn:b", {}))?.failures).toEqual([
      {
        property: "name",
        reason:
          "is also the name of urn:a: names of templates are unique in the account. Give one of them another name [PODLUMI-NAME-TWICE]",
      },
    ]);
  });

  test("is to change of the resource that did not have it before, whichever of the two is checked first", async () => {
    const failuresOf = async (...urns: string[]) => {
      const { template } = provider();
      const given = (__urn: string) => ({ ...inputs.template, __urn });
      const check = (urn: string) => template.check(urn === "urn:old" ? given(urn) : {}, given(urn));
      const results = [await check(String(urns[0])), await check(String(urns[1]))];
      return results.flatMap(({ failures = [] }) => failures.map(({ reason }) => reason));
    };
    expect(await failuresOf("urn:old", "urn:new")).toEqual([
      expect.stringMatching(/the name of urn:old: .* Give this one another name \[PODLUMI-NAME-TWICE\]$/),
    ]);
    expect(await failuresOf("urn:new", "urn:old")).toEqual([
      expect.stringMatching(
        /the name of urn:new: .* Give the other one another name \[PODLUMI-NAME-TWICE\]$/,
      ),
    ]);
  });

  test("two secrets of a program whose names differ in case alone have one name", async () => {
    const { secret } = provider();
    const check = (name: string) =>
      secret.check({}, declared("secret", { name, __urn: urnOf("secret", name) }));
    expect((await check("token")).failures).toEqual([]);
    expect((await check("TOKEN")).failures).toEqual([
      expect.objectContaining({ property: "name", reason: expect.stringContaining("PODLUMI-NAME-TWICE") }),
    ]);
  });

  test("a new name that somebody else's object has fails before the update", async () => {
    const { id, outs = {} } = await create(provider().template, "template");
    const theirs = emulator.service.templates.create({ name: "theirs", image: "org/app:1" });
    const { template } = provider();
    const renamed = declared("template", { name: "theirs" });
    const { inputs: news } = await template.check(outs, renamed);
    await expect(template.diff(id, outs, news)).rejects.toThrow(
      `the name "theirs" is taken by the template ${theirs.id}`,
    );
    haveInState(theirs.id);
    await expect(provider().template.diff(id, outs, news)).resolves.toMatchObject({ changes: undefined });
  });

  test("that resources would have to swap fails in the preview; one that is free in the end does not", async () => {
    const names = ["a", "b", "c"];
    const urnFor = (name: string) => urnOf("Template", `of-${name}`);
    const states = new Map<string, { id: string; outs?: Properties }>();
    for (const name of names)
      states.set(name, await create(provider().template, "template", { name, __urn: urnFor(name) }));
    haveInState(...existing());
    const renamed = async (...to: string[]) => {
      const { template } = provider();
      for (const [index, name] of to.entries()) {
        const { id, outs = {} } = states.get(names[index] ?? "") ?? { id: "" };
        const { inputs: news } = await template.check(outs, { ...outs, name });
        await template.diff(id, outs, news);
      }
    };
    const says =
      /will not change template "a" \(\w+\): it is to have the name "a", and urn:\S+of-[ab] its present one.*NAME-OF-THIS-STACK/;
    await expect(renamed("b", "a")).rejects.toThrow(says);
    await expect(renamed("b", "c", "a")).rejects.toThrow(says);
    await renamed("b", "c", "d");
    await renamed("c", "b", "d");
  });

  test("of a resource in the state is taken for a new one, whichever is checked first", async () => {
    const held = { ...inputs.template, __urn: "urn:held" };
    const fresh = { ...inputs.template, __urn: "urn:new" };
    const { outs } = await create(provider().template, "template");
    const state = { ...outs, __urn: "urn:held" };
    const first = provider().template;
    expect((await first.check?.(state, held))?.failures).toEqual([]);
    expect((await first.check?.({}, fresh))?.failures).toHaveLength(1);
    const second = provider().template;
    expect((await second.check?.({}, fresh))?.failures).toHaveLength(1);
    expect((await second.check?.(state, held))?.failures).toHaveLength(1);
  });

  test("that another resource of the stack keeps is waited for in vain, and the error says whose it is", async () => {
    const { id } = await create(provider().template, "template");
    const { run, template } = provider();
    run.owners.note(id, { ...inputs.template, __urn: "urn:pulumi:dev::project::template::held" });
    await expect(template.create({ ...inputs.template, __urn: "urn:new" })).rejects.toThrow(
      /could not create template "worker": the name "worker" is that of urn:\S+::held \(template \w+\) in this stack\. .* write aliases/,
    );
  });

  test("that an earlier object of the resource still has is told as such", async () => {
    const { id } = await create(provider().template, "template");
    const { run, template } = provider();
    run.owners.note(id, { ...inputs.template, __urn: "urn:it" });
    await expect(template.create({ ...inputs.template, __urn: "urn:it" })).rejects.toThrow(
      /the name "worker" is still that of the template \w+, which this resource had before .* Run `pulumi up` once/,
    );
  });

  test("is not checked without a key, and the check says so once", async () => {
    const said: string[] = [];
    const write = jest
      .spyOn(process.stderr, "write")
      .mockImplementation((text) => said.push(String(text)) > 0);
    const { template } = provider({ RUNPOD_API_KEY: "" });
    for (const urn of ["urn:1", "urn:2"]) {
      const checked = await template.check?.({}, { ...inputs.template, name: urn, __urn: urn });
      expect(checked?.failures).toEqual([]);
    }
    write.mockRestore();
    expect(said).toEqual([
      expect.stringMatching(/^podlumi could not check what the account has: no API key/),
    ]);
  });
});

describe("a pod for which there is no room", () => {
  const placements = [
    { gpu: { id: "NVIDIA H200" }, dataCenterIds: ["EU-RO-1"] },
    { gpu: { id: "NVIDIA A40" } },
    { gpu: { id: "NVIDIA L4", count: 2 }, cloud: "SECURE" },
  ];
  const placed = { gpu: undefined, placements };
  const full = (gpu: string) => emulator.service.capacity.set({ gpu, free: 0 });

  test("takes the first place that has some, and stays there", async () => {
    full("NVIDIA H200");
    const { pod } = provider();
    const { id, outs } = await create(pod, "pod", placed);
    expect(emulator.service.pods.get(id)).toMatchObject({ gpu: { id: "NVIDIA A40", count: 1 } });
    expect(outs).toMatchObject({ placement: 1 });
    const withList = (list: unknown) => ({
      ...inputs.pod,
      gpu: undefined,
      placements: list,
      __urn: outs?.__urn,
    });
    const diff = async (list: unknown) => pod.diff?.(id, outs, withList(list));
    expect(await diff(placements)).toMatchObject({ changes: false });
    const turned = [...placements.slice(1), ...placements.slice(0, 1)];
    expect(await diff(turned)).toMatchObject({ changes: undefined, replaces: [] });
    emulator.requests.splice(0);
    expect((await pod.update?.(id, outs, withList(turned)))?.outs).toMatchObject({ placement: 0 });
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await diff(placements.slice(2))).toMatchObject({ changes: undefined, replaces: ["placements"] });
  });

  test("says what each place answered, and what the catalog has", async () => {
    for (const gpu of ["NVIDIA H200", "NVIDIA A40", "NVIDIA L4"]) full(gpu);
    const made = create(provider().pod, "pod", placed);
    await expect(made).rejects.toThrow(
      /NVIDIA H200 in EU-RO-1 \(SECURE\): POST \/pods answered 400 .* NVIDIA A40 in any data center/,
    );
    await expect(made).rejects.toThrow(/Availability in the catalog: .*NVIDIA A40 NONE/);
  });

  test("is tried again for as long as it is given, when it is made and when it is started", async () => {
    const free = (count: number) => emulator.service.capacity.set({ gpu: "NVIDIA L4", free: count });
    free(0);
    const { pod } = provider();
    emulator.on("after", { method: "POST" }, () => free(1));
    const { id, outs } = await create(pod, "pod", { capacityTimeout: 30 });
    const news = { ...inputs.pod, capacityTimeout: 30, desiredStatus: "RUNNING" };
    const stopped = await pod.update?.(id, outs, { ...news, desiredStatus: "EXITED" });
    free(0);
    const started = await pod.update?.(id, stopped?.outs, news);
    expect(started?.outs).toMatchObject({ status: "RUNNING" });
    expect(
      emulator.requests.filter(({ method, status }) => method === "POST" && status === 400),
    ).toHaveLength(2);
  });

  test("ends at once when there is no balance", async () => {
    emulator.service.balance = 0;
    await expect(create(provider().pod, "pod", placed)).rejects.toThrow(/answered 402 .* Add balance/);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

test("a deletion that is refused for too long says who uses what", async () => {
  const { networkVolume, pod } = provider();
  const { id } = await create(networkVolume, "networkVolume");
  const holder = await create(pod, "pod", { mounts: { network: [{ volumeId: id, path: "/a" }] } });
  const deleted = networkVolume.delete?.(id, { name: "data", deleteTimeout: 1 });
  await expect(deleted).rejects.toThrow(
    new RegExp(
      `could not delete network volume "data" .* tried again for 1 s\\. It is used by pod "trainer" \\(${holder.id}\\)`,
    ),
  );
});

describe("an endpoint that is refused beside one with workers", () => {
  const three = { workers: { max: 3 } };
  /** The error of a second endpoint, where the quota has room for 2 workers more, and the id of the first one. */
  async function refusal(workers: number, changes: Properties = {}) {
    emulator.service.workersQuota = 5;
    const { serverlessEndpoint } = provider();
    const first = await create(serverlessEndpoint, "serverlessEndpoint", three);
    const second = {
      ...inputs.serverlessEndpoint,
      workers: { max: workers },
      __urn: "urn:second",
      ...changes,
    };
    const error = await serverlessEndpoint.create(second).catch((thrown: Error) => thrown);
    return { id: first.id, text: String(Object(error).message) };
  }
  const noGpu = { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA GeForce RTX 4090"] } };

  test("is told who has the workers, and how many are left, where they are too many", async () => {
    const { id, text } = await refusal(4);
    expect(text).toContain("at most 2");
    expect(text).toContain(
      `Too many workers: the account's quota is 5 workers over all endpoints, and with 4 of this one there would be 7: at present llm (${id}) 3.`,
    );
    expect(text).toMatch(/\[PODLUMI-WORKERS\]$/);
  });

  test("is told nothing of workers where they are not too many", async () => {
    const { text } = await refusal(2, noGpu);
    expect(text).toContain("leaves no GPU type in the pools");
    expect(text).not.toMatch(/too many workers|PODLUMI-WORKERS/i);
  });

  test("is told who has workers, and not that they are the reason, where the service does not tell the quota", async () => {
    emulator.faults.add({
      match: { path: "/account/limits" },
      when: "before",
      what: { status: 404 },
      times: 0,
    });
    const { id, text } = await refusal(2, noGpu);
    expect(text).toContain(
      `If there are too many workers: the account's other endpoints may have 3, llm (${id}) 3.`,
    );
    expect(text).not.toContain("PODLUMI-WORKERS");
  });

  test("so is an update that takes no more workers, where the quota has shrunk", async () => {
    const { serverlessEndpoint } = provider();
    await create(serverlessEndpoint, "serverlessEndpoint", { ...three, __urn: "urn:first" });
    const { id, outs } = await create(serverlessEndpoint, "serverlessEndpoint", three);
    emulator.service.workersQuota = 5;
    const news = { ...declared("serverlessEndpoint", { ...three, ...noGpu }), name: "llm" };
    const updated = serverlessEndpoint.update(id, outs ?? {}, news);
    await expect(updated).rejects.toThrow(/If there are too many workers: .* may have 3, llm \(\w+\) 3\./);
    await expect(updated).rejects.not.toThrow("PODLUMI-WORKERS");
  });
});

test("an error names the resource and the request, whatever plain words env holds, and hides what may be secret", async () => {
  const { pod } = provider();
  const env = { STAGE: "prod", KIND: "pods", TOKEN: "hunter22" };
  emulator.faults.add({
    match: { method: "POST", path: "/pods" },
    when: "before",
    what: { status: 422, detail: "prod: hunter22 is no token" },
  });
  await expect(create(pod, "pod", { name: "prod-llm", env })).rejects.toThrow(
    'could not create pod "prod-llm": POST /pods answered 422 Unprocessable Entity: prod: [secret] is no token',
  );
});

test.each(kinds)("a %s that is gone already is deleted, also by the run that made it", async (kind) => {
  const of = provider()[kind];
  const { id, outs } = await begin(of, kind);
  await of.delete(id, outs ?? {});
  await of.delete(id, outs ?? {});
  expect(existing()).toEqual([]);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
