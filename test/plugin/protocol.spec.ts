import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import type plugins from "@pulumi/pulumi/proto/plugin_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { secret } from "../../provider/core/state/secret-value";
import { fromStruct, toStruct } from "../../provider/plugin/struct";
import { type Properties, unknownValue } from "../../provider/value";
import { type Method, PluginProcess } from "../harness/plugin-client";
import { kindNames, samples } from "../kinds";
import { checked, created, emulator, engine, plugin, schema, stackId, urnOf } from "./samples";

// What Pulumi expects of every plugin, beside its resources.

/** What a plugin says of the inputs of a provider. */
async function checkConfig({ client }: PluginProcess, news: Properties) {
  const request = new protocol.CheckRequest().setNews(toStruct(news));
  const answer = await client.call<protocol.CheckResponse>("checkConfig", request);
  return { inputs: fromStruct(answer.getInputs()), failures: answer.toObject().failuresList };
}

describe("the plugin", () => {
  test("shakes hands, and says the same of itself each time", async () => {
    const other = await PluginProcess.start(emulator.env, engine.address);
    const { call } = other.client;
    const hello = await call<protocol.ProviderHandshakeResponse>(
      "handshake",
      new protocol.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1").setConfigureWithUrn(true),
    );
    const configured = await other.client.configure({}, stackId);
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
    expect(JSON.parse(answer.getSchema())).toMatchObject(schema);
    expect(Object.keys(schema.resources)).toEqual(kindNames.map((kind) => `podlumi:index:${kind}`));
    await other.end();
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
      const [oldInputs, newInputs] = [olds, news].map((one) => toStruct(one));
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
    const check = (news: Properties) => checkConfig(plugin, news);
    const given = { apiKey: "rpa_1", apiUrl: unknownValue, version: "1.0.0" };
    expect(await check(given)).toEqual({ inputs: { ...given, apiKey: secret("rpa_1") }, failures: [] });
    const { failures } = await check({ apiKeys: "rpa_1" });
    expect(failures).toMatchObject([{ reason: expect.stringMatching(/apiKey.*\[PODLUMI-CONFIGURATION\]/) }]);
  });

  test("adds what the stack's configuration has beside the arguments, and refuses unknown keys of that, too", async () => {
    const start = (config: object) =>
      PluginProcess.start({ ...emulator.env, PULUMI_CONFIG: JSON.stringify(config) });
    const other = await start({ apiKey: "rpa_stack", apiUrl: "a", queueUrl: "q" });
    const misspelt = await start({ apiKye: "rpa_stack" });
    try {
      const inputsOf = async (news: Properties) => (await checkConfig(other, news)).inputs;
      // The engine does not tell which of these the user keeps as secrets.
      const all = { apiKey: secret("rpa_stack"), apiUrl: secret("a"), queueUrl: secret("q") };
      expect(await inputsOf({})).toEqual(all);
      const given = { apiKey: secret("rpa_own"), apiUrl: "b", queueUrl: null };
      expect(await inputsOf(given)).toEqual({ ...given, queueUrl: secret("q") });
      expect(await inputsOf({ apiKey: null })).toMatchObject({ apiKey: null });
      expect((await checkConfig(misspelt, {})).failures).toMatchObject([
        { reason: expect.stringMatching(/key podlumi:apiKye; did you mean "podlumi:apiKey"/) },
      ]);
    } finally {
      await Promise.all([other.end(), misspelt.end()]);
    }
  });

  test("previews without a key, and serves one provider in one command: another one has another account, or another state", async () => {
    const other = await PluginProcess.start({ ...emulator.env, RUNPOD_API_KEY: "" });
    try {
      await other.client.configure({}, stackId);
      const urn = urnOf("NetworkVolume", "keyless");
      const { inputs, failures } = await other.client.check(urn, undefined, samples.NetworkVolume.args);
      expect(failures).toEqual([]);
      await other.client.create(urn, inputs, { preview: true });
      await expect(other.client.create(urn, inputs)).rejects.toThrow("[PODLUMI-CONFIGURATION]");
      const again = other.client.configure({ apiKey: secret("rpa_other") }, "other");
      await expect(again).rejects.toThrow(/serves another Provider.* \[PODLUMI-CONFIGURATION\]/);
      await expect(other.client.create(urn, inputs)).rejects.toThrow("no API key");
    } finally {
      await other.end();
    }
  });

  test("marks nothing for an engine that does not tell the provider: the mark would be that of each such stack", async () => {
    const other = await PluginProcess.start({ ...emulator.env });
    try {
      await other.client.configure({});
      const urn = urnOf("Pod", "unmarked");
      const { inputs, failures } = await other.client.check(urn, undefined, {
        ...samples.Pod.args,
        name: "unmarked",
      });
      expect(failures).toEqual([]);
      const { id } = await other.client.create(urn, inputs);
      expect(emulator.service.pods.get(id).env).not.toHaveProperty("PODLUMI_MARK");
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

  test("keeps the object of a create that failed later, and an update continues with it", async () => {
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
