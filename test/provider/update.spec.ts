import { plannedOutputs } from "../../provider/plugin/planned-outputs";
import { type Properties, unknownValue } from "../../provider/value";
import { create, declared, emulator, heard, type Kind, provider, urnOf } from "./process";

const patches = () => emulator.requests.filter(({ method }) => method === "PATCH").length;

describe("an update without a refresh", () => {
  const template = () => provider().template;
  const withArgs = (args: string, more: Properties = {}) =>
    declared("template", { name: "worker", args, ...more });

  test("neither sends nor learns the drift of what it does not change, so the next preview tells the truth", async () => {
    const before = { ports: ["80/http"], env: { A: "1", B: "1" } };
    const { id, outs } = await template().create(withArgs("x", before));
    emulator.service.templates.update(id, { ports: ["81/http"], env: { A: "9", B: "1" } });
    const after = withArgs("y", before);
    const { result, said } = await heard(async () => template().update(id, outs as Properties, after));
    const { outs: updated = {} } = result;
    expect(said).toContain("env, ports: not what the program says, and not part of this update");
    expect(emulator.service.templates.get(id)).toMatchObject({
      args: "y",
      ports: ["81/http"],
      env: { A: "9" },
    });
    expect((await template().diff(id, updated, after)).fields.size).toBe(0);
    const { props } = await template().read(id, updated);
    expect([...(await template().diff(id, props as Properties, after)).fields.keys()]).toEqual([
      "env",
      "ports",
    ]);
  });

  test("does not learn either that somebody has put the words of a command in another order", async () => {
    const of = (image: string) => declared("template", { name: "worker", image, cmd: ["a", "b"] });
    const { id, outs } = await template().create(of("org/worker:1"));
    emulator.service.templates.update(id, { cmd: ["b", "a"] });
    const after = of("org/worker:2");
    const { result, said } = await heard(async () => template().update(id, outs as Properties, after));
    expect(said).toContain("cmd: not what the program says, and not part of this update");
    expect((await template().diff(id, result.outs as Properties, after)).fields.size).toBe(0);
    const { props } = await template().read(id, result.outs);
    expect([...(await template().diff(id, props as Properties, after)).fields.keys()]).toEqual(["cmd"]);
  });

  test("leaves the variables that it does not change to those who changed them", async () => {
    const { id, outs } = await template().create(withArgs("x", { env: { A: "1", B: "1", C: "1" } }));
    emulator.service.templates.update(id, { env: { A: "9", B: "1", C: "1", OTHER: "1" } });
    const after = withArgs("x", { env: { A: "1", B: "2" } });
    const { outs: updated = {} } = await template().update(id, outs as Properties, after);
    expect(emulator.service.templates.get(id).env).toEqual({ A: "9", B: "2", OTHER: "1" });
    expect((await template().diff(id, updated, after)).fields.size).toBe(0);
  });

  test("sends a variable that changes, whatever it is called", async () => {
    const { id, outs } = await template().create(withArgs("x", { env: { constructor: "a" } }));
    const after = withArgs("x", { env: { constructor: "b", toString: "c" } });
    const { outs: updated = {} } = await template().update(id, outs as Properties, after);
    expect(emulator.service.templates.get(id).env).toEqual({ constructor: "b", toString: "c" });
    expect((await template().diff(id, updated, after)).fields.size).toBe(0);
  });
});

test.each<Kind>(["pod", "template"])(
  "a path of a %s that changes leaves its storage as large as somebody made it",
  async (kind) => {
    const { [kind]: of } = provider();
    const mounts = (size: number, path: string) => ({ name: "it", mounts: { persistent: { size, path } } });
    const { id, outs } = await of.create(declared(kind, mounts(20, "/a")));
    const { pods, templates } = emulator.service;
    const grown = { mounts: { persistent: { size: 100, path: "/a" } } };
    kind === "pod" ? pods.update(id, grown) : templates.update(id, grown);
    const news = declared(kind, mounts(20, "/b"));
    const { result, said } = await heard(() => of.update(id, outs as Properties, news));
    const object = kind === "pod" ? pods.get(id) : templates.get(id);
    expect(object.mounts).toEqual({ persistent: { size: 100, path: "/b" } });
    expect(said).toContain("mounts.persistent.size: not what the program says, and not part of this update");
    expect(result.outs).toMatchObject(mounts(20, "/b"));
  },
);

test("a pod with as many variables as it has room for can be updated: what the platform sets is not sent again", async () => {
  const env = (value: string) => Object.fromEntries([...Array(49).keys()].map((n) => [`K${n}`, value]));
  const pod = (value: string) => declared("pod", { name: "it", env: env(value) });
  expect((await provider().pod.check({}, pod("1"))).failures).toEqual([]);
  const { id, outs } = await provider().pod.create(pod("1"));
  expect(emulator.service.pods.get(id).env).toHaveProperty("RUNPOD_POD_ID");
  await provider().pod.update(id, outs as Properties, pod("2"));
  expect(emulator.service.pods.get(id).env).toMatchObject(env("2"));
});

test.each([
  [
    "a new value",
    { value: "b" },
    "running containers keep the former value until they restart: `runpodctl pod restart` restarts a pod, and a changed variable in env " +
      "the workers of an endpoint\n",
  ],
  ["the same value", {}, ""],
])("of a secret, an update tells who keeps the former value: with %s", async (title, edit, told) => {
  const before = declared("secret", { name: "it", value: "a", __urn: urnOf("secret", title) });
  const { id, outs } = await provider().secret.create(before);
  const { secret: of } = provider();
  const after = { ...before, ...edit };
  await of.check(before, after);
  const { said } = await heard(() => of.diff(id, outs as Properties, after));
  expect(said).toBe(told);
});

describe("an update tells where it restarts a pod, and what is lost by that", () => {
  // A text is told once of each resource.
  let number = 0;
  beforeEach(() => number++);
  const pod = (more: Properties = {}) => {
    const __urn = urnOf("pod", `it${number}`);
    return declared("pod", { name: "it", env: { A: "1" }, desiredStatus: "RUNNING", __urn, ...more });
  };
  const lost = "restarts the pod: what is on its disk outside of mounts is lost";
  const stopped = lost.replace("restarts", "stops");

  /** What a run says of an edit of the program. `times` is how often the engine compares. */
  async function toldOf(before: Properties, after: Properties, times = 1, checks = true) {
    const { id, outs } = await provider().pod.create(before);
    const { pod: of } = provider();
    if (checks) await of.check(before, after);
    const compare = () => of.diff(id, { ...outs, __provider: "p" }, after);
    const { said } = await heard(async () => {
      for (let time = 0; time < times; time++) await compare();
    });
    return said;
  }

  test.each<[string, Properties, string]>([
    ["another image does", { image: "org/app:2" }, `a change of image ${lost}\n`],
    ["several settings do at once", { env: { A: "2" }, disk: 70 }, `a change of disk, env ${lost}\n`],
    ["global networking does", { globalNetworking: true }, `a change of globalNetworking ${lost}\n`],
    ["a time limit does", { expiresAfter: "8h" }, `a change of expiresAfter ${lost}\n`],
    ["an unknown value may", { env: { A: unknownValue } }, "a change of env may restart the pod: what is on"],
    ["a name, a lock and a time to wait do not", { name: "other", locked: true, waitTimeout: 60 }, ""],
    [
      "what stops the pod after that does",
      { args: "x", disk: 70, desiredStatus: "EXITED" },
      `a change of args, disk, desiredStatus ${stopped}\n`,
    ],
    [
      "what waits for the next start does not, but a stop does",
      { globalNetworking: true, desiredStatus: "EXITED" },
      `a change of desiredStatus ${stopped}\n`,
    ],
    [
      "what replaces the pod loses the same",
      { image: "org/app:2", gpu: { id: "NVIDIA A40" } },
      `a change of gpu ${lost.replace("restarts", "replaces")}\n`,
    ],
    [
      "what may replace it, too",
      { cloud: unknownValue },
      `a change of cloud ${lost.replace("restarts", "may replace")}\n`,
    ],
  ])("%s", async (_title, edit, told) => {
    const said = await toldOf(pod(), pod(edit));
    told === "" ? expect(said).toBe("") : expect(said).toContain(told);
  });

  test("once, where the engine asks twice", async () => {
    const said = await toldOf(pod({ args: "once" }), pod({ args: "twice" }), 2);
    expect(said).toBe(`a change of args ${lost}\n`);
  });

  test("not of a pod that is stopped, and not in a refresh or a deletion", async () => {
    const stopped = { desiredStatus: "EXITED" };
    expect(await toldOf(pod(stopped), pod({ ...stopped, registry: "r" }))).toBe("");
    expect(await toldOf(pod(), pod({ ports: ["80/http"] }), 1, false)).toBe("");
  });

  test.each([
    ["starts", { disk: 71 }, `a change of disk ${lost}\n`, { env: { A: "2" } }, ""],
    ["stops", { disk: 71 }, "", { env: { A: "2" } }, `a change of env ${lost}\n`],
  ] as const)(
    "of the pod as it is, after somebody %s it, or as the state has it where the service does not tell",
    async (act, edit, told, other, unlooked) => {
      const [is, action] = act === "starts" ? (["EXITED", "start"] as const) : (["RUNNING", "stop"] as const);
      const before = pod({ desiredStatus: is });
      const { id, outs } = await provider().pod.create(before);
      emulator.service.pods.act(id, action);
      const said = async (more: Properties) => {
        const { pod: of } = provider();
        await of.check(before, { ...before, ...more });
        const compare = () => of.diff(id, { ...outs, __provider: "p" }, { ...before, ...more });
        return (await heard(async () => compare())).said.replace(/^podlumi could not check .*\n/, "");
      };
      expect(await said(edit)).toBe(told);
      // Neither of the two is restarted for that, since neither is to start.
      expect(await said({ globalNetworking: true })).toBe("");
      emulator.faults.add({ match: { path: "/pods" }, when: "before", what: { status: 403 }, times: 0 });
      expect(await said(other)).toBe(unlooked);
    },
  );
});

describe("an update of a pod that an interrupted run has made already", () => {
  const news = (env: Record<string, string>) => declared("pod", { name: "it", env, waitFor: "NONE" });
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

  test.each([
    ["once where its effect shows", "after", 6, 1],
    ["again where it has none", "before", 2, 3],
  ] as const)("is sent %s, if it has no clear answer", async (_title, when, times, sent) => {
    const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
    const patch = { method: "PATCH", path: `/pods/${id}` };
    emulator.faults.add({ match: patch, when, what: { status: 504 }, times });
    const changed = await provider().pod.update(id, outs, news({ A: "2" }));
    expect(changed.outs).toMatchObject({ env: { A: "2" } });
    expect(patches()).toBe(sent);
  });

  describe("without a clear answer is sent once, and the state has it,", () => {
    const lost = (id: string) =>
      emulator.faults.add({
        match: { method: "PATCH", path: `/pods/${id}` },
        when: "after",
        what: { status: 504 },
        times: 6,
      });
    /** Real milliseconds. */
    const lag = 200;
    test.each([{ listLag: lag }, { readLag: lag }, { listLag: lag, readLag: lag }])(
      "where a look lags: %j",
      async (timings) => {
        const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
        await new Promise((done) => setTimeout(done, 2 * lag));
        Object.assign(emulator.service.timings, timings);
        lost(id);
        const { outs: after } = await provider().pod.update(id, outs, news({ A: "2" }));
        expect(after).toMatchObject({ env: { A: "2" } });
        expect(patches()).toBe(1);
      },
    );

    test("where a part of it takes effect later", async () => {
      const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
      lost(id);
      await provider().pod.update(id, outs, { ...news({ A: "2" }), globalNetworking: { enabled: true } });
      expect(patches()).toBe(1);
    });

    test("where the service has it in its own order", async () => {
      const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
      lost(id);
      const ports = ["22/tcp", "8080/http"];
      emulator.on("after", { method: "PATCH" }, () => {
        emulator.service.pods.update(id, { ports: [...ports].reverse() });
      });
      await provider().pod.update(id, outs, { ...news({ A: "1" }), ports });
      expect(patches()).toBe(1);
    });

    test("soon after this stack's own last update", async () => {
      const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
      const { outs: second = {} } = await provider().pod.update(id, outs, news({ A: "2" }));
      lost(id);
      const { outs: third } = await provider().pod.update(id, second, news({ A: "1" }));
      expect(third).toMatchObject({ env: { A: "1" } });
      expect(patches()).toBe(2);
    });
  });

  test.each(["before", "after"] as const)(
    "is sent again with what somebody has changed during the wait, after no answer %s its effect",
    async (when) => {
      const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
      const patch = { method: "PATCH", path: `/pods/${id}` };
      emulator.faults.add({ match: patch, when, what: { status: 504 }, times: 1 });
      const { pods } = emulator.service;
      const ended = emulator.on(when, patch, () => {
        ended();
        pods.update(id, { env: { ...pods.get(id).env, OTHERS: "1" } });
      });
      await provider().pod.update(id, outs, news({ A: "2" }));
      expect(pods.get(id).env).toMatchObject({ A: "2", OTHERS: "1" });
      expect(patches()).toBe(2);
    },
  );

  test("is sent again after 425, which says that nothing was done", async () => {
    const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
    emulator.faults.add({ match: { method: "PATCH" }, when: "before", what: { status: 425 }, times: 2 });
    await provider().pod.update(id, outs, news({ A: "2" }));
    expect(patches()).toBe(3);
  });

  test("is sent soon after this stack's own last update, behind which a list may lag", async () => {
    const { id, outs = {} } = await provider().pod.create(news({ A: "1" }));
    const { outs: second = {} } = await provider().pod.update(id, outs, news({ A: "2" }));
    emulator.service.pods.update(id, { env: { ...emulator.service.pods.get(id).env, A: "1" } });
    await provider().pod.update(id, second, news({ A: "1" }));
    expect(patches()).toBe(2);
  });
});

test.each<[Kind, Properties, string, string | undefined]>([
  [
    "serverlessEndpoint",
    { image: undefined },
    "the serverless endpoint gets the new settings",
    "rolls out image of the template it, which changes",
  ],
  // The first revision only goes into the state.
  ["pod", { image: undefined, ports: undefined, env: undefined }, "the pod is replaced", undefined],
])(
  "of a template tells that a %s keeps the settings that it has, or what it takes with the revision",
  async (kind, own, reaches, rollsOut) => {
    const template = (more: Properties) =>
      declared("template", { name: "worker", serverless: kind !== "pod", env: { A: "1", B: "1" }, ...more });
    const made = await provider().template.create(template({}));
    const user = (more: Properties) => declared(kind, { ...own, ...more, name: "user", templateId: made.id });
    const of = await provider()[kind].create(user({}));
    const edit = async (more: Properties, changed: Properties = { image: "org/worker:2" }) => {
      const next = provider();
      await next.template.check(template({}), template(changed));
      await next.template.diff(made.id, made.outs ?? {}, template(changed));
      await next[kind].check(user({}), user(more));
      return heard(() => next[kind].diff(of.id, of.outs ?? {}, user(more)));
    };
    expect((await edit({})).said).toContain(
      `keeps image as copied from the template it, which changes: with \`templateRevision\`, ${reaches}`,
    );
    const told = async (...[more, changed]: Parameters<typeof edit>) =>
      (await edit(more, changed)).said.match(/.*(as copied|rolls out).*/)?.[0];
    expect(await told({ image: "org/own:1", templateRevision: "2" })).toBe(undefined);
    expect(await told({ templateRevision: "2" })).toBe(rollsOut);
    expect(await told({ image: "org/own:1" })).toBe(undefined);
    // The program's own variables stand in front of the template's.
    const env = (A: string, B: string) => ({ env: { A, B } });
    expect(await told({ env: { A: "1" } }, env("2", "1"))).toBe(undefined);
    expect(await told({ env: { A: "1" } }, env("2", "2"))).toContain("keeps env as copied");
  },
);

test("of a template is nothing to an endpoint that gets this template in place of another one: it copies all of it", async () => {
  const template = (name: string, image: string) =>
    declared("template", { name, serverless: true, image, __urn: urnOf("template", name) });
  const [before, after] = [template("first", "org/worker:1"), template("first", "org/worker:2")];
  const made = await provider().template.create(before);
  const other = await provider().template.create(template("other", "org/worker:1"));
  const user = (templateId: string) =>
    declared("serverlessEndpoint", { name: "user", image: undefined, templateId });
  const { id, outs = {} } = await provider().serverlessEndpoint.create(user(other.id));
  const next = provider();
  await next.template.check(before, after);
  await next.template.diff(made.id, made.outs ?? {}, after);
  await next.serverlessEndpoint.check(user(other.id), user(made.id));
  const { said } = await heard(() => next.serverlessEndpoint.diff(id, outs, user(made.id)));
  expect(said).not.toContain("as copied");
});

test("a value of a secret goes over REST though one response says that REST has no secrets, and GraphQL might replace it", async () => {
  const { id, outs } = await create("secret");
  const match = { interface: "rest", path: "/account/secrets" } as const;
  emulator.faults.add({ match, when: "before", what: { status: 404 } });
  const { secret } = provider();
  const before = { ...declared("secret"), name: outs?.name };
  const news = { ...before, value: "another one" };
  await secret.check(before, news);
  expect(await secret.diff(id, outs ?? {}, news)).toMatchObject({ replaces: [] });
  await secret.update(id, outs ?? {}, news);
  expect(emulator.requests.filter((request) => request.interface === "graphql")).toEqual([]);
});

test.each<Kind>(["cluster", "pod", "registryDelegation", "secret", "serverlessEndpoint"])(
  "the preview of an update of a %s knows when it was created",
  async (kind) => {
    const { [kind]: of, run } = provider();
    const { id, outs: olds = {} } = await of.create(declared(kind, { name: "it" }));
    expect(olds.createdAt).toBeDefined();
    const planned = plannedOutputs(of.kind, run, declared(kind), { id, olds, changed: new Map() });
    expect(planned.createdAt).toBe(olds.createdAt);
  },
);
