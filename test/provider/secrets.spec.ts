import { unwrapped, secret as wrapped } from "../../provider/core/state/secret-value";
import { debug, hideAt } from "../../provider/engine/log";
import { masked } from "../../provider/mask";
import { definitions } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { begin, declared, emulator, heard, type Kind, provider, served, urnOf } from "./process";

const pem = "-----BEGIN KEY-----\r\nMIIEvAIBADANBg\r\nab=\r\n";

test.each([
  ["as a whole", JSON.stringify({ key: pem }), '{"key":"[secret]"}'],
  ["each line of it", "KEY MIIEvAIBADANBg\n-----BEGIN KEY-----", "KEY [secret]\n[secret]"],
  ["but no line that is too short to be one", "ab=", "ab="],
  ["without the space around a line", '"user":\n"name-1234"', '"user":\n[secret]'],
  ["in a header", "Basic cMOkc3Pwn5iAIndvcnQ=", "Basic [secret]"],
  ["as JSON of Python", '{"key": "p\\u00e4ss\\ud83d\\ude00\\"wort"}', '{"key": "[secret]"}'],
])("a secret of several lines is hidden, %s", (_what, message, hidden) => {
  expect(masked(message, [pem, '{\n  "name-1234"\n}', 'päss😀"wort'])).toBe(hidden);
});

test("a secret is hidden as JSON of Go, which escapes what HTML gives a meaning", () => {
  const body = '{"password":"a\\u0026b\\u003cc\\u003e"}';
  expect(masked(`the upstream refused ${body}`, ["a&b<c>"])).toBe(
    'the upstream refused {"password":"[secret]"}',
  );
});

test("a secret with a space is hidden in a form, which has a plus for it", () => {
  expect(masked("key=my+secret%2F1", ["my secret/1"])).toBe("key=[secret]");
});

test("a secret with half of a surrogate pair is hidden, too", () => {
  expect(masked('half-\ud83d and "half-\\ud83d"', ["half-\ud83d"])).toBe('[secret] and "[secret]"');
});

const secret = "SEKRET-1234";

/** The failures, warnings and notes of a check that is told which inputs are secret. */
async function checked(kind: Kind, changes: Properties) {
  const { result, said } = await heard(() => provider()[kind].check({}, declared(kind, changes)));
  return { failures: result.failures, said };
}

test.each<[string, Kind, Properties, string]>([
  ["a shape", "pod", { cloud: secret, __secrets: ["cloud"] }, "cloud"],
  ["a part", "pod", { ports: [`80/${secret}`], __secrets: ["ports"] }, "ports[0]"],
  ["a rule", "pod", { gpu: secret, __secrets: ["gpu"] }, "gpu"],
  ["a number", "networkVolume", { size: 4711.5, __secrets: ["size"] }, "size"],
  ["an id", "pod", { image: undefined, templateId: secret, __secrets: ["templateId"] }, "templateId"],
  ["a name to adopt", "networkVolume", { adopt: { name: secret }, __secrets: ["adopt"] }, "adopt"],
])("a failure of %s that is secret does not show it", async (_of, kind, changes, property) => {
  const { failures } = await checked(kind, changes);
  expect(failures).toEqual([expect.objectContaining({ property })]);
  expect(JSON.stringify(failures)).not.toMatch(/SEKRET-1234|4711/);
});

test("a warning and a note do not show a secret input, nor do errors", async () => {
  emulator.service.volumes.create({ name: secret, size: 10, dataCenter: "EU-RO-1" });
  const volume = { name: secret, __secrets: ["name"] };
  expect((await checked("networkVolume", volume)).said).toMatch(
    /the name is that of the network volume "\[secret\]" \(\w+\)/,
  );
  expect((await checked("networkVolume", { ...volume, adopt: { name: secret } })).said).toMatch(
    /adopts the network volume "\[secret\]" \(\w+\) and changes size/,
  );
  const { said } = await checked("pod", { gpu: { id: secret }, __secrets: ["gpu"] });
  expect(said).toMatch(/gpu\.id: the catalog has no "\[secret\]"/);
  emulator.faults.add({
    match: { method: "POST", path: "/network-volumes" },
    when: "before",
    what: { status: 400 },
  });
  await expect(begin("networkVolume", volume)).rejects.toThrow(
    'could not create network volume "[secret]": POST /network-volumes',
  );
});

test("no error shows what an object has in place of a secret input", async () => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 30, dataCenter: "US-KS-2" });
  const { failures } = await checked("networkVolume", { adopt: id, __secrets: ["dataCenter"] });
  expect(failures).toEqual([
    {
      property: "adopt",
      reason: expect.stringMatching(/: size is 30 there, dataCenter is different there\. Write/),
    },
  ]);
  const { networkVolume } = provider();
  const { id: own, outs = {} } = await begin(networkVolume, "networkVolume");
  const news = declared("networkVolume", { name: outs.name, size: 15, __secrets: ["size"] });
  const { networkVolume: next } = provider();
  const { inputs } = await next.check(outs, news);
  await expect(next.diff(own, outs, inputs)).rejects.toThrow(
    /: size: the program changes it, and the data on it would be lost\. To allow that, run/,
  );
});

test("a refresh and a destroy hide what is secret by the state: no check tells them", async () => {
  const { id, outs = {} } = await begin("networkVolume", {
    name: secret,
    __secrets: ["name"],
  });
  // The process that made it has noted it. Another one knows what is secret of other resources.
  const elsewhere = (name: string) => {
    hideAt(name, ["another secret"]);
    return { ...outs, __urn: name };
  };
  emulator.faults.add({ match: { path: "/network-volumes" }, when: "before", what: { status: 403 } });
  emulator.faults.add({ match: { method: "DELETE" }, when: "before", what: { status: 403 } });
  const { networkVolume } = provider();
  await expect(networkVolume.read(id, elsewhere("urn:refreshed"))).rejects.toThrow(
    `could not read network volume "[secret]" (${id})`,
  );
  await expect(provider().networkVolume.delete(id, elsewhere("urn:destroyed"))).rejects.toThrow(
    `could not delete network volume "[secret]" (${id})`,
  );
});

test.each([
  ["another secret", { name: "next", __secrets: ["name"] }],
  ["no secret any more", { name: "public" }],
])(
  "what was secret before, and is %s, is hidden in the error of a replacement's deletion",
  async (_by, changes) => {
    const given = { name: secret, __secrets: ["name"] };
    const { id, outs = {} } = await begin("networkVolume", given);
    const urn = `urn:${changes.name}`;
    hideAt(urn, ["another secret"]);
    const own = { ...outs, __urn: urn };
    const news = declared("networkVolume", { dataCenter: "US-KS-2", ...changes, __urn: urn });
    const { networkVolume } = provider();
    const { inputs } = await networkVolume.check(own, news);
    await networkVolume.diff(id, own, inputs).catch(() => undefined);
    await networkVolume.check({}, news);
    emulator.faults.add({ match: { method: "DELETE" }, when: "before", what: { status: 403 } });
    await expect(networkVolume.delete(id, own)).rejects.toThrow(`could not delete network volume "[secret]"`);
  },
);

test("details for finding a fault hide it, too: the path of a request can have it", async () => {
  hideAt("urn:a", [secret]);
  process.env.PODLUMI_DEBUG = "1";
  const { said } = await heard(async () => debug(`GET /pods/${secret}: 404`, "urn:a"));
  delete process.env.PODLUMI_DEBUG;
  expect(said).toBe("podlumi: GET /pods/[secret]: 404\n");
});

test("a file for details that cannot be written is told once", async () => {
  process.env.PODLUMI_DEBUG = "no-folder/requests.log";
  const { said } = await heard(async () => {
    debug("GET /pods: 200");
    debug("GET /pods: 200");
  });
  delete process.env.PODLUMI_DEBUG;
  expect(said).toBe('PODLUMI_DEBUG: podlumi cannot write to the file "no-folder/requests.log" (ENOENT)\n');
});

test("a note of what a killed run has left hides what the program keeps secret, too", async () => {
  const given = { name: secret, __secrets: ["name"] };
  await begin("pod", given);
  const { said } = await heard(() => begin("pod", given));
  expect(said).toContain('takes over the pod "[secret]"');
  expect(said).not.toContain(secret);
});

test("a variable with the id of a secret of the program is warned of, since the container gets the id", async () => {
  const { secret: of, pod } = provider();
  const { id } = await begin(of, "secret", { __urn: urnOf("Secret") });
  const look = (env: object) => heard(() => pod.check({}, declared("pod", { env })));
  expect((await look({ A: "1", TOKEN: id })).said).toBe(
    "env.TOKEN is the id of a Secret, and the container gets that id: write the reference of the Secret [PODLUMI-ODD]\n",
  );
  expect((await look({ A: "1", TOKEN: "{{ RUNPOD_SECRET_token }}" })).said).toBe("");
});

test("a new or changed key, password or variable of one line is warned of if it ends with a line break, and not shown", async () => {
  let count = 0;
  const told = async (
    kind: "secret" | "registryAuth" | "pod",
    before: Properties | undefined,
    now: Properties,
  ) => {
    const { [kind]: of } = provider();
    const program = declared(kind, { __urn: urnOf("Pod", `each-${count++}`), ...now });
    return (await heard(() => of.check(before ?? {}, program))).said;
  };
  const ends = (path: string) => new RegExp(`^${path} ends with a line break, as a file does: .*ODD\\]\\n$`);
  const before = declared("secret", { value: "hf_123\n" });
  expect(await told("secret", undefined, { value: "hf_123\n" })).toMatch(ends("value"));
  expect(await told("secret", before, { value: "hf_456\r\n" })).toMatch(ends("value"));
  expect(await told("secret", before, { value: "hf_456\r\n" })).not.toContain("hf_456");
  expect(await told("registryAuth", undefined, { password: "p\n" })).toMatch(ends("password"));
  expect(await told("pod", undefined, { env: { A: "a", B: "b\n" } })).toMatch(ends("env\\.B"));
  expect(await told("secret", before, { value: "hf_123\n" })).toBe("");
  expect(await told("secret", undefined, { value: "-----BEGIN KEY-----\nabc\n" })).toBe("");
});

/** The same resource for the plugin, which is told neither whose it is nor what serves it. */
function forPlugin(kind: Kind, changes: Properties) {
  const { __urn, __provider, __providerId, ...inputs } = declared(kind, changes);
  const urn = String(__urn).replace("pulumi-nodejs:dynamic/podlumi:", "podlumi:index:");
  return { urn, inputs, plugin: served(kind) };
}

test("a list with a secret stays secret with the plugin after others have shortened it or put something before", async () => {
  const { urn, inputs, plugin } = forPlugin("pod", {
    name: "listed",
    ports: ["80/http", wrapped("8443/tcp")],
  });
  const { id, properties } = await plugin.create({ urn, properties: inputs });
  for (const ports of [["8443/tcp"], ["22/tcp", "8443/tcp"]]) {
    emulator.service.pods.update(id, { ports });
    const found = await served("pod").read({ urn, id, properties, inputs });
    expect([found?.properties.ports, found?.inputs.ports]).toEqual([wrapped(ports), wrapped(ports)]);
  }
});

test("an output that podlumi makes of a secret input is secret, in a preview, too", async () => {
  const { urn, inputs, plugin } = forPlugin("secret", { name: wrapped("NAME_OF_SECRET") });
  await plugin.check({ urn, news: inputs });
  for (const preview of [true, false]) {
    const { properties } = await plugin.create({ urn, properties: inputs, preview });
    expect(properties.reference).toEqual(wrapped("{{ RUNPOD_SECRET_NAME_OF_SECRET }}"));
  }
  const named = { name: "NAME_OF_SECRET_2", __secrets: ["name"] };
  const { outs } = await begin("secret", named);
  expect(outs?.reference).toEqual(wrapped("{{ RUNPOD_SECRET_NAME_OF_SECRET_2 }}"));
});

test("podlumi tells of each output that it makes of inputs what it repeats", () => {
  const untold = Object.values(definitions).flatMap(({ outputs: { shape, repeats = {} } }) => {
    const { derived = [], digests = [] } = shape;
    return derived.filter((name) => !(name in repeats) && !digests.includes(name));
  });
  expect(untold).toEqual([]);
});

test("the command of a container is secret in each form where it is in one", async () => {
  const { outs } = await begin("pod", { cmd: ["serve", secret], __secrets: ["cmd"] });
  const args = JSON.stringify({ entrypoint: [], cmd: ["serve", secret] });
  expect([outs?.args, outs?.entrypoint]).toEqual([wrapped(args), []]);
});

test.each([
  ["args", `serve ${secret}`],
  ["cmd", ["serve", secret]],
  ["entrypoint", ["serve", secret]],
])("a secret in %s of a template is one in each form that a pod created from it has", async (name, value) => {
  const { template, pod } = provider();
  const { id: templateId, outs = {} } = await begin(template, "template", {
    [name]: value,
    __urn: urnOf("Template"),
    __secrets: [name],
  });
  // The engine tells podlumi of what it has in its state.
  await template.diff(templateId, outs, declared("template", { name: outs.name, __urn: urnOf("Template") }));
  const { outs: made } = await begin(pod, "pod", { templateId, image: undefined, __secrets: [] });
  expect(JSON.stringify([made?.args, made?.entrypoint, made?.cmd])).toContain(secret);
  for (const one of ["args", "entrypoint", "cmd"])
    expect(JSON.stringify(made?.[one])).not.toMatch(/^[^{].*SEKRET/);
});

test("what an update that did half of its work has left as it was stays a secret, though the program has it no longer", async () => {
  const { volumes, globalVolumes } = emulator.service;
  const volume = volumes.create({ name: "v", size: 10, dataCenter: "EU-RO-1" });
  const mounted = { args: `serve ${secret}`, networkVolumes: [volume.id], __secrets: ["args"] };
  const { id, outs = {} } = await begin("serverlessEndpoint", mounted);
  const { serverlessEndpoint } = provider();
  const news = { name: outs.name, cmd: ["plain"], globalVolumes: [globalVolumes.create({ name: "g" }).id] };
  const { inputs } = await serverlessEndpoint.check(
    outs,
    declared("serverlessEndpoint", { ...news, __secrets: [] }),
  );
  const detached = { match: { method: "PATCH" }, when: "before", what: { status: 422 }, skip: 1 } as const;
  emulator.faults.add(detached);
  const failure = await serverlessEndpoint.update(id, unwrapped(outs), inputs).catch((error) => error);
  expect(failure.properties).toMatchObject({
    args: wrapped(`serve ${secret}`),
    cmd: wrapped(["serve", secret]),
    networkVolumes: [],
    __secrets: ["args"],
  });
});

test("a secret stays one where only a later version of the service returns its other form, which a refresh then finds", async () => {
  emulator.faults.add({
    match: { method: "POST", path: "/templates" },
    when: "after",
    what: { blank: ["entrypoint", "cmd"] },
  });
  const { template } = provider();
  const { id, outs = {} } = await begin(template, "template", {
    args: `serve ${secret}`,
    __secrets: ["args"],
  });
  expect(outs.cmd).toBeNull();
  const { props } = await template.read(id, outs);
  expect([props?.cmd, props?.entrypoint]).toEqual([wrapped(["serve", secret]), []]);
});

test.each<[string, Kind, Properties]>([
  ["the data center of a pod", "pod", { dataCenterIds: ["EU-RO-1"] }],
  ["that of a cluster", "cluster", { dataCenterIds: ["US-KS-2"] }],
])("an output that repeats a part of a secret input is secret: %s", async (_what, kind, given) => {
  const { outs } = await begin(kind, { ...given, __secrets: Object.keys(given) });
  expect(outs?.dataCenterId).toEqual(wrapped(given.dataCenterIds?.[0 as never]));
});
