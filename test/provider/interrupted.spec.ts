import { systemClock } from "../../provider/client/clock";
import { recent } from "../../provider/client/proof";
import { confirmDataLoss } from "../../provider/config";
import { markVariable } from "../../provider/core/owner/mark";
import type { Properties } from "../../provider/core/value";

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
  havePending,
  havePendingUnder,
  haveReads,
  haveWritten,
  heard,
  inputs,
  type Kind,
  kinds,
  loseState,
  provider,
  runIn,
  shareProvider,
  stacks,
  urnOf,
} from "./process";

/** Begins a create whose answer never comes, as if the run had died. Returns the id of the object. */
async function interrupted(kind: Kind, changes: Properties = {}): Promise<string> {
  const before = new Set(existing());
  for (const { match } of creations)
    emulator.faults.add({ match, when: "after", what: { hang: true } } as never);
  begin(provider()[kind], kind, changes).catch(() => undefined);
  for (;;) {
    const made = existing().find((id) => !before.has(id));
    if (made !== undefined) {
      emulator.faults.clear();
      return made;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a process that died", () => {
  test.each(kinds)(
    "after a %s was made leaves nothing behind: the next run takes it over, on any machine, and says so",
    async (kind) => {
      const lost = await interrupted(kind);
      const { result, said } = await heard(() => begin(provider()[kind], kind));
      expect(result.id).toBe(lost);
      expect(existing()).toEqual([lost]);
      expect(said).toMatch(
        new RegExp(
          `takes over the .* \\(${lost}\\) .* is in no state that this login shows, as an interrupted run`,
        ),
      );
    },
  );

  test.each(kinds)("before its answer about a %s reached the engine leaves nothing behind", async (kind) => {
    const lost = await begin(provider()[kind], kind);
    const { id } = await begin(provider()[kind], kind);
    expect(id).toBe(lost.id);
    expect(existing()).toEqual([id]);
  });
});

test("what appears between the check and a create seconds later is taken over", async () => {
  const { pod } = provider();
  const { inputs: checked = {} } = await pod.check({}, declared("pod"));
  const left = await interrupted("pod");
  await systemClock.sleep(recent);
  expect((await pod.create(checked)).id).toBe(left);
});

describe("what an interrupted run made is changed into what the program says by now", () => {
  test.each<[Kind, Properties, (id: string) => unknown]>([
    ["secret", { value: "another" }, (id) => ({ value: emulator.service.secrets.valueOf(id) })],
    ["registryAuth", { password: "another" }, (id) => emulator.service.registries.valueOf(id)],
    ["template", { image: "org/worker:2" }, (id) => emulator.service.templates.get(id)],
    ["pod", { image: "org/pod:2" }, (id) => emulator.service.pods.get(id)],
    ["networkVolume", { size: 30 }, (id) => emulator.service.volumes.get(id)],
    ["serverlessEndpoint", { timeout: 60_000 }, (id) => emulator.service.endpoints.get(id)],
  ])("a %s: %j", async (kind, edit, held) => {
    const left = await interrupted(kind);
    const { id, outs } = await begin(provider()[kind], kind, edit);
    expect(id).toBe(left);
    expect(held(id)).toMatchObject(edit);
    const olds = { ...outs, __provider: "p" };
    const { inputs: news } = (await provider()[kind].check?.(olds, declared(kind, edit))) ?? {};
    expect(await provider()[kind].diff?.(id, olds, news)).toMatchObject({ changes: false, replaces: [] });
    expect(existing()).toEqual([id]);
  });

  test.each<[Kind, Properties]>([
    ["pod", { startSsh: true }],
    ["pod", { gpu: { id: "NVIDIA A40" } }],
    ["networkVolume", { dataCenter: "US-KS-2" }],
    ["serverlessEndpoint", { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } }],
  ])(
    "or, where it cannot be, stays and is told of, and another one is made: a %s, %j",
    async (kind, edit) => {
      const left = await interrupted(kind);
      const { result, said } = await heard(() => begin(provider()[kind], kind, edit));
      expect(result.id).not.toBe(left);
      expect(existing().sort()).toEqual([left, result.id].sort());
      expect(said).toMatch(
        new RegExp(`\\(${left}\\) carries the mark of this resource.*sweep --stack project/dev`),
      );
    },
  );

  test("one of two is taken over, and a warning names the other", async () => {
    const first = await interrupted("pod");
    const { name, env } = emulator.service.pods.get(first);
    const gpu = { id: "NVIDIA L4", count: 1 };
    const { id: second } = emulator.service.pods.create({ name, image: "org/pod:1", gpu, env });
    const { result, said } = await heard(() => begin(provider().pod, "pod"));
    const other = result.id === first ? second : first;
    expect(existing().sort()).toEqual([first, second].sort());
    expect(said).toMatch(
      new RegExp(
        `\\(${other}\\) carries the mark .* takes over the pod "\\S+" \\(${result.id}\\), and this one stays`,
      ),
    );
    expect(said).not.toContain("another one is made");
  });

  test("a variable that the program does not have any more is no obstacle, and the mark stays", async () => {
    const left = await interrupted("pod", { env: { A: "1", B: "2" } });
    const { id } = await begin(provider().pod, "pod", { env: { A: "2" } });
    expect(id).toBe(left);
    expect(emulator.service.pods.get(id).env).toMatchObject({
      A: "2",
      [markVariable]: expect.stringContaining("project/dev Pod::it "),
    });
  });
});

describe("nothing is taken over", () => {
  test.each(kinds)("that another stack of the same program made: a %s", async (kind) => {
    const theirs = await interrupted(kind, { __stack: stacks.theirs });
    const { id } = await begin(provider()[kind], kind);
    expect(id).not.toBe(theirs);
    expect(existing().sort()).toEqual([id, theirs].sort());
  });

  test.each(kinds)("that another resource of the same stack left: a %s", async (kind) => {
    const other = await interrupted(kind, { __urn: urnOf(kind, "other") });
    const { id } = await begin(provider()[kind], kind);
    expect(id).not.toBe(other);
  });

  test.each<[Kind, (name: string) => { id: string }]>([
    ["networkVolume", (name) => emulator.service.volumes.create({ name, size: 20, dataCenter: "EU-RO-1" })],
    [
      "pod",
      (name) =>
        emulator.service.pods.create({ name, image: "org/pod:1", gpu: { id: "NVIDIA L4", count: 1 } }),
    ],
  ])("that somebody made by hand, under a name of the program: a %s", async (kind, make) => {
    const { id: theirs } = make(String(inputs[kind].name));
    const { id } = await begin(provider()[kind], kind, { name: inputs[kind].name });
    expect(id).not.toBe(theirs);
    expect(existing().sort()).toEqual([id, theirs].sort());
  });

  test.each(kinds)("that the state has, as a replacement by hand finds it: a %s", async (kind) => {
    const old = await begin(provider()[kind], kind);
    haveInState(old.id);
    const next = provider()[kind];
    const { id } = await begin(next, kind);
    expect(id).not.toBe(old.id);
    await next.delete?.(old.id, old.outs);
    expect(existing()).toEqual([id]);
  });

  test.each<[string, (id: string) => unknown]>([
    [
      "by its mark",
      (adopt) => {
        const theirs = { __stack: stacks.theirs, __urn: urnOf("pod", "theirs", "prod") };
        return begin(provider().pod, "pod", { ...theirs, adopt });
      },
    ],
    ["by its state", haveInOtherState],
  ])("that another stack has adopted since the check, %s", async (_title, adopt) => {
    const left = await interrupted("pod");
    const { pod } = provider();
    const { inputs: checked = {} } = await pod.check({}, declared("pod"));
    await adopt(left);
    expect((await pod.create(checked)).id).not.toBe(left);
  });

  test("that a call of this run has shown, whatever the state says", async () => {
    const first = await begin(provider().pod, "pod");
    const next = provider();
    await next.pod.diff?.(first.id, { ...first.outs, __provider: "p" }, declared("pod", { name: "it" }));
    const { id } = await begin(next.pod, "pod");
    expect(id).not.toBe(first.id);
  });
});

test("when the state cannot be asked, nothing is taken over and nothing is made: preview and error say what to do", async () => {
  const old = await begin(provider().pod, "pod");
  loseState();
  const unknown = /`pulumi stack export .* nobody knows whose .* Put `pulumi` on the PATH/;
  const { failures } = (await provider().pod.check?.({}, declared("pod"))) ?? {};
  expect(failures).toEqual([{ property: "adopt", reason: expect.stringMatching(unknown) }]);
  await expect(create(provider().pod, "pod")).rejects.toThrow(unknown);
  expect(existing()).toEqual([old.id]);
});

test("a replacement gets another name, and the run after a kill finds what the killed one had begun", async () => {
  const { id: old, outs } = await begin(provider().networkVolume, "networkVolume");
  const olds = { ...outs, __provider: "p" };
  /** Replaces like the engine, which checks the resource a second time, without its old inputs. */
  const replace = async () => {
    const { run, networkVolume } = provider();
    run.configure((key) => (key === confirmDataLoss ? "all" : undefined));
    const news = declared("networkVolume", { dataCenter: "US-KS-2" });
    const { inputs: checked } = (await networkVolume.check?.(olds, news)) ?? {};
    expect(await networkVolume.diff?.(old, olds, checked)).toMatchObject({ replaces: ["dataCenter"] });
    const { inputs: fresh } = (await networkVolume.check?.({}, news)) ?? {};
    return networkVolume.create(fresh);
  };
  haveInState(old);
  const first = await replace();
  const again = await replace();
  expect(again.id).toBe(first.id);
  expect(again.outs?.name).not.toBe(outs?.name);
  expect(existing().sort()).toEqual([old, first.id].sort());
});

test("what a killed replacement had begun is waited for while a list lags", async () => {
  const { id, outs = {} } = await begin(provider().pod, "pod");
  haveInState(id);
  const gpu = { gpu: { id: "NVIDIA A40" } };
  const left = await interrupted("pod", { ...gpu, name: undefined });
  havePending(urnOf("pod"));
  const next = provider();
  const listed = { answer: { status: 200, body: { pods: [emulator.service.pods.get(id)] } } };
  emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: listed, times: 3 });
  const { inputs: checked = {} } = await next.pod.check(outs, declared("pod", gpu));
  expect((await next.pod.diff(id, outs, checked)).replaces).toEqual(["gpu"]);
  expect((await begin(next.pod, "pod", gpu)).id).toBe(left);
});

describe("a resource whose name alone tells it, of which an interrupted run had begun the create", () => {
  const named = { name: "training" };

  test.each(["cluster", "networkVolume"] as const)("is not made once more: a %s", async (kind) => {
    const left = await interrupted(kind, named);
    havePending(urnOf(kind));
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

  test("is waited for from when the state is read: the run may have waited for room before its request", async () => {
    const left = await interrupted("cluster", named);
    havePending(urnOf("cluster"));
    haveWritten(60_000);
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

  test("is made where only another stack has one of its name, as the same program in another stage does", async () => {
    const { id: theirs } = await create(provider().networkVolume, "networkVolume", {
      ...named,
      __urn: urnOf("networkVolume", "it", "prod"),
      __stack: stacks.theirs,
    });
    haveInOtherState(theirs);
    havePending(urnOf("networkVolume"));
    const { failures = [] } = await provider().networkVolume.check({}, declared("networkVolume", named));
    expect(failures).toEqual([]);
    const { id } = await create(provider().networkVolume, "networkVolume", named);
    expect(existing().sort()).toEqual([id, theirs].sort());
  });

  test("is made where nothing of its name has come", async () => {
    havePending(urnOf("networkVolume"));
    const { id } = await create(provider().networkVolume, "networkVolume", named);
    expect(existing()).toEqual([id]);
  });
});

describe("what an interrupted run was making", () => {
  const urn = (name: string) => urnOf("Pod", name);
  const lags = () => {
    const none = { answer: { status: 200, body: { pods: [] } } };
    emulator.faults.add({ match: { method: "GET", path: "/pods" }, when: "before", what: none, times: 3 });
  };

  test("by the other face is waited for, and taken over by the same resource", async () => {
    const left = await interrupted("pod", { __urn: urn("it"), __stack: stacks.theirs });
    havePendingUnder(stacks.theirs, urn("it"));
    lags();
    const __urn = urn("it").replace("pulumi-nodejs:dynamic/podlumi:", "podlumi:index:");
    expect((await create(provider().pod, "pod", { __urn })).id).toBe(left);
  });

  test("under another URN is waited for, and named at the end of the run", async () => {
    const left = await interrupted("pod", { __urn: urn("it") });
    havePending(urn("it"));
    lags();
    const { run, pod } = provider();
    const { id } = await create(pod, "pod", { __urn: urn("renamed") });
    expect(id).not.toBe(left);
    const { said } = await heard(() => end(run));
    expect(said).toMatch(
      new RegExp(
        `\\(${left}\\) is in no state .* making it as ${urn("it")}.* write adopt: "${left}".*PODLUMI-ORPHAN`,
      ),
    );
  });

  test("and what takes it over later in the run leaves nothing to name", async () => {
    const left = await interrupted("pod", { __urn: urn("it") });
    havePending(urn("it"));
    const { run, pod } = provider();
    await create(pod, "pod", { __urn: urn("first") });
    expect((await create(pod, "pod", { __urn: urn("it") })).id).toBe(left);
    const { said } = await heard(() => end(run));
    expect(said).not.toContain(left);
  });

  test("may be what has the name of the program, under whatever URN", async () => {
    const volume = (name: string) => ({ name: "datasets", __urn: urnOf("NetworkVolume", name) });
    const left = await interrupted("networkVolume", volume("it"));
    havePending(urnOf("NetworkVolume"));
    const renamed = create(provider().networkVolume, "networkVolume", volume("renamed"));
    await expect(renamed).rejects.toThrow(
      new RegExp(`was making ${urnOf("NetworkVolume")}, .*write adopt: "${left}".*PODLUMI-MAY-BE-MADE`),
    );
    expect(existing()).toEqual([left]);
  });

  test("is not what another provider may be making in this run, nor what this run makes itself", async () => {
    havePendingUnder(stacks.theirs, urn("beside"));
    const { run, pod } = provider();
    await Promise.all(["one", "two", "three"].map((name) => create(pod, "pod", { __urn: urn(name), name })));
    expect(run.interrupted.size).toBe(0);
    expect(existing()).toHaveLength(3);
  });
});

test("the end of a destroy tells of all orphans in one sentence", async () => {
  const left = provider();
  await create(left.pod, "pod");
  await create(left.serverlessEndpoint, "serverlessEndpoint");
  const { run, networkVolume } = provider();
  const { id, outs } = await create(networkVolume, "networkVolume");
  await networkVolume.delete(id, outs ?? {});
  const { said } = await heard(() => end(run));
  expect(said).toMatch(
    /^pod "\S+" \(\w+\), made for Pod::it, and serverless endpoint "\S+" \(\w+\), made for ServerlessEndpoint::it, are of this stack/,
  );
});

describe("what this stack or one that shares its provider may have made", () => {
  test("is this stack's where an interrupted run was making the very resource", async () => {
    const left = await interrupted("pod");
    shareProvider();
    havePending(urnOf("pod"));
    expect((await begin(provider().pod, "pod")).id).toBe(left);
  });

  test("is waited for while a list lags, though the state was asked for before this run began the create", async () => {
    const left = await interrupted("pod");
    const volume = await interrupted("networkVolume");
    havePending(urnOf("pod"));
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
    havePending(urnOf("pod", "other"));
    const { result, said } = await heard(() => begin(provider().pod, "pod"));
    expect(result.id).not.toBe(left);
    expect(said).toMatch(
      /But another stack may have made it .* taken over only with adopt: "\w+"\. \[PODLUMI-ORPHAN\]/,
    );
    // This run's own create, which the state shows by then, proves nothing.
    havePending();
    expect((await create(provider().pod, "pod")).id).not.toBe(left);
  });
});

describe("reading (get) is not having", () => {
  test.each(["this stack", "another stack"] as const)(
    "what %s only reads is taken over all the same by the resource that made it",
    async (stack) => {
      const left = await interrupted("pod");
      haveReads(stack, left);
      expect((await begin(provider().pod, "pod")).id).toBe(left);
    },
  );

  test("the end of a refresh names what a program only reads, and whose", async () => {
    const { id, outs } = await create(provider().networkVolume, "networkVolume");
    haveReads("another stack", await interrupted("pod"));
    const { run, networkVolume } = provider();
    await networkVolume.read?.(id, outs);
    const { said } = await heard(() => end(run));
    expect(said).toMatch(
      /carries the mark of this stack .* But the program of project\/prod reads it .* --read` deletes/,
    );
  });
});

test("the end of a destroy tells what it left from what the stack left whose name the moved objects still show", async () => {
  const moved = { __urn: urnOf("networkVolume", "it", "prod") };
  const volume = await create(provider().networkVolume, "networkVolume", moved);
  const [ours, theirs] = [
    await interrupted("pod"),
    await interrupted("pod", { __urn: urnOf("pod", "web", "prod") }),
  ];
  shareProvider("project/prod", "project/prod");
  runIn("organization/project/dev");
  const { run, networkVolume } = provider();
  await networkVolume.delete(volume.id, volume.outs ?? {});
  const { said } = await heard(() => end(run));
  expect(said).toMatch(
    new RegExp(`^pod "\\S+" \\(${ours}\\), made for Pod::it, is of this stack.* --stack project/dev`, "m"),
  );
  expect(said).toMatch(new RegExp(`${theirs}.* and the name project/prod. Another stack may have made it`));
});

test.each([{ reset: true }, { hang: true }] as const)(
  "the end of a refresh tells which kinds it could not list, and goes on with the others: %j",
  async (what) => {
    const { id, outs } = await create(provider().networkVolume, "networkVolume");
    const pod = await interrupted("pod");
    const { run, networkVolume } = provider();
    emulator.faults.add({ match: { method: "GET", path: "/serverless" }, when: "before", what, times: 0 });
    await networkVolume.read?.(id, outs);
    const { said } = await heard(() => end(run));
    expect(said).toMatch(
      /could not list the serverless endpoints at the end .* `npx podlumi ls --stack project\/dev` lists/,
    );
    expect(said).toMatch(new RegExp(`${pod}.* is of this stack`));
  },
);

test("a refresh tells of what an earlier provider of the stack left, also under an earlier name of the stack", async () => {
  const before = { __stack: stacks.theirs };
  const pod = await create(provider().pod, "pod", { ...before, __urn: urnOf("pod", "it", "earlier") });
  const { id, outs } = await create(provider().secret, "secret", before);
  const now = provider();
  const volume = await create(now.networkVolume, "networkVolume");
  const next = provider();
  await next.secret.read?.(id, outs);
  await next.networkVolume.read?.(volume.id, volume.outs);
  const { said } = await heard(() => end(next.run));
  expect(said).toMatch(new RegExp(`^pod "\\S+" \\(${pod.id}\\), made for Pod::it, is of this stack`));
});

test("a rotated key is no change, and finds what a run with the old key had begun", async () => {
  const left = await interrupted("registryAuth");
  const { registryAuth } = provider({ RUNPOD_API_KEY: "rotated" });
  const { id, outs } = await begin(registryAuth, "registryAuth");
  expect(id).toBe(left);
  const olds = { ...outs, __provider: "p" };
  const next = provider({ RUNPOD_API_KEY: "rotated-again" }).registryAuth;
  const { inputs: news } = (await next.check?.(olds, declared("registryAuth"))) ?? {};
  expect(await next.diff?.(id, olds, news)).toMatchObject({ changes: false });
});

test("a renamed stack finds what it had begun under its old name", async () => {
  const left = await interrupted("pod");
  const { id } = await begin(provider().pod, "pod", { __urn: urnOf("pod", "it", "prod") });
  expect(id).toBe(left);
});

test("an object made under a name of the program carries its mark where the kind has room for it", async () => {
  const { id: pod } = await create(provider().pod, "pod");
  const { id: secret } = await create(provider().secret, "secret");
  expect(emulator.service.pods.get(pod).env[markVariable]).toMatch(/^project\/dev Pod::it [0-9a-f]{8}-/);
  expect(emulator.service.secrets.get(secret).description).toMatch(/^podlumi: project\/dev Secret::it /);
  expect((await create(provider().pod, "pod")).id).toBe(pod);
});

test("neither the variable of the mark nor the description that holds it is an output", async () => {
  const pod = await create(provider().pod, "pod");
  const secret = await create(provider().secret, "secret");
  expect(pod.outs?.env).toEqual(inputs.pod.env);
  expect(secret.outs?.description).toBeNull();
  expect((await provider().secret.read?.(secret.id, secret.outs))?.props.description).toBeNull();
});

describe("an update of a pod that an interrupted run has made already", () => {
  const news = (env: Record<string, string>) => declared("pod", { name: "it", env, waitFor: "NONE" });
  const patches = () => emulator.requests.filter(({ method }) => method === "PATCH").length;

  test("is not sent again, since it would restart the pod once more", async () => {
    const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
    await provider().pod.update(id, outs, news({ A: "2" }));
    const { result, said } = await heard(() => provider().pod.update(id, outs, news({ A: "2" })));
    expect(patches()).toBe(1);
    expect(result.outs).toMatchObject({ env: { A: "2" } });
    expect(said).toContain("nothing is sent");
  });

  test.each<[string, Record<string, string>]>([
    ["it asks for something else", { A: "3" }],
    ["it takes a variable out", {}],
  ])("is sent where %s", async (_title, env) => {
    const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
    await provider().pod.update(id, outs, news({ A: "2" }));
    await provider().pod.update(id, outs, news(env));
    expect(patches()).toBe(2);
  });

  test("is sent soon after this stack's own last update, behind which a list may lag", async () => {
    const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
    const { outs: second = {} } = await provider().pod.update(id, outs, news({ A: "2" }));
    emulator.service.pods.update(id, { env: { ...emulator.service.pods.get(id).env, A: "1" } });
    await provider().pod.update(id, second, news({ A: "1" }));
    expect(patches()).toBe(2);
  });
});
