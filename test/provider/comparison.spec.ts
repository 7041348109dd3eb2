import { differences, redeclared } from "../../provider/core/compare/diff";
import { stateWithoutDrift } from "../../provider/core/compare/drift";
import { stateOf, wantedInputs } from "../../provider/core/state/state";
import { revisionOf } from "../../provider/resources/template/derived";
import { type Properties, unknownValue } from "../../provider/value";
import { declared, emulator, type Kind, provider } from "./process";

/** What a change of a program from one form to the other needs, for an object whose state the service's answer made. */
async function changesOf(name: Kind, answer: Properties, from: Properties, to: Properties) {
  const { run, [name]: of } = provider();
  const { kind } = of;
  const state = stateOf(kind.fields, { id: "x", ...answer }, from, from);
  return [...(await differences(kind.fields, { state, inputs: to, api: () => run.api() }))];
}

const nulls = { persistent: null, network: null };

test("a variable that the program removes is removed, whatever it is called", async () => {
  const from = { env: { constructor: "a", B: "b" } };
  expect(await changesOf("template", from, from, { env: { B: "b" } })).toEqual([["env", "update"]]);
});

test("a negative zero in the input of a job is no change: JSON, and so the state, has none", async () => {
  const given = declared("serverlessEndpoint", { verify: { input: { bias: -0 } } });
  const { inputs } = await provider().serverlessEndpoint.check(undefined, given);
  expect(await changesOf("serverlessEndpoint", inputs, inputs, inputs)).toEqual([]);
});

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

  test("the revision of a template tells it from a missing one", () => {
    expect(revisionOf({ env: { A: "" } })).not.toBe(revisionOf({ env: {} }));
    expect(revisionOf({ env: { B: "1", A: "" } })).toBe(revisionOf({ env: { A: "", B: "1" } }));
  });
});

test("the lists of a template are sets for its revision, as for its comparison", () => {
  const of = (...ports: string[]) => revisionOf({ image: "org/a:1", ports });
  expect(of("80/http", "22/tcp", "80/http")).toBe(of("22/tcp", "80/http"));
  expect(of("80/http", "80/tcp")).not.toBe(of("80/http"));
});

test("the words of a command have an order, for its comparison and for the revision of a template", async () => {
  const of = (...cmd: string[]) => ({ image: "org/a:1", cmd });
  expect(await changesOf("pod", of("a", "b"), of("a", "b"), of("b", "a"))).toEqual([["cmd", "update"]]);
  expect(await changesOf("pod", of("b", "a"), of("a", "b"), of("a", "b"))).toEqual([["cmd", "update"]]);
  expect(revisionOf(of("a", "b"))).not.toBe(revisionOf(of("b", "a")));
  expect(revisionOf(of())).toBe(revisionOf({ image: "org/a:1" }));
  expect(revisionOf({ ...of("a"), entrypoint: [] })).toBe(revisionOf(of("a")));
});

test.each<[string, Properties, Properties, string[]]>([
  ["a service without these lists", { args: "" }, { cmd: [] }, []],
  ["one text, of which the service answers the words", { args: "a b", cmd: ["a", "b"] }, { args: "a b" }, []],
  ["a list in place of one text", { args: "a", cmd: ["a"] }, { cmd: ["a", "b"] }, ["cmd"]],
  ["nothing in place of a list", { args: '{"cmd":["a"]}', cmd: ["a"] }, {}, ["args", "cmd"]],
])("a command in two forms: %s", async (_title, answer, to, changed) => {
  const from = {
    ...("args" in to || changed.length > 0 ? { args: answer.args } : {}),
    ...(changed.includes("args") && { cmd: ["a"] }),
  };
  const found = await changesOf(
    "template",
    { image: "i", ...answer },
    { image: "i", ...from },
    { image: "i", ...to },
  );
  expect(found.map(([name]) => name)).toEqual(changed);
});

test.each([undefined, null, []])(
  "an empty list is in the state as the program has it, where the service returns %j",
  (answer) => {
    const { fields } = provider().template.kind;
    expect(stateOf(fields, { id: "x", cmd: answer }, { cmd: [] }).cmd).toEqual([]);
  },
);

const words: Properties[] = [
  {},
  { cmd: [] },
  { cmd: ["a"] },
  { entrypoint: ["e"] },
  { entrypoint: ["e"], cmd: ["a"] },
];
const texts = ["", "a b", ...words.map((form) => JSON.stringify(form))];
const commands: Properties[] = [...words, ...texts.map((args) => ({ args }))];

test.each(commands)(
  "an update from %j makes the same of a command as a create, in any form",
  async (from) => {
    const { run, template } = provider();
    const { fields } = template.kind;
    const { templates } = emulator.service;
    const make = (command: Properties) =>
      templates.create({ name: `t${templates.list().length}`, image: "i", ...command });
    const said = ({ entrypoint, cmd }: Properties) => JSON.stringify({ entrypoint, cmd });
    for (const to of commands) {
      const made = make(from);
      const named = { name: made.name, image: "i" };
      const state = stateOf(fields, { ...made }, { ...named, ...from });
      const inputs: Properties = { ...named, ...to };
      const context = { state, inputs, api: () => run.api() };
      const sent = await differences(fields, context);
      const wanted = wantedInputs(fields, state, inputs);
      const patch = Object.fromEntries([...sent.keys()].map((name) => [name, wanted[name]]));
      const changed = { ...templates.update(made.id, patch) };
      expect([to, said(changed)]).toEqual([to, said({ ...make(to) })]);
      const update = { from: state, sent };
      const after = { ...context, state: stateWithoutDrift(fields, changed, inputs, state, update).state };
      const again = await differences(fields, after);
      expect([to, [...again.keys()], await redeclared(fields, after, again)]).toEqual([to, [], []]);
    }
  },
);

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
    [
      "of the size of a pod's storage",
      "pod",
      mounts({ size: 20, path: "/a" }),
      mounts({ size: unknownValue, path: "/a" }),
    ],
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
});

test("what a cluster never returns and a program leaves out is still known when the program has it again", async () => {
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

  test("are compared neither with an edited template nor with what an interrupted run created", async () => {
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

describe("the data centers of a pod", () => {
  const pod = (dataCenterIds?: unknown, more: Properties = {}) =>
    declared("pod", { name: "it", dataCenterIds, ...more });

  test("change in the state alone where its own is allowed, and replace the pod otherwise", async () => {
    const { id, outs } = await provider().pod.create(pod(["EU-RO-1"]));
    const replacesOf = async (ids: unknown, state: Properties = outs) =>
      (await provider().pod.diff(id, { ...state, __provider: "p" }, pod(ids))).replaces;
    for (const stays of [["US-KS-2", "EU-RO-1"], [], undefined]) expect(await replacesOf(stays)).toEqual([]);
    for (const other of [["US-KS-2"], unknownValue, [unknownValue]])
      expect(await replacesOf(other)).toEqual(["dataCenterIds"]);

    emulator.requests.splice(0);
    const { outs: updated = {} } = await provider().pod.update(id, outs, pod(["US-KS-2", "EU-RO-1"]));
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(updated).toMatchObject({ dataCenterId: "EU-RO-1", dataCenterIds: ["US-KS-2", "EU-RO-1"] });
    expect(await replacesOf(["US-KS-2"], updated)).toEqual(["dataCenterIds"]);
  });

  test.each<[string, Properties, string[]]>([
    ["as much memory as there is", { minRamPerGpu: 32 }, []],
    ["more memory", { minRamPerGpu: 33 }, ["gpu"]],
    ["more vCPUs", { minVcpuCountPerGpu: 9 }, ["gpu"]],
    ["an older CUDA version", { minCudaVersion: "12.10" }, []],
    ["a newer one", { minCudaVersion: "13.10" }, ["gpu"]],
    ["exactly another one", { allowedCudaVersions: ["12.8"] }, ["gpu"]],
    ["what nobody knows", { minRamPerGpu: unknownValue }, ["gpu"]],
    ["one GPU less", { count: undefined }, ["gpu"]],
  ])("a pod is replaced where its host lacks what gpu asks of it: %s", async (_title, asked, replaces) => {
    const gpu = { id: "NVIDIA L4", count: 2 };
    const { id, outs } = await provider().pod.create(pod(["EU-RO-1"], { gpu }));
    const news = pod(["EU-RO-1"], { gpu: { ...gpu, ...asked } });
    const state = { ...outs, __provider: "p" };
    expect(await provider().pod.diff(id, state, news)).toMatchObject({ replaces });
    const untold = { ...state, gpu, cudaVersion: null };
    expect((await provider().pod.diff(id, untold, news)).replaces).toEqual(["gpu"]);
  });

  test.each<[string, string, unknown, string[]]>([
    [
      "is replaced where its data center has no global networking",
      "US-TX-1",
      { enabled: true },
      ["globalNetworking"],
    ],
    ["may be replaced there while that is not known", "US-TX-1", unknownValue, ["globalNetworking"]],
    ["stays where it has that network", "EU-RO-1", { enabled: true }, []],
    ["stays where it has none and is to have none", "US-TX-1", { enabled: false }, []],
  ])("a pod %s", async (_title, place, globalNetworking, replaces) => {
    const { id, outs } = await provider().pod.create(pod([place]));
    jest.restoreAllMocks(); // The catalog has three seconds, which must not pass faster.
    const news = pod([place, "US-KS-2"], { globalNetworking });
    expect(await provider().pod.diff(id, { ...outs, __provider: "p" }, news)).toMatchObject({ replaces });
  });

  test.each<[string, Properties, string | undefined, string?]>([
    ["its own", { dataCenterIds: ["US-KS-2", "EU-RO-1"] }, undefined],
    ["another one", { dataCenterIds: ["US-KS-2"] }, 'dataCenterIds is ["EU-RO-1"] there'],
    ["its host", { gpu: { id: "NVIDIA L4", minRamPerGpu: 32, minCudaVersion: "12.4" } }, undefined],
    [
      "more than its host has",
      { gpu: { id: "NVIDIA L4", minRamPerGpu: 33 } },
      'gpu is {"id":"NVIDIA L4","count":1,"minCudaVersion":"13.0","minRamPerGpu":32,"minVcpuCountPerGpu":8} there',
    ],
    [
      "a network that its data center lacks",
      { globalNetworking: true },
      'globalNetworking is {"enabled":false} there',
      "US-TX-1",
    ],
    ["its place", { gpu: undefined, placements: [{ gpu: { id: "NVIDIA L4" } }] }, undefined],
    [
      "another place",
      { gpu: undefined, placements: [{ gpu: { id: "NVIDIA A40" } }] },
      'placements is [{"gpu":{"id":"NVIDIA L4","count":1},"cloud":"SECURE","dataCenterIds":["EU-RO-1"]}] there',
    ],
  ])("decide whether one that allows %s adopts it", async (_title, args, refusal, place = "EU-RO-1") => {
    const gpu = { id: "NVIDIA L4", count: 1 };
    const { id } = emulator.service.pods.create({
      name: "it",
      image: "org/app:1",
      gpu,
      dataCenterIds: [place],
    });
    jest.restoreAllMocks(); // The catalog has three seconds, which must not pass faster.
    const { failures } = await provider().pod.check({}, pod(undefined, { gpu, ...args, adopt: id }));
    const told = refusal && [{ property: "adopt", reason: expect.stringContaining(refusal) }];
    expect(failures).toEqual(told ?? []);
  });
});
