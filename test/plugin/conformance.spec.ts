import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import type plugins from "@pulumi/pulumi/proto/plugin_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import * as fc from "fast-check";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { isSecret, secret, unwrapped } from "../../provider/core/kind/secret-value";
import { isRecord, isUnknown, type Properties, unknownValue } from "../../provider/core/value";
import type { KindName } from "../../provider/identity";
import { type Emulator, startEmulator } from "../emulator";
import { fast } from "../harness/account";
import { EngineStandIn, type Entry, type Method, PluginProcess, struct } from "../harness/plugin-client";

// The plugin's executable and the engine's protocol, without an engine: what Pulumi expects of every plugin.

/** For each kind: arguments, a change in place, a change that replaces, and an id of the form that the kind has. */
interface Sample {
  readonly args: Properties;
  readonly change?: Properties;
  readonly replace?: Properties;
  readonly missing: string;
}

const container = { image: "org/app:1", args: "--fast", disk: 30, env: { MODE: "fast" }, ports: ["80/http"] };
const missing = "abcdefghij";
const samples: Record<KindName, Sample> = {
  Cluster: {
    args: {
      type: "TRAINING",
      compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 8, podCount: 2 },
      image: "org/app:1",
      env: { MODE: "fast" },
    },
    change: { name: "renamed" },
    replace: { image: "org/app:2" },
    missing,
  },
  GlobalVolume: { args: { deleteTimeout: 60 }, change: { name: "renamed" }, missing },
  NetworkVolume: {
    args: { size: 50, dataCenter: "EU-RO-1", deleteTimeout: 60 },
    change: { size: 60 },
    replace: { dataCenter: "US-KS-2" },
    missing,
  },
  Pod: {
    args: {
      ...container,
      gpu: { id: "NVIDIA L4", count: 1 },
      mounts: { persistent: { size: 20, path: "/data" } },
      dataCenterIds: ["EU-RO-1"],
      locked: true,
    },
    change: { image: "org/app:2", env: { MODE: "slow" } },
    replace: { gpu: { id: "NVIDIA A40" } },
    missing: "abcdefghijklmn",
  },
  RegistryAuth: {
    args: { username: "bot-of-acme", password: "hunter22" },
    change: { password: "hunter23" },
    missing,
  },
  RegistryDelegation: {
    args: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1" },
    replace: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v2" },
    missing,
  },
  Secret: { args: { value: "hunter24" }, change: { value: "hunter25" }, missing },
  ServerlessEndpoint: {
    args: {
      ...container,
      type: "QUEUE",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      workers: { min: 0, max: 2, idleTimeout: 5 },
      timeout: 60_000,
    },
    change: { image: "org/app:2", workers: { min: 0, max: 1, idleTimeout: 5 } },
    replace: { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
    missing: "abcdefghijklmn",
  },
  SshKeys: {
    args: { keys: ["ssh-ed25519 AAAA ada@example.com"] },
    change: { keys: ["ssh-ed25519 AAAA ada@example.com", "ssh-ed25519 BBBB bob@example.com"] },
    missing: "no-such-keys",
  },
  Template: {
    args: { ...container, readme: "# Worker" },
    change: { image: "org/app:2", readme: "# Other" },
    missing,
  },
};
const kinds = Object.keys(samples) as KindName[];
/** Every sample, after it was deleted. */
const deleted = new Map<KindName, Entry>();
const stackId = "4c1f9f6e-0b7e-4d59-9d2e-1f0c5a7b8d11";

let emulator: Emulator;
let engine: EngineStandIn;
let plugin: PluginProcess;

beforeAll(async () => {
  emulator = await startEmulator({ ...fast, workersQuota: 10_000, balance: 1_000_000 });
  engine = await EngineStandIn.start();
  plugin = await PluginProcess.start(emulator.env, engine.address);
  await plugin.client.configure({ confirmDataLoss: "all" }, stackId);
});
afterAll(async () => {
  expect(await plugin.end()).toBe(0);
  // It prints its port. All else that it has to say goes to the engine.
  expect(plugin.printed).toBe("");
  engine.end();
  await emulator.close();
});

const urnOf = (kind: string, name = "it") => `urn:pulumi:dev::project::podlumi:index:${kind}::${name}`;
const schema = JSON.parse(readFileSync("provider/plugin/schema.json", "utf8"));
const schemaOf = (kind: KindName) => schema.resources[`podlumi:index:${kind}`];

/** The inputs of a resource, checked. */
async function checked(
  kind: KindName,
  name: string,
  args: Properties,
  olds?: Properties,
): Promise<Properties> {
  const { inputs, failures } = await plugin.client.check(urnOf(kind, name), olds, args);
  expect(failures).toEqual([]);
  return inputs;
}

/** Creates an object, as the engine does. */
async function created(kind: KindName, name: string, args = samples[kind].args): Promise<Entry> {
  const inputs = await checked(kind, name, args);
  return { ...(await plugin.client.create(urnOf(kind, name), inputs)), inputs };
}

/** What changed the account meanwhile. */
async function changesDuring(act: () => Promise<unknown>): Promise<string[]> {
  const before = emulator.requests.length;
  await act();
  const sent = emulator.requests.slice(before);
  return sent.flatMap(({ interface: name, method, path, body }) => {
    const { query = "" } = Object(body) as { query?: string };
    const isChange =
      name === "graphql" ? /^\s*mutation/.test(query) && !query.includes("@skip") : method !== "GET";
    return isChange ? `${method} ${path}` : [];
  });
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

describe("the plugin", () => {
  test("shakes hands, and says the same of itself each time", async () => {
    const { call } = plugin.client;
    const hello = await call<protocol.ProviderHandshakeResponse>(
      "handshake",
      new protocol.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1").setConfigureWithUrn(true),
    );
    const configured = await plugin.client.configure({ confirmDataLoss: "all" }, stackId);
    expect(hello.toObject()).toEqual({
      acceptSecrets: configured.getAcceptsecrets(),
      acceptResources: configured.getAcceptresources(),
      acceptOutputs: configured.getAcceptoutputs(),
      supportsAutonamingConfiguration: configured.getSupportsAutonamingConfiguration(),
    });
    expect(configured.getSupportspreview()).toBe(true);
    expect(configured.getAcceptsecrets()).toBe(true);

    const info = await call<plugins.PluginInfo>("getPluginInfo", new Empty());
    expect(info.getVersion()).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
    const answer = await call<protocol.GetSchemaResponse>("getSchema", new protocol.GetSchemaRequest());
    expect(JSON.parse(answer.getSchema())).toEqual(schema);
    expect(Object.keys(schema.resources)).toEqual(kinds.map((kind) => `podlumi:index:${kind}`));
  });

  test.each<Method>(["call", "construct", "getMapping", "getMappings", "parameterize"])(
    "says that it has no %s",
    async (method) => {
      const requests: Partial<Record<Method, new () => Parameters<typeof plugin.client.call>[1]>> = {
        call: protocol.CallRequest,
        construct: protocol.ConstructRequest,
        getMapping: protocol.GetMappingRequest,
        getMappings: protocol.GetMappingsRequest,
        parameterize: protocol.ParameterizeRequest,
      };
      const Request = requests[method] as new () => protocol.CallRequest;
      await expect(plugin.client.call(method, new Request())).rejects.toMatchObject({
        code: status.UNIMPLEMENTED,
      });
    },
  );

  test("refuses a type that it does not have", async () => {
    const odd = urnOf("NetworkVolumes");
    await expect(plugin.client.check(odd, undefined, {})).rejects.toThrow(/NetworkVolumes.*\[PODLUMI-/);
  });

  const testOnLinux = process.platform === "linux" ? test : test.skip;
  testOnLinux("listens on one address of loopback only", async () => {
    // Another server can have the same port on another address.
    const server = createServer();
    await new Promise<void>((listening) => server.listen(plugin.port, "127.0.0.2", listening));
    await new Promise((closed) => server.close(closed));
  });

  test("compares configurations: another one is a change of the provider, and replaces nothing", async () => {
    const diff = async (olds: Properties, news: Properties) => {
      const [oldInputs, newInputs] = [olds, news].map((one) => struct(one));
      const request = new protocol.DiffRequest()
        .setOldInputs(oldInputs)
        .setNews(newInputs)
        .setOlds(oldInputs);
      const answer = await plugin.client.call<protocol.DiffResponse>("diffConfig", request);
      expect(answer.getReplacesList()).toEqual([]);
      return answer.getChanges() === protocol.DiffResponse.DiffChanges.DIFF_SOME;
    };
    const key = secret("rpa_1");
    expect(await diff({ apiKey: key }, { apiKey: key })).toBe(false);
    expect(await diff({ apiKey: key, apiUrl: "a" }, { apiUrl: "a", apiKey: key })).toBe(false);
    expect(await diff({ apiKey: key }, { apiKey: secret("rpa_2") })).toBe(true);
    expect(await diff({}, { apiKey: unknownValue })).toBe(true);
  });

  test("checks its configuration: secrets stay, unknown values stay, unknown names are refused", async () => {
    const check = async (news: Properties) => {
      const request = new protocol.CheckRequest().setNews(struct(news));
      const answer = await plugin.client.call<protocol.CheckResponse>("checkConfig", request);
      return { inputs: answer.getInputs()?.toJavaScript(), failures: answer.toObject().failuresList };
    };
    const given = { apiKey: "rpa_1", apiUrl: unknownValue, version: "1.0.0" };
    expect(await check(given)).toEqual({ inputs: { ...given, apiKey: secret("rpa_1") }, failures: [] });
    const { failures } = await check({ apiKeys: "rpa_1" });
    expect(failures).toMatchObject([{ reason: expect.stringMatching(/apiKey.*\[PODLUMI-CONFIGURATION\]/) }]);
  });

  test("takes the configuration that it got last, and previews without a key", async () => {
    const other = await PluginProcess.start({ ...emulator.env, RUNPOD_API_KEY: "" });
    try {
      await other.client.configure({}, stackId);
      const urn = urnOf("NetworkVolume", "keyless");
      const { inputs, failures } = await other.client.check(urn, undefined, samples.NetworkVolume.args);
      expect(failures).toEqual([]);
      await other.client.create(urn, inputs, { preview: true });
      await expect(other.client.create(urn, inputs)).rejects.toThrow("[PODLUMI-CONFIGURATION]");
      await other.client.configure({ apiKey: secret("rpa_first") }, stackId);
      await other.client.configure({ apiKey: secret("rpa_last") }, stackId);
      await other.client.create(urn, inputs);
      expect(emulator.requests.at(-1)?.client).toBe("last");
    } finally {
      await other.end();
    }
  });

  test("answers many requests at once", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `many${index}`);
    const made = await Promise.all(names.map((name) => created("Pod", name)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(20);
    expect(emulator.service.pods.list()).toEqual(
      expect.arrayContaining(made.map(({ id }) => expect.objectContaining({ id }))),
    );
  });

  test("names the object in an error, also where podlumi keeps a secret copy of what was asked for", async () => {
    const made = await created("Pod", "named");
    emulator.faults.add({ match: { path: `/pods/${made.id}` }, when: "before", what: { status: 401 } });
    await expect(
      plugin.client.update(urnOf("Pod", "named"), made, { ...made.inputs, disk: 40 }),
    ).rejects.toThrow(`could not update pod "${made.outputs.name}" (${made.id}): `);
    emulator.faults.clear();
  });

  test("masks what its state has as a secret when a deletion is refused", async () => {
    const made = await created("Template", "refused", {
      image: "org/app:1",
      args: secret("--token hunter22"),
    });
    const match = { method: "DELETE", path: `/templates/${made.id}` };
    emulator.faults.add({ match, when: "before", what: { status: 403, detail: "it runs --token hunter22" } });
    await expect(plugin.client.delete(urnOf("Template", "refused"), made)).rejects.toThrow(
      `(${made.id}): DELETE /templates/${made.id} answered 403 Forbidden: it runs [secret]`,
    );
    await plugin.client.delete(urnOf("Template", "refused"), made);
  });

  test("keeps the object of a create that failed later, and an update goes on with it", async () => {
    emulator.service.timings.starting = 600_000;
    const inputs = await checked("Pod", "slow", samples.Pod.args);
    const urn = urnOf("Pod", "slow");
    const failure = await plugin.client.create(urn, inputs, { timeout: 1 }).catch((error) => error);
    emulator.service.timings.starting = 20;
    expect(failure).toMatchObject({ id: expect.any(String), reasons: [failure.message] });
    expect(failure.properties).toMatchObject({ image: "org/app:1" });
    const entry = { id: failure.id, inputs, outputs: failure.properties };
    // Its time to start was set when it was made.
    const { outputs } = await plugin.client.update(urn, entry, { ...inputs, waitFor: "NONE" });
    await plugin.client.delete(urn, { ...entry, outputs });
  });

  test("ends what it does when it is cancelled, and keeps what exists", async () => {
    const cancelled = await PluginProcess.start(emulator.env, engine.address);
    try {
      const { client } = cancelled;
      await client.configure({}, stackId);
      emulator.service.timings.starting = 600_000;
      const urn = urnOf("Pod", "cancelled");
      const { inputs } = await client.check(urn, undefined, samples.Pod.args);
      const before = emulator.service.pods.list().length;
      const create = client.create(urn, inputs).catch((error) => error);
      while (emulator.service.pods.list().length === before) await setTimeout(20);
      const began = Date.now();
      await client.call("cancel", new Empty());
      expect(await create).toMatchObject({
        id: expect.any(String),
        message: expect.stringContaining("[PODLUMI-CANCELLED]"),
      });
      expect(Date.now() - began).toBeLessThan(2_000);
      await client.call("cancel", new Empty());
    } finally {
      emulator.service.timings.starting = 20;
      expect(await cancelled.end()).toBe(0);
    }
  });
});

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

    await client.delete(urn, current);
    // Of what was made a moment ago, a deletion waits until the service has to show it.
    await client.delete(urn, { ...current, outputs: { ...current.outputs, __made: "2026-01-01T00:00:00Z" } });
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
    expect(inputs).toMatchObject(hidden);
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

test("what is gone, or never was, is read as nothing", async () => {
  const nothing = { id: "", inputs: {}, outputs: {} };
  // An account always has its list of SSH keys.
  const others = [...deleted].filter(([kind]) => kind !== "SshKeys");
  expect(others).toHaveLength(kinds.length - 1);
  const reads = others.flatMap(([kind, entry]) => [
    plugin.client.read(urnOf(kind), entry.id, withoutTime(entry)),
    plugin.client.read(urnOf(kind, "none"), samples[kind].missing),
  ]);
  expect(await Promise.all(reads)).toEqual(reads.map(() => nothing));
});

/** What a preview knows. */
function known(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnknown(value)));
}

/** The arguments that the service never answers: an import cannot know them. */
function hiddenOf(kind: KindName): Properties {
  const { args } = samples[kind];
  const hidden = ["value", "password", "username"].filter((name) => name in args);
  return Object.fromEntries(hidden.map((name) => [name, args[name]]));
}

/** A state that is old enough for a missing object to be gone, and not only to be shown late. */
function withoutTime({ id, inputs, outputs: { __made, ...outputs } }: Entry): Entry {
  return { id, inputs, outputs };
}

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
      const asGiven = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      const kept = Object.entries(unwrapped(asGiven)).map(([name, value]) => [name, asKept(name, value)]);
      expect(unwrapped(inputs)).toMatchObject(Object.fromEntries(kept));
      const { inputs: again } = await plugin.client.check(urnOf(kind, "odd"), inputs, given);
      expect(again).toEqual(inputs);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
