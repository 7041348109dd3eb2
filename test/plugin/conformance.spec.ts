import * as fc from "fast-check";
import { holdsSecret, isSecret, secret, unwrapped } from "../../provider/core/state/secret-value";
import type { KindName } from "../../provider/resources";
import { isRecord, isUnknown, type Properties, unknownValue } from "../../provider/value";
import { mutates } from "../harness/account";
import type { Entry } from "../harness/plugin-client";
import { kindNames as kinds, samples } from "../kinds";
import { checked, created, emulator, plugin, schemaOf, urnOf } from "./samples";

// What Pulumi expects of every resource of a plugin.

/** What changed the account meanwhile. */
async function changesDuring(act: () => Promise<unknown>): Promise<string[]> {
  const before = emulator.requests.length;
  await act();
  const sent = emulator.requests.slice(before);
  return sent.filter(mutates).map(({ method, path }) => `${method} ${path}`);
}

/** The places in a value at which a condition holds. */
function pathsOf(value: unknown, is: (value: unknown) => boolean, path: readonly string[] = []): string[][] {
  if (is(value)) return [[...path]];
  if (!isRecord(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, is, [...path, key]));
}

/** A value with another one at a place. */
function withAt(
  value: unknown,
  [key, ...path]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  const copy = structuredClone(value) as Properties;
  copy[key] = withAt(copy[key], path, change);
  return copy;
}

/** The value at a place. */
function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Properties)[key], value);
}

const isLeaf = (value: unknown) => !isRecord(value) && !Array.isArray(value);

/** What a preview knows. */
function known(properties: Properties): Properties {
  const entries = Object.entries(properties).filter(([, value]) => !isUnknown(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, isRecord(value) ? known(value) : value]));
}

/** The arguments that the service never answers: an import cannot know them. */
function hiddenOf(kind: KindName): Properties {
  const { args } = samples[kind];
  const hidden = ["value", "password", "username"].filter((name) => name in args);
  return Object.fromEntries(hidden.map((name) => [name, args[name]]));
}

/** Every sample, after it was deleted. */
const deleted = new Map<KindName, Entry>();

describe.each(kinds)("%s", (kind) => {
  const { args, change, replace } = samples[kind];
  const urn = urnOf(kind);
  beforeEach(() => emulator.service.sshKeys.replace([]));
  const { inputProperties, requiredInputs = [], properties, required = [] } = schemaOf(kind);

  test("needs the inputs that the schema says it needs", async () => {
    const { failures } = await plugin.client.check(urnOf(kind, "empty"), undefined, {});
    // With a property of its own, the engine would print the value.
    expect(failures.map(({ property }) => property)).toEqual(failures.map(() => ""));
    const names = failures.map(({ reason }) => reason.split(":")[0] ?? "");
    const asked = names.filter((name) => name in inputProperties);
    expect(asked).toEqual(expect.arrayContaining(requiredInputs));
    for (const { reason } of failures) expect(reason).toMatch(/\[PODLUMI(-[A-Z]+)+\]$/);
  });

  test("previews what happens, and goes through its life", async () => {
    const { client } = plugin;
    const inputs = await checked(kind, "it", args);
    expect(unwrapped(inputs)).toMatchObject(args);
    expect(await checked(kind, "it", args, inputs)).toEqual(inputs);
    expect(await checked(kind, "it", inputs, inputs)).toEqual(inputs);

    let previewed: Properties = {};
    const sent = await changesDuring(async () => {
      const { id, outputs } = await client.create(urn, inputs, { preview: true });
      expect(id).toBe("");
      previewed = outputs;
    });
    expect(sent).toEqual([]);

    const made = { ...(await client.create(urn, inputs)), inputs };
    expect(made.outputs).toMatchObject(known(previewed));
    const own = Object.keys(made.outputs).filter((name) => !name.startsWith("__"));
    expect(Object.keys({ ...properties, ...inputProperties })).toEqual(expect.arrayContaining(own));
    expect(own).toEqual(expect.arrayContaining(required));
    expect(Object.keys(previewed)).toEqual(expect.arrayContaining(required));

    expect(await client.diff(urn, made, inputs)).toMatchObject({ changes: false, replaces: [], paths: [] });
    const read = await client.read(urn, made.id, made);
    expect(read.id).toBe(made.id);
    expect(await client.diff(urn, read, inputs)).toMatchObject({ changes: false, replaces: [], paths: [] });
    expect(await client.read(urn, made.id, read)).toEqual(read);

    const imported = await client.read(urn, made.id);
    expect(imported.id).toBe(made.id);
    const again = await client.check(urn, imported.inputs, { ...imported.inputs, ...hiddenOf(kind) });
    expect(again.failures).toEqual([]);
    expect((await client.diff(urn, imported, again.inputs)).replaces).toEqual([]);

    let current: Entry = read;
    if (change !== undefined) {
      const news = await checked(kind, "it", { ...args, ...change }, inputs);
      const found = await client.diff(urn, current, news);
      expect(found).toMatchObject({ changes: true, replaces: [] });
      const roots = new Set(found.paths.map((path) => /^\w+/.exec(path)?.[0]));
      expect([...roots].sort()).toEqual(Object.keys(change).sort());
      const before = await changesDuring(async () => {
        previewed = (await client.update(urn, current, news, { preview: true })).outputs;
      });
      expect(before).toEqual([]);
      const { outputs } = await client.update(urn, current, news);
      expect(outputs).toMatchObject(known(previewed));
      current = { id: made.id, inputs: news, outputs };
      expect(await client.diff(urn, current, news)).toMatchObject({
        changes: false,
        replaces: [],
        paths: [],
      });
    }
    if (replace !== undefined) {
      const news = await checked(kind, "it", { ...unwrapped(current.inputs), ...replace }, current.inputs);
      const { replaces, paths } = await client.diff(urn, current, news);
      expect(Object.keys(replace)).toEqual(expect.arrayContaining(replaces));
      expect(replaces.length).toBeGreaterThan(0);
      expect(paths.length).toBeGreaterThan(0);
    }

    // What a program declares is deleted in its run only when it is replaced, and checked anew before that.
    await checked(kind, "it", { ...unwrapped(current.inputs), ...replace });
    await client.delete(urn, current);
    // Of what was made a moment ago, a deletion waits until the service has to show it.
    await client.delete(urn, withoutTime(current));
    deleted.set(kind, current);
  });

  test("takes an unknown value for each input, in check, diff and preview", async () => {
    const made = await created(kind, "unsure");
    const urn = urnOf(kind, "unsure");
    for (const path of pathsOf(args, isLeaf)) {
      const news = withAt(args, path, () => unknownValue) as Properties;
      const inputs = await checked(kind, "unsure", news, made.inputs);
      expect(unwrapped(inputs)).toMatchObject(news);
      const sent = await changesDuring(async () => {
        const { changes, replaces } = await plugin.client.diff(urn, made, inputs);
        expect(changes).toBe(true);
        // As the engine does: what is replaced is not updated.
        if (replaces.length === 0) await plugin.client.update(urn, made, inputs, { preview: true });
        await plugin.client.create(urn, inputs, { preview: true });
      });
      expect([path, sent]).toEqual([path, []]);
    }
    await plugin.client.delete(urn, made);
  });

  test("keeps secret in its outputs what is secret in its inputs", async () => {
    const texts = pathsOf(args, isLeaf);
    const hidden = texts.reduce<unknown>((all, path) => withAt(all, path, secret), args) as Properties;
    const { inputs, outputs, id } = await created(kind, "hidden", hidden);
    expect(inputs).toMatchObject(wholeLists(hidden) as Properties);
    for (const path of texts) {
      const [root = ""] = path;
      if (!(root in outputs)) continue;
      const open = pathsOf(outputs[root], (value) => isSecret(value) || isLeaf(value)).filter(
        (place) => !isSecret(at(outputs[root], place)),
      );
      const own = open.filter((place) => JSON.stringify(place) === JSON.stringify(path.slice(1)));
      expect([root, own]).toEqual([root, []]);
    }
    await plugin.client.delete(urnOf(kind, "hidden"), { id, inputs, outputs });
  });
});

/** The same with each list that holds a secret as one secret. */
function wholeLists(value: unknown): unknown {
  if (Array.isArray(value)) return holdsSecret(value) ? secret(value) : value;
  if (typeof value !== "object" || value === null || isSecret(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wholeLists(inner)]));
}

/** A state that is old enough for a missing object to be gone, and not only to be shown late. */
function withoutTime({ id, inputs, outputs: { __at, ...outputs } }: Entry): Entry {
  return { id, inputs, outputs };
}

test("what is gone is read as nothing, and an import of what never was is refused", async () => {
  const nothing = { id: "", inputs: {}, outputs: {} };
  // An account always has its list of SSH keys.
  const others = [...deleted].filter(([kind]) => kind !== "SshKeys");
  expect(others).toHaveLength(kinds.length - 1);
  const reads = others.map(([kind, entry]) => plugin.client.read(urnOf(kind), entry.id, withoutTime(entry)));
  expect(await Promise.all(reads)).toEqual(reads.map(() => nothing));
  for (const [kind] of others)
    await expect(plugin.client.read(urnOf(kind, "none"), samples[kind].missing)).rejects.toThrow(
      `with the id "${samples[kind].missing}" in this account: \`npx podlumi ls\` lists what there is [PODLUMI-NOT-FOUND]`,
    );
});

describe("whatever a program says", () => {
  const text = fc.constantFrom(
    "",
    "a",
    "org/app:1",
    "EU-RO-1",
    "../../x",
    "ü\u0000\u202e",
    "x".repeat(5_000),
  );
  const number = fc.constantFrom(0, -1, 1.5, 50, 2 ** 53, 1e300);
  const plain = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.constant(unknownValue));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      plain,
      plain.map(secret),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("id", "count", "path", "size", "__proto", "x.y"), tie("value"), {
        maxKeys: 3,
      }),
    ),
  })).value;
  const program = fc.constantFrom(...kinds).chain((kind) => {
    const names = fc.constantFrom(...Object.keys(schemaOf(kind).inputProperties), "nonsense", "x.y");
    const given = fc
      .dictionary(names, json, { maxKeys: 4 })
      .map((odd) => ({ ...samples[kind].args, ...odd }));
    return fc.record({ kind: fc.constant(kind), given });
  });

  /** A key that is null counts as left out. */
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== "object" || value === null) return value;
    const keys = Object.entries(value).filter(([, inner]) => inner !== null);
    return Object.fromEntries(keys.map(([key, inner]) => [key, filled(inner)]));
  };

  /** The inputs keep what a program says. Global networking alone is written as the service has it. */
  const asKept = (name: string, value: unknown) =>
    name === "globalNetworking" && !isUnknown(value) ? { enabled: value } : value;

  test("check answers, keeps it as it is, and says each mistake at a property with a code", async () => {
    const property = fc.asyncProperty(program, async ({ kind, given }) => {
      const { inputs, failures } = await plugin.client.check(urnOf(kind, "odd"), undefined, given);
      const hidden = pathsOf(given, isSecret).map((path) => unwrapped(at(given, path)));
      const told = hidden.filter((one) => typeof one === "string" && one.length >= 4) as string[];
      for (const { reason } of failures) {
        expect(reason).toMatch(/\[PODLUMI(-[A-Z]+)+\]$/);
        for (const one of told) expect(reason).not.toContain(one);
      }
      if (failures.length > 0) return;
      const asGiven = Object.entries(filled(unwrapped(given)) as Properties);
      const kept = asGiven.map(([name, value]) => [name, asKept(name, value)]);
      expect(unwrapped(inputs)).toMatchObject(Object.fromEntries(kept));
      const { inputs: again } = await plugin.client.check(urnOf(kind, "odd"), inputs, given);
      expect(again).toEqual(inputs);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
