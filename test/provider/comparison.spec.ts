import { differences } from "../../provider/core/compare/diff";
import { handler } from "../../provider/core/handler";
import { stateOf } from "../../provider/core/kind/state";
import { type Properties, unknownValue } from "../../provider/core/value";
import { Face } from "../../provider/plugin/face";
import { failedAgain } from "../../provider/resources/pod/moves";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { revisionOf } from "../../provider/resources/template/derived";
import { declared, emulator, haveInOtherState, heard, type Kind, provider, urnOf } from "./process";

const key = "ssh-ed25519 AAAAC3A me";

/** The account's keys, as a program declares them. */
const declaredKeys = (...keys: string[]): Properties => ({ keys, __urn: urnOf("sshKeys"), __provider: "p" });
const keysOf = () => handler(sshKeys, provider().run);

describe("SSH keys", () => {
  test("that the program empties are gone from the state: the next run has nothing to do", async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    const { outs: emptied = {} } = await keysOf().update(id, outs as Properties, declaredKeys());
    expect(emptied.keys).toEqual([]);
    expect((await keysOf().diff(id, emptied, declaredKeys())).fields.size).toBe(0);
  });

  test("that somebody deleted are set again after a refresh", async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    emulator.service.sshKeys.replace([]);
    const { props, inputs } = await keysOf().read(id, outs);
    expect(inputs).toMatchObject({ keys: [] });
    const found = await keysOf().diff(id, props as Properties, declaredKeys(key));
    expect([...found.fields]).toEqual([["keys", "update"]]);
  });
});

describe("the SSH keys of another account, which have the same id,", () => {
  const held = async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    haveInOtherState(id);
    return { id, outs: { ...outs, __urn: urnOf("sshKeys", "it", "before-a-rename") } };
  };

  test("hinder no change after a rename of the stack", async () => {
    const { id, outs } = await held();
    await keysOf().update(id, outs, declaredKeys());
    expect(emulator.service.sshKeys.list()).toEqual([]);
  });

  test("hinder no deletion", async () => {
    const { id, outs } = await held();
    await keysOf().delete(id, outs);
  });
});

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
    expect(said).toContain("env, ports are not what the program says, and not part of this update");
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

  test("leaves the variables that it does not change to those who changed them", async () => {
    const { id, outs } = await template().create(withArgs("x", { env: { A: "1", B: "1", C: "1" } }));
    emulator.service.templates.update(id, { env: { A: "9", B: "1", C: "1", OTHER: "1" } });
    const after = withArgs("x", { env: { A: "1", B: "2" } });
    const { outs: updated = {} } = await template().update(id, outs as Properties, after);
    expect(emulator.service.templates.get(id).env).toEqual({ A: "9", B: "2", OTHER: "1" });
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
    expect(said).toContain(
      "mounts.persistent.size is not what the program says, and not part of this update",
    );
    expect(result.outs).toMatchObject(mounts(20, "/b"));
  },
);

describe("an update tells where it restarts a pod, and what is lost by that", () => {
  const pod = (more: Properties = {}) =>
    declared("pod", { name: "it", env: { A: "1" }, desiredStatus: "RUNNING", ...more });
  const lost = "restarts the pod: what is on its disk outside of mounts is lost";

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
    ["what stops the pod does not", { image: "org/app:2", desiredStatus: "EXITED" }, ""],
    ["what replaces the pod does not", { image: "org/app:2", gpu: { id: "NVIDIA A40" } }, ""],
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
});

describe("SSH and Jupyter of a pod whose template may have them", () => {
  const pod = (more: Properties = {}) => declared("pod", { name: "it", ...more });
  const templateId = () => emulator.service.templates.create({ name: "t", image: "org/app:1" }).id;
  const replacesOf = async (id: string, state: Properties, news: Properties) =>
    (await provider().pod.diff(id, { ...state, __provider: "p" }, news)).replaces;

  test("are replaced for a flag that the program adds, whatever it says, and for one that it changes", async () => {
    const of = { templateId: templateId() };
    const { id, outs } = await provider().pod.create(pod(of));
    for (const startSsh of [true, false])
      expect(await replacesOf(id, outs, pod({ ...of, startSsh }))).toEqual(["startSsh"]);
    const shut = await provider().pod.create(pod({ ...of, startJupyter: false }));
    expect(await replacesOf(shut.id, shut.outs, pod({ ...of, startJupyter: true }))).toEqual([
      "startJupyter",
    ]);
  });

  test("are as they were where the program takes a flag out, after an update and a refresh, too", async () => {
    const of = { templateId: templateId() };
    const { id, outs } = await provider().pod.create(pod({ ...of, startSsh: false }));
    expect(await replacesOf(id, outs, pod(of))).toEqual([]);
    const { outs: updated = {} } = await provider().pod.update(id, outs, pod({ ...of, args: "x" }));
    const { props = {} } = await provider().pod.read(id, updated);
    expect(await replacesOf(id, props, pod({ ...of, args: "x", startSsh: false }))).toEqual([]);
    expect(await replacesOf(id, props, pod({ ...of, args: "x", startSsh: true }))).toEqual(["startSsh"]);
  });

  test("are compared neither with an edited template nor with what an interrupted run made", async () => {
    const of = { templateId: templateId() };
    const flags = { startSsh: false, startJupyter: true };
    const { id, outs } = await provider().pod.create(pod({ ...of, ...flags }));
    emulator.service.templates.update(of.templateId, { startSsh: false, startJupyter: false });
    expect(await replacesOf(id, outs, pod({ ...of, ...flags }))).toEqual([]);
    // The state of the run before is lost.
    const again = await provider().pod.create(pod({ ...of, ...flags }));
    expect(again.id).toBe(id);
    expect(await replacesOf(id, again.outs, pod({ ...of, ...flags }))).toEqual([]);
  });
});

test("a pod with as many variables as it has room for can be updated: what the platform sets is not sent again", async () => {
  const env = (value: string) => Object.fromEntries([...Array(49).keys()].map((n) => [`K${n}`, value]));
  const pod = (value: string) => declared("pod", { name: "it", env: env(value) });
  expect((await provider().pod.check({}, pod("1"))).failures).toEqual([]);
  const { id, outs } = await provider().pod.create(pod("1"));
  expect(emulator.service.pods.get(id).env).toHaveProperty("RUNPOD_POD_ID");
  await provider().pod.update(id, outs as Properties, pod("2"));
  expect(emulator.service.pods.get(id).env).toMatchObject(env("2"));
});

describe("what the program declares, and what no longer", () => {
  const of = () => provider().serverlessEndpoint;
  const endpoint = (more: Properties = {}) => declared("serverlessEndpoint", { name: "llm", ...more });

  /** Brings an endpoint from one state to what the program says, as the engine does. An update is made only where one is shown. */
  async function up(id: string, state: Properties, before: Properties, after: Properties) {
    const { serverlessEndpoint } = provider();
    await serverlessEndpoint.check(before, after);
    const { result, said } = await heard(() => serverlessEndpoint.diff(id, state, after));
    if (result.changes === false) return { state, shown: [] };
    const { outs: next = {} } = await serverlessEndpoint.update(id, state, after);
    const learned = /the state learns what the program declares \((.*)\)/.exec(said)?.[1]?.split(", ") ?? [];
    return { state: { ...next, __provider: "p" }, shown: [...result.fields.keys(), ...learned] };
  }
  const refreshed = async (id: string, state: Properties) => {
    const { props = {} } = await of().read(id, state);
    return { ...props, __provider: "p" } as Properties;
  };
  async function made(inputs: Properties) {
    const { id, outs } = await of().create(inputs);
    return { id, state: { ...outs, __provider: "p" } as Properties };
  }

  const same = { flashboot: "FLASHBOOT", timeout: 600_000, workers: { max: 9 } };
  const defaults = { timeout: 300_000, workers: { min: 0, max: 3, idleTimeout: 10 } };

  test("is cleared when it goes, if the service had it before the program declared it", async () => {
    const first = await made(endpoint());
    emulator.service.endpoints.update(first.id, same as never);
    const drifted = await refreshed(first.id, first.state);
    const sent = emulator.requests.filter(({ method }) => method === "PATCH").length;
    const noted = await up(first.id, drifted, endpoint(), endpoint(same));
    expect(noted.shown).toEqual(["workers", "flashboot", "timeout"]);
    expect(emulator.requests.filter(({ method }) => method === "PATCH")).toHaveLength(sent);
    const again = await up(first.id, noted.state, endpoint(same), endpoint(same));
    expect(again.shown).toEqual([]);
    await up(first.id, again.state, endpoint(same), endpoint());
    expect(emulator.service.endpoints.get(first.id)).toMatchObject({ flashboot: "OFF", ...defaults });
  });

  test("is not touched after it went, if it was the default", async () => {
    const { id, state } = await made(endpoint(defaults));
    const noted = await up(id, state, endpoint(defaults), endpoint());
    expect(noted.shown).toEqual(["workers", "timeout"]);
    emulator.service.endpoints.update(id, { timeout: 900_000, workers: { max: 20 } });
    const later = await up(id, await refreshed(id, noted.state), endpoint(), endpoint());
    expect(later.shown).toEqual([]);
    expect(emulator.service.endpoints.get(id)).toMatchObject({ timeout: 900_000, workers: { max: 20 } });
  });

  test("is an update without a path in the plugin, so that replaceOnChanges replaces nothing for it", async () => {
    const urn = "urn:pulumi:dev::project::podlumi:index:ServerlessEndpoint::it";
    const { __urn, __provider, __stack, ...none } = endpoint();
    const all = { ...none, ...same };
    const face = new Face(provider().run);
    const { id, properties } = await face.create(urn, all, { preview: false });
    const { workers, flashboot, ...shape } = properties.__declared as Properties;
    const undeclared = { ...properties, __declared: { ...shape, workers: { min: true } } };
    await face.check(urn, none, all);
    const { changes, paths } = await face.diff({ urn, id, state: undeclared, oldInputs: none, news: all });
    expect([changes, ...paths]).toEqual([true]);
  });

  test("needs no update where a default is written out", async () => {
    const { id, state } = await made(endpoint());
    const { shown } = await up(id, state, endpoint(), endpoint({ ...defaults, flashboot: "OFF", ports: [] }));
    expect(shown).toEqual([]);
  });
});

test("the plugin shows what goes beside what changes, and nothing that only the service has", async () => {
  const urn = "urn:pulumi:dev::project::podlumi:index:ServerlessEndpoint::it";
  const { __urn, __provider, __stack, ...rest } = declared("serverlessEndpoint", { name: "llm" });
  const before = { ...rest, env: { GONE: "", STAYS: "1" }, workers: { min: 0, max: 5, idleTimeout: 20 } };
  const after = { ...rest, env: { STAYS: "2" }, workers: { max: 6 } };
  const face = new Face(provider().run);
  const { id, properties } = await face.create(urn, before, { preview: false });
  await face.check(urn, before, after);
  const { paths } = await face.diff({ urn, id, state: properties, oldInputs: before, news: after });
  expect(Object.fromEntries(paths)).toEqual({
    "env.GONE": "delete",
    "env.STAYS": "update",
    "workers.idleTimeout": "delete",
    "workers.max": "update",
  });
});

describe("a preview refuses what does not fit to what others have set", () => {
  const of = () => provider().serverlessEndpoint;
  const endpoint = (more: Properties) => declared("serverlessEndpoint", { name: "llm", ...more });
  const volume = () => emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" }).id;
  const global = () => emulator.service.globalVolumes.create({ name: "models" }).id;

  /** What a preview says of an edit of an endpoint that others have changed, and whether an update goes through. */
  async function edited(theirs: Properties, from: Properties, to: Properties) {
    const { id, outs } = await of().create(endpoint(from));
    emulator.service.endpoints.update(id, theirs as never);
    const { props = {} } = await of().read(id, outs);
    const serverlessEndpoint = of();
    const { failures } = await serverlessEndpoint.check(endpoint(from), endpoint(to));
    expect(failures).toEqual([]);
    const told = await serverlessEndpoint.diff(id, props, endpoint(to)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    const updated = of().update(id, props, endpoint(to));
    const isDone = await updated.then(
      () => true,
      () => false,
    );
    return { told, isDone };
  }

  test("beside fewer workers, or a volume of the other kind", async () => {
    const workers = await edited(
      { workers: { min: 5, max: 9 } },
      { workers: { max: 9 } },
      { workers: { max: 4 } },
    );
    expect(workers.told).toMatch(
      /workers.min: must not be above workers.max: 5 is more than 4. The program does not declare workers.min, .*\[PODLUMI-INVALID\]$/,
    );
    expect(workers.isDone).toBe(false);
    const volumes = await edited({ networkVolumes: [volume()] }, {}, { globalVolumes: [global()] });
    expect(volumes.told).toMatch(
      /globalVolumes: give .* not both. The program does not declare networkVolumes, /,
    );
    expect(volumes.isDone).toBe(false);
  });

  test("and nothing else: what it changes itself, what it does not change, what podlumi sees to", async () => {
    const theirs = { workers: { min: 5, max: 9, idleTimeout: 60 }, gpu: { allowedCudaVersions: ["12.8"] } };
    const workers = { max: 9 };
    const [{ gpu }] = [endpoint({})];
    for (const to of [
      { workers: { min: 1, max: 4 } },
      { workers, timeout: 1000 },
      { workers, scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
      { workers, gpu: { ...(gpu as object), minCudaVersion: "12.4" } },
    ])
      expect(await edited(theirs, { workers }, to)).toEqual({ told: undefined, isDone: true });
    const id = global();
    const detached = { networkVolumes: [], globalVolumes: [id] };
    expect(await edited({}, { networkVolumes: [volume()] }, detached)).toEqual({
      told: undefined,
      isDone: true,
    });
    expect(await edited({}, { networkVolumes: [volume()] }, { globalVolumes: [id] })).toMatchObject({
      isDone: true,
    });
  });

  test("such as a readme of a template that is serverless now, and has storage", async () => {
    const { template } = provider();
    const mounts = { persistent: { size: 10, path: "/data" } };
    const news = (readme: string) => declared("template", { name: "it", mounts, readme });
    const { id, outs } = await template.create(news("one"));
    emulator.service.templates.update(id, { serverless: true });
    const { props = {} } = await template.read(id, outs);
    expect((await template.check(news("one"), news("two"))).failures).toEqual([]);
    await expect(template.diff(id, props, news("two"))).rejects.toThrow(/does not declare serverless, /);
    await expect(template.update(id, props, news("two"))).rejects.toThrow(/saveTemplate was refused/);
  });

  test("in an adoption, too", async () => {
    const { id } = await of().create(endpoint({ workers: { min: 5, max: 9 } }));
    const adopting = endpoint({
      adopt: id,
      workers: { max: 4 },
      __urn: "urn:pulumi:dev::project::podlumi:index:ServerlessEndpoint::other",
    });
    expect((await of().check({}, adopting)).failures).toMatchObject([{ property: "workers.min" }]);
  });
});

/** What a change of a program from one form to the other needs, for an object whose state the service's answer made. */
async function changesOf(name: Kind, answer: Properties, from: Properties, to: Properties) {
  const { run, [name]: of } = provider();
  const { kind } = of;
  const state = stateOf(kind.fields, { id: "x", ...answer }, from, from);
  return [...(await differences(kind.fields, state, to, () => run.api()))];
}

const nulls = { persistent: null, network: null };

describe("empty mounts are none, in any form", () => {
  test.each<[Kind, Properties, Properties, Properties]>([
    ["pod", { mounts: { network: [] } }, { mounts: { network: [] } }, { mounts: {} }],
    ["pod", { mounts: {} }, { mounts: {} }, { mounts: { network: [] } }],
    ["pod", {}, { mounts: { network: [] } }, { mounts: { network: [] } }],
    ["pod", { mounts: { ...nulls, kind: "none" } }, { mounts: {} }, { mounts: {} }],
    ["cluster", {}, { mounts: { network: [] } }, {}],
    ["cluster", {}, { mounts: { network: [] } }, { mounts: {} }],
    ["cluster", {}, {}, { mounts: { network: [] } }],
    ["template", { mounts: nulls }, { mounts: {} }, { mounts: {} }],
    ["template", { mounts: { ...nulls, kind: "none" } }, { mounts: {} }, {}],
  ])("%s: %j, from %j to %j", async (kind, answer, from, to) => {
    expect(await changesOf(kind, answer, from, to)).toEqual([]);
  });

  test("and a mount that goes or comes is a change", async () => {
    const mounts = { persistent: { size: 20, path: "/data" } };
    expect(await changesOf("template", { mounts }, { mounts }, { mounts: {} })).toEqual([
      ["mounts", "replace"],
    ]);
    expect(await changesOf("pod", { mounts: nulls }, { mounts: {} }, { mounts })).toEqual([
      ["mounts", "replace"],
    ]);
  });
});

describe("a variable with an empty text is set", () => {
  test.each<[string, Properties, Properties, Properties, boolean]>([
    ["added", { B: "1" }, { B: "1" }, { A: "", B: "1" }, true],
    ["removed", { A: "", B: "1" }, { A: "", B: "1" }, { B: "1" }, true],
    ["kept", { A: "" }, { A: "" }, { A: "" }, false],
    ["removed by somebody", {}, { A: "" }, { A: "" }, true],
    ["given a text by somebody", { A: "1" }, { A: "" }, { A: "" }, true],
  ])("%s", async (_title, answer, from, to, differs) => {
    const found = await changesOf("serverlessEndpoint", { env: answer }, { env: from }, { env: to });
    expect(found).toEqual(differs ? [["env", "update"]] : []);
  });

  test("also for the revision of a template", () => {
    expect(revisionOf({ env: { A: "" } })).not.toBe(revisionOf({ env: {} }));
    expect(revisionOf({ env: { B: "1", A: "" } })).toBe(revisionOf({ env: { A: "", B: "1" } }));
  });
});

test("the lists of a template are sets for its revision, as for its comparison", () => {
  const of = (...ports: string[]) => revisionOf({ image: "org/a:1", ports });
  expect(of("80/http", "22/tcp", "80/http")).toBe(of("22/tcp", "80/http"));
  expect(of("80/http", "80/tcp")).not.toBe(of("80/http"));
});

test("what a cluster never answers and a program leaves out is still known when the program has it again", async () => {
  const cluster = () => provider().cluster;
  const withDisk = (disk: unknown, name: string) => declared("cluster", { disk, name });
  const { id, outs } = await cluster().create(withDisk(50, "one"));
  const { outs: without = {} } = await cluster().update(id, outs as Properties, withDisk(undefined, "two"));
  const { props } = await cluster().read(id, without);
  for (const state of [without, props as Properties]) {
    expect((await cluster().diff(id, state, withDisk(50, "two"))).fields.size).toBe(0);
    expect((await cluster().diff(id, state, withDisk(60, "two"))).replaces).toEqual(["disk"]);
  }
});

describe("a value that a preview does not know", () => {
  const mounts = (mount: unknown) => ({ mounts: { persistent: mount } });
  const pools = ["ADA_24"];

  test.each<[string, Kind, Properties, Properties]>([
    ["of a secret", "secret", { value: "a" }, { value: unknownValue }],
    ["of a password", "registryAuth", { password: "a" }, { password: unknownValue }],
    [
      "in the GPUs of an endpoint",
      "serverlessEndpoint",
      { gpu: { pools } },
      { gpu: { pools, count: unknownValue } },
    ],
    ["of a pod's path", "pod", mounts({ size: 20, path: "/a" }), mounts({ size: 20, path: unknownValue })],
    ["of a first revision", "pod", {}, { templateId: "t", templateRevision: unknownValue }],
    [
      "of a template's size",
      "template",
      mounts({ size: 20, path: "/a" }),
      mounts({ size: unknownValue, path: "/a" }),
    ],
    ["of a template's first mount", "template", {}, mounts(unknownValue)],
  ])("%s replaces nothing where none of its values would", async (_title, kind, from, to) => {
    const state = { ...declared(kind), ...from };
    const found = await changesOf(kind, state, state, { ...state, ...to });
    expect(found.filter(([name]) => name in to && name !== "templateId")).toEqual([
      [expect.anything(), "update"],
    ]);
  });

  test.each<[string, Kind, Properties, Properties]>([
    ["of a volume's size", "networkVolume", { size: 20 }, { size: unknownValue }],
    ["in the GPU of a pod", "pod", {}, { gpu: { id: "NVIDIA L4", count: unknownValue } }],
    ["for the GPUs of an endpoint", "serverlessEndpoint", { gpu: { pools } }, { gpu: unknownValue }],
    ["for a pod's mount", "pod", mounts({ size: 20, path: "/a" }), mounts(unknownValue)],
    ["for the mounts of a pod without", "pod", {}, { mounts: unknownValue }],
    ["for a template's mounts", "template", mounts({ size: 20, path: "/a" }), { mounts: unknownValue }],
    ["of a later revision", "pod", { templateRevision: "a" }, { templateRevision: unknownValue }],
    [
      "in the places of a pod",
      "pod",
      { placements: [{ gpu: { id: "NVIDIA L4" } }] },
      { placements: [{ gpu: unknownValue }] },
    ],
  ])("%s is a replacement where one of its values would be", async (_title, kind, from, to) => {
    const state = { ...declared(kind), ...from };
    const found = await changesOf(kind, state, state, { ...state, ...to });
    expect(found.filter(([name]) => name in to)).toEqual([[expect.anything(), "replace"]]);
  });

  test("may be the one that a failed pod had, so it is no mend that would save the pod", async () => {
    const state = { ...declared("pod"), desiredStatus: "RUNNING" };
    const failed = { ...state, desiredStatus: "ERROR", [failedAgain]: true };
    const change = async (to: Properties) =>
      new Map(await changesOf("pod", failed, state, { ...state, ...to })).get("desiredStatus");
    expect(await change({ image: unknownValue })).toBe("replace");
    expect(await change({ image: unknownValue, args: "--more" })).toBe("update");
  });

  test("among SSH keys replaces nothing", async () => {
    const { id, outs } = await keysOf().create(declaredKeys(key));
    const found = await keysOf().diff(id, outs as Properties, declaredKeys(unknownValue));
    expect([...found.fields]).toEqual([["keys", "update"]]);
  });
});
