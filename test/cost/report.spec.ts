import { stripVTControlCharacters } from "node:util";
import { tableOf } from "../../sdk/cli/commands/cost";
import type { PulumiFile } from "../../sdk/cost/files";
import { reportOf } from "../../sdk/cost/report";
import { prices } from "./prices";

type Values = Record<string, unknown>;

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "…" };

const state = (kind: string, name: string, inputs: Values, outputs?: Values, more: Values = {}) => ({
  urn: `urn:pulumi:dev::shop::podlumi:index:${kind}::${name}`,
  type: `podlumi:index:${kind}`,
  inputs,
  ...(outputs && { outputs }),
  ...more,
});

const ada = { id: "NVIDIA GeForce RTX 4090" };

/** What is counted of each resource, or why it has no price. */
const why = (file: PulumiFile) =>
  Object.fromEntries(reportOf(file, prices).resources.map(({ name, cost }) => [name, cost.why]));

test("a state tells what the objects have where the program leaves it out", () => {
  const pod = { gpu: { ...ada, count: 4 }, cloud: "COMMUNITY", disk: 20, mounts: {} };
  const llm = { gpu: { pools: ["ADA_24"], count: 2 }, workers: { min: 4, max: 20 }, disk: 10 };
  const resources = [
    state("Pod", "pod", { gpu: ada, adopt: "7h9k" }, pod),
    state("ServerlessEndpoint", "llm", { gpu: { pools: ["ADA_24"] }, workers: { idleTimeout: 5 } }, llm),
  ];
  expect(why({ deployment: { resources } })).toEqual({
    llm: "4 to 20 workers of 2 × ADA_24 GPU at 0.36 USD an hour, 10 GB of container disk",
    pod: "4 × NVIDIA GeForce RTX 4090 at 0.192 USD an hour, 20 GB of container disk",
  });
});

test("an object that was replaced costs until it is deleted", () => {
  const pod = { gpu: { ...ada, count: 1 }, cloud: "SECURE", disk: 20, mounts: {} };
  const old = state(
    "Pod",
    "pod",
    { gpu: ada },
    { ...pod, gpu: { ...ada, count: 2 } },
    { id: "1a", delete: true },
  );
  const resources = [state("Pod", "pod", { gpu: ada }, pod, { id: "2b" }), old];
  const file = { deployment: { resources } } as PulumiFile;
  expect(stripVTControlCharacters(tableOf(reportOf(file, prices))).split("\n")).toEqual([
    "NAME       KIND  USD/HOUR  USD/MONTH",
    "pod        Pod     0.2427     177.20",
    "pod (old)  Pod     0.4827     352.40",
    "total              0.7255     529.60",
    "",
    "pod (old) was replaced, and costs until `pulumi up` has deleted it.",
    "By list prices; a month has 730 hours.",
  ]);
  const [kept, replaced] = resources;
  const steps = [
    { op: "same", oldState: kept, newState: kept },
    { op: "delete", oldState: replaced },
  ] as PulumiFile["steps"];
  expect(reportOf({ steps }, prices)).toMatchObject({
    total: { hourly: { atMost: 0.24274 } },
    before: { hourly: { atMost: 0.72548 } },
  });
});

test("a preview with --refresh counts nothing that it deletes or renames afterwards", () => {
  const had = { gpu: { ...ada, count: 1 }, cloud: "SECURE", disk: 20, mounts: {} };
  const [kept, gone, renamed] = ["kept", "gone", "renamed"].map((name) =>
    state("Pod", name, { gpu: ada, disk: 20 }, had, { id: name }),
  );
  const again = state("Pod", "again", { gpu: ada, disk: 20 }, had, { id: "renamed" });
  const steps = [
    ...[kept, gone, renamed].map((one) => ({ op: "refresh", oldState: one, newState: one })),
    { op: "same", oldState: kept, newState: kept },
    { op: "same", oldState: renamed, newState: again },
    { op: "delete", oldState: gone },
  ] as PulumiFile["steps"];
  expect(Object.keys(why({ steps })).sort()).toEqual(["again", "kept"]);
});

test("what replaces an object costs what the program says, though a preview of the plugin knows no output of it", () => {
  const had = { gpu: { ...ada, count: 2 }, cloud: "SECURE", disk: 20, mounts: {} };
  const unknowns = { gpu: unknown, cpu: unknown, disk: unknown, mounts: unknown, cloud: unknown };
  const oldState = state("Pod", "pod", { gpu: { ...ada, count: 2 } }, had);
  const replace = (inputs: Values) => [
    { op: "replace", oldState, newState: state("Pod", "pod", inputs, unknowns) },
  ];
  expect(reportOf({ steps: replace({ gpu: ada, disk: 20 }) }, prices)).toMatchObject({
    total: { hourly: { atMost: 0.24274 } },
    before: { hourly: { atMost: 0.48274 } },
  });
  expect(why({ steps: replace({ gpu: unknown }) })).toEqual({ pod: "gpu is not known before `pulumi up`" });
});

test("a state of which nothing is understood has no price, and stops no report", () => {
  const volume = { size: 10, dataCenter: "EU-RO-1", type: "GLACIAL" };
  const resources = [state("NetworkVolume", "cold", { size: 10 }, volume), state("Pod", "pod", { gpu: ada })];
  expect(reportOf({ deployment: { resources } }, prices)).toMatchObject({
    resources: [
      { cost: { hourly: undefined, why: "podlumi knows no price of GLACIAL storage" } },
      { cost: { hourly: {} } },
    ],
  });
  expect(reportOf({ changeSummary: null, steps: null }, prices).resources).toEqual([]);
});

test("an update keeps what the program never declared, and what it no longer declares gets its default", () => {
  const outputs = { gpu: { pools: ["ADA_24"], count: 2 }, workers: { min: 4, max: 8 }, disk: 10 };
  const change = (name: string, before: Values, inputs: Values) => ({
    op: "update",
    oldState: state("ServerlessEndpoint", name, before, outputs),
    newState: state("ServerlessEndpoint", name, inputs),
  });
  const gpu = { pools: ["ADA_24"] };
  const steps = [
    change("kept", { gpu, workers: { min: 4 } }, { gpu, workers: { min: 2 }, disk: 5 }),
    change("fewer", { gpu, workers: { min: 4, max: 8 }, disk: 10 }, { gpu, workers: { min: 2 } }),
    change("none", { gpu: outputs.gpu, workers: { max: 8 } }, { gpu }),
  ];
  expect(why({ steps })).toEqual({
    kept: "2 to 8 workers of 2 × ADA_24 GPU at 0.36 USD an hour, 5 GB of container disk",
    fewer: "2 to 3 workers of 2 × ADA_24 GPU at 0.36 USD an hour, 10 GB of container disk",
    none: "0 to 3 workers of 1 × ADA_24 GPU at 0.36 USD an hour, 10 GB of container disk",
  });
});

test("the preview of an adoption does not tell of what only the object knows", () => {
  const steps = [{ op: "create", newState: state("Pod", "pod", { gpu: ada, adopt: "7h9k" }) }];
  const note = "an adopted object keeps what the program leaves out: declare gpu.count, cloud, mounts";
  expect(tableOf(reportOf({ steps }, prices))).toContain(`pod is not in the total: ${note}.`);
});

test("a value that cannot be read leaves no part of it uncounted", () => {
  const declared = (name: string, inputs: Values) => ({ op: "create", newState: state("Pod", name, inputs) });
  const isUnknown = "mounts is not known before `pulumi up`";
  const steps = [
    declared("all", { gpu: ada, mounts: unknown }),
    declared("part", { gpu: ada, mounts: { persistent: unknown } }),
    declared("size", { gpu: ada, mounts: { persistent: { size: unknown, path: "/w" } } }),
    declared("hidden", { gpu: ada, mounts: "[secret]" }),
    declared("volume", { gpu: ada, disk: 20, mounts: { network: [{ volumeId: unknown, path: "/w" }] } }),
  ];
  expect(why({ steps })).toEqual({
    all: isUnknown,
    part: isUnknown,
    size: isUnknown,
    hidden: "mounts is a secret",
    volume: "1 × NVIDIA GeForce RTX 4090 at 0.24 USD an hour, 20 GB of container disk",
  });
  const outputs = { gpu: { ...ada, count: 1 }, mounts: secret };
  for (const inputs of [{ gpu: ada }, { gpu: ada, mounts: secret }])
    expect(why({ deployment: { resources: [state("Pod", "pod", inputs, outputs)] } })).toEqual({
      pod: "mounts is a secret",
    });
  const hidden = [state("Pod", "pod", { gpu: ada }, { gpu: secret })];
  expect(why({ deployment: { resources: hidden } })).toEqual({ pod: "gpu is a secret" });
});

test("a global volume, which has no price beforehand, is named as not counted", () => {
  const own = state("GlobalVolume", "models", {}, {}, { id: "gsb_1" });
  const read = state("GlobalVolume", "theirs", {}, {}, { id: "gsb_2", external: true });
  const note = "models is not in the total: a global volume costs by what it stores and by requests.";
  for (const file of [
    { deployment: { resources: [own, read] } },
    {
      steps: [
        { op: "create", newState: own },
        { op: "read", newState: read },
      ],
    },
  ] as PulumiFile[]) {
    const report = reportOf(file, prices);
    expect(report.notCounted).toEqual(["models"]);
    expect(tableOf(report)).toContain(note);
  }
  const deleted = { steps: [{ op: "delete", oldState: own }] } as PulumiFile;
  expect(reportOf(deleted, prices).notCounted).toEqual([]);
});
