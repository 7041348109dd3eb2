import { definitions, type KindName } from "../../provider/resources";
import type { FieldTable } from "../../provider/schema/field";
import { isRecord, type Properties, without } from "../../provider/value";
import { declared, type Kind, provider, urnOf } from "./process";

// A program may give a resource what another one has: `gpu: other.gpu`.

const cpu = { id: "cpu3c", vcpuCount: 2 };
const mounts = { persistent: { size: 20, path: "/data" } };

/** What resources of each kind have, so that all outputs are there that are objects and arguments, too. */
const variants: readonly [Kind, Properties][] = [
  ["cluster", { mounts }],
  ["pod", { mounts }],
  ["pod", { entrypoint: ["serve"], selfStop: { after: "8h" } }],
  ["pod", { gpu: undefined, cpu }],
  ["serverlessEndpoint", { workers: { max: 2 } }],
  ["serverlessEndpoint", { gpu: undefined, cpu: [cpu] }],
  ["template", { mounts }],
];

/** By the registry of outputs. */
function objectsOf(kind: Kind): string[] {
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as KindName;
  const { fields, outputs }: { fields: FieldTable; outputs: { shape: { outputs: object } } } =
    definitions[name];
  return Object.entries(outputs.shape.outputs)
    .filter(([output, keys]) => isRecord(keys) && !fields[output]?.schema.safeParse(true).success)
    .map(([output]) => output);
}

const taken = new Set<string>();

test.each(variants)("another %s takes each object that one with %j has", async (kind, given) => {
  const { [kind]: of } = provider();
  const { outs = {} } = await of.create((await of.check(undefined, declared(kind, given))).inputs);
  const names = objectsOf(kind).filter((name) => outs[name] !== undefined);
  for (const name of names) taken.add(`${kind}.${name}`);
  const objects = Object.fromEntries(names.map((name) => [name, outs[name]]));
  const other = {
    ...without(["gpu", "cpu"], declared(kind, given)),
    ...objects,
    __urn: urnOf(kind, "other"),
  };
  const { inputs, failures } = await of.check(undefined, other);
  expect(failures).toEqual([]);
  expect((await of.create(inputs)).outs).toMatchObject(objects);
});

test("these are all objects of all kinds", () => {
  const kinds = new Set(variants.map(([kind]) => kind));
  expect([...taken].sort()).toEqual(
    [...kinds].flatMap((kind) => objectsOf(kind).map((name) => `${kind}.${name}`)).sort(),
  );
});

test("so does each place in placements; what no output has is no argument", async () => {
  const { pod } = provider();
  const gpu = { id: "NVIDIA L4", count: 1, vcpuCount: 8, memory: 50 };
  const placements = [{ gpu }, { cpu: { ...cpu, memory: 4 } }];
  const placed = await pod.check(undefined, declared("pod", { gpu: undefined, placements }));
  expect(placed.failures).toEqual([]);
  expect(placed.inputs).toMatchObject({ placements: [{ gpu: { id: "NVIDIA L4", count: 1 } }, { cpu }] });
  expect(placed.inputs.placements[0].gpu).not.toHaveProperty("memory");
  const { failures } = await pod.check(undefined, declared("pod", { gpu: { ...gpu, memorry: 50 } }));
  expect(failures).toEqual([
    { property: "gpu.memorry", reason: expect.stringContaining("unknown property") },
  ]);
});
