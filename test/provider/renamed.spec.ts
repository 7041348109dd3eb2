import { endRun } from "../../provider/core/end";
import type { Properties } from "../../provider/core/value";
import type { Stated } from "../../provider/engine/export";
import {
  backend,
  begin,
  declared,
  emulator,
  heard,
  type Kind,
  provider,
  runs,
  stacks,
  stated,
  urnOf,
} from "./process";

const store = urnOf("networkVolume", "store");

/** What the end of a preview says where the state has the volume of `store`, and the program declares others. */
async function said(more: Partial<Stated>, ...declares: Properties[]): Promise<string> {
  const { id } = emulator.service.volumes.create({ name: "store-1", size: 20, dataCenter: "EU-RO-1" });
  const inputs = { name: "store-1", size: 20, dataCenter: "EU-RO-1", __urn: store };
  backend.objects = [stated(store, id, { inputs, servedBy: stacks.ours, ...more })];
  const { run, networkVolume } = provider();
  for (const one of declares) await networkVolume.check({}, declared("networkVolume", one));
  return (await heard(() => endRun(run))).said;
}

const vol = { __urn: urnOf("networkVolume", "vol") };

test("a preview tells of a new resource with the arguments of one that is to be deleted with its data", async () => {
  expect(await said({}, vol)).toMatch(
    /^store is no longer in the program \(unless an error has ended it early\): its network volume "store-1" \(\w+\) is deleted, and the data on it with it\. If vol is its new name, write aliases: \[\{ name: "store" \}\] .*RENAMED/,
  );
});

test("a preview tells of the only new resource of the kind, too, whatever its arguments are", async () => {
  expect(await said({}, { ...vol, size: 30 })).toContain(
    'write aliases: [{ name: "store" }] in the options of vol',
  );
});

test.each<[string, Partial<Stated>, Properties[]]>([
  [
    "two new resources have other arguments",
    {},
    [
      { ...vol, size: 30 },
      { __urn: urnOf("networkVolume", "other"), size: 40 },
    ],
  ],
  ["the program still has the former resource", {}, [vol, { __urn: store }]],
  ["an option keeps the object", { isKept: true }, [vol]],
  ["another provider serves the former resource", { servedBy: stacks.theirs }, [vol]],
])("a preview tells of no rename where %s", async (_what, more, declares) => {
  expect(await said(more, ...declares)).not.toContain("aliases");
});

test("a preview tells of no rename where the command leaves out a part of the program", async () => {
  runs("up --target urn");
  expect(await said({}, vol)).not.toContain("aliases");
});

/** What the end of a preview says where the program keeps the volume of `store` under a name, and others have left it. */
async function saidBeside(
  kept: { name: string; dataCenter: string },
  others: readonly string[],
  ...declares: Properties[]
) {
  const first = provider().networkVolume;
  const made = await Promise.all(
    ["store", ...others].map((name) =>
      begin(first, "networkVolume", { __urn: urnOf("networkVolume", name), size: 10 + name.length }),
    ),
  );
  backend.objects = made.map(({ id, outs: outputs = {} }) => {
    const { name, size } = outputs;
    const inputs = declared("networkVolume", { name, size });
    return stated(String(outputs.__urn), id, { inputs, outputs, servedBy: stacks.ours });
  });
  const { run, networkVolume } = provider();
  run.configure((key) => (key === "podlumi:confirmDataLoss" ? "all" : undefined));
  const [{ id, outs: state = {} } = { id: "" }] = made;
  const { name, dataCenter } = kept;
  const present = declared("networkVolume", { __urn: urnOf("networkVolume", name), size: 15, dataCenter });
  const { inputs: news = {} } = await networkVolume.check(state, present);
  const { replaces = [] } = await networkVolume.diff(id, state, news);
  // The engine checks what it replaces as if it were new.
  if (replaces.length > 0) await networkVolume.check({}, present);
  for (const one of declares) await networkVolume.check({}, declared("networkVolume", one));
  return (await heard(() => endRun(run))).said;
}

test("a resource with an alias has not left the program", async () => {
  expect(await saidBeside({ name: "shop", dataCenter: "EU-RO-1" }, [], vol)).not.toContain("aliases");
});

test("a resource that is replaced is not the new name of another one", async () => {
  expect(await saidBeside({ name: "store", dataCenter: "EU-SE-1" }, ["other"])).not.toContain("aliases");
});

test("beside one that is replaced, the only new resource of the kind may be the new name of another one", async () => {
  const moved = { name: "shop", dataCenter: "EU-SE-1" };
  expect(await saidBeside(moved, ["other"], { ...vol, size: 30 })).toContain(
    'write aliases: [{ name: "other" }] in the options of vol',
  );
});

test("of several that have left, the only new resource may be the new name of each", async () => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  const told = await saidBeside(kept, ["other", "third"], { ...vol, size: 30 });
  expect(
    [...told.matchAll(/aliases: \[\{ name: "(\w+)" \}\] in the options of vol/g)].map(([, name]) => name),
  ).toEqual(["other", "third"]);
});

test("of several that have left, the one with the arguments of a new resource is told", async () => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  expect(await saidBeside(kept, ["another", "other"], { ...vol, size: 15 })).toMatch(
    /^other is no longer in the program \(unless an error has ended it early\): [^\n]*\n$/,
  );
});

test("the only new resource that has no such arguments is told, too", async () => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  const like = { __urn: urnOf("networkVolume", "like"), size: 15 };
  const told = await saidBeside(kept, ["other", "longest"], like, { ...vol, size: 30 });
  expect(told).toContain('write aliases: [{ name: "other" }] in the options of like');
  expect(told).toContain('write aliases: [{ name: "longest" }] in the options of vol');
  expect(told).not.toContain('[{ name: "other" }] in the options of vol');
});

test("several that have left are told in one warning, with a line for each", async () => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  const named = ["disk-1", "disk-2"].map((name) => ({ __urn: urnOf("networkVolume", name), size: 16 }));
  const line = (was: string, is: string) =>
    `${was}: its network volume "\\S+" \\(\\w+\\) is deleted, and the data on it with it\\. ` +
    `If ${is} is its new name, write aliases: \\[\\{ name: "${was}" \\}\\] in the options of ${is}`;
  expect(await saidBeside(kept, ["data-1", "data-2"], ...named)).toMatch(
    new RegExp(
      `^2 resources are no longer in the program \\(unless an error has ended it early\\):\n${line("data-1", "disk-1")}\n${line("data-2", "disk-2")}\n\\[PODLUMI-RENAMED\\]\n$`,
    ),
  );
});

test("of several with the same arguments, each that has left is told once", async () => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  const named = ["disk-2", "disk-1"].map((name) => ({ __urn: urnOf("networkVolume", name), size: 16 }));
  const told = await saidBeside(kept, ["data-1", "data-2"], ...named);
  expect(told.match(/aliases: .* in the options of disk-\d/g)?.sort()).toEqual([
    'aliases: [{ name: "data-1" }] in the options of disk-1',
    'aliases: [{ name: "data-2" }] in the options of disk-2',
  ]);
});

test("beside a new one like another that is told, the only new resource without such arguments is told, too", async () => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  const named = ["disk-1", "disk-2"].map((name) => ({ __urn: urnOf("networkVolume", name), size: 16 }));
  const told = await saidBeside(kept, ["data-1", "dataset"], ...named, { ...vol, size: 30 });
  expect(told.match(/aliases: .* in the options of \S+/g)?.sort()).toEqual([
    'aliases: [{ name: "data-1" }] in the options of disk-1',
    'aliases: [{ name: "dataset" }] in the options of vol',
  ]);
});

test.each([
  ["three alike", "other arguments", "data-3", 30],
  ["two alike and another one", "the arguments of the two", "dataset", 16],
])("of %s, the third is told for the third new resource, which has %s", async (_left, _has, third, size) => {
  const kept = { name: "store", dataCenter: "EU-RO-1" };
  const named = ["disk-1", "disk-2"].map((name) => ({ __urn: urnOf("networkVolume", name), size: 16 }));
  const told = await saidBeside(kept, ["data-1", "data-2", third], ...named, { ...vol, size });
  expect(told.match(/aliases: .* in the options of \S+/g)?.sort()).toEqual([
    'aliases: [{ name: "data-1" }] in the options of disk-1',
    'aliases: [{ name: "data-2" }] in the options of disk-2',
    `aliases: [{ name: "${third}" }] in the options of vol`,
  ]);
});

test.each<[string, string, Partial<Stated>]>([
  ["its template has declared", "id1", { outputs: { mounts: { persistent: { size: 20, path: "/data" } } } }],
  ["the new resource leaves out", "id2", { inputs: { mounts: { persistent: { size: 20, path: "/data" } } } }],
])("a new name of a pod is told, where its data is lost, which %s", async (_what, id, of) => {
  backend.objects = [stated(urnOf("pod", "web"), id, { servedBy: stacks.ours, ...of })];
  const { run, pod } = provider();
  await pod.check({}, declared("pod", { __urn: urnOf("pod", "site") }));
  expect((await heard(() => endRun(run))).said).toMatch(
    /^web is no longer in the program \(unless an error has ended it early\): .* is deleted, and the data of mounts\.persistent with it\. If site is its new name/,
  );
});

/** What the end of a preview says where a component of these names has an endpoint and a volume. */
async function saidOfComponent(was: string, ...is: readonly string[]): Promise<string> {
  const of = (kind: Kind, name: string) =>
    urnOf(kind, name).replace("::pulumi-nodejs", "::app:Model$pulumi-nodejs");
  const parent = `urn:pulumi:dev::project::app:Model::${was}`;
  const { networkVolume, serverlessEndpoint } = provider();
  const endpoint = await begin(serverlessEndpoint, "serverlessEndpoint", {
    __urn: of("serverlessEndpoint", `${was}-llm`),
  });
  const data = await begin(networkVolume, "networkVolume", { __urn: of("networkVolume", `${was}-data`) });
  backend.objects = [
    ...[endpoint, data].map(({ id, outs }) => {
      const inputs = {
        ...declared(id === data.id ? "networkVolume" : "serverlessEndpoint"),
        name: outs?.name,
      };
      return stated(String(outs?.__urn), id, { inputs, outputs: outs, parent, servedBy: stacks.ours });
    }),
  ];
  const next = provider();
  const [llm = was, store = llm] = is;
  await next.serverlessEndpoint.check(
    {},
    declared("serverlessEndpoint", { __urn: of("serverlessEndpoint", `${llm}-llm`) }),
  );
  await next.networkVolume.check(
    {},
    declared("networkVolume", { __urn: of("networkVolume", `${store}-data`) }),
  );
  return (await heard(() => endRun(next.run))).said;
}

test("a new name of a component is told once, with the alias of the component", async () => {
  expect(await saidOfComponent("chat", "talk")).toMatch(
    /^nothing of chat is in the program any more \(unless an error has ended it early\): the network volume .*; the serverless endpoint .*\. If talk is the new name of chat, write aliases: \[\{ name: "chat" \}\] in the options of talk itself[^\n]*RENAMED\]\n$/,
  );
});

test("a new name of a child of a component is told with the alias of the child", async () => {
  expect(await saidOfComponent("chat", "talk", "chat")).toMatch(
    /^chat-llm is no longer in the program \(unless an error has ended it early\): .* is deleted, and its id, by which clients call it, with it\. If talk-llm is its new name, write aliases: \[\{ name: "chat-llm" \}\][^\n]*\n$/,
  );
});
