import * as pulumi from "@pulumi/pulumi";
import { resourceOf } from "../../provider/core/call";
import { Run } from "../../provider/core/call/run";
import { nameToValidate, provisionalName } from "../../provider/core/names/naming";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { checker } from "../../provider/schema/check";
import type { Properties } from "../../provider/value";
import { check, compute, kinds, valid } from "./checked";

test.each(Object.keys(kinds) as (keyof typeof kinds)[])("the least that a %s needs passes", (kind) => {
  expect(check(kind)).toEqual([]);
});

test.each<[string, keyof typeof kinds, Properties, string, RegExp]>([
  ["a missing size", "networkVolume", { size: undefined }, "size", /is required/],
  ["a volume that is too small", "networkVolume", { size: 9 }, "size", /at least 10 GB, not 9$/],
  ["a volume that is too large", "networkVolume", { size: 4097 }, "size", /at most 4096 GB, not 4097$/],
  ["a fraction of a gigabyte", "networkVolume", { size: 20.5 }, "size", /whole number of GB, not 20.5$/],
  [
    "a size that is a text",
    "networkVolume",
    { size: "20" },
    "size",
    /must be a number of GB, not "20": write it without quotes, or read it from the configuration with requireNumber \(Python: require_int; YAML: type: integer\)$/,
  ],
  [
    "a size with its unit",
    "networkVolume",
    { size: "50 GB" },
    "size",
    /^must be a number of GB, not "50 GB": write 50$/,
  ],
  ["a size in another unit", "networkVolume", { size: "1TB" }, "size", /^must be a number of GB, not "1TB"$/],
  [
    "a time in minutes for seconds",
    "pod",
    { waitTimeout: "5m" },
    "waitTimeout",
    /^must be a number of seconds, not "5m": write 300$/,
  ],
  ["a wait that is over", "pod", { waitTimeout: -5 }, "waitTimeout", /^must be at least 1 second, not -5$/],
  [
    "a wait in milliseconds",
    "pod",
    { waitTimeout: 300_000 },
    "waitTimeout",
    /^must be at most 86400 seconds, not 300000$/,
  ],
  [
    "a text for a list whose items have a form",
    "pod",
    { ports: "8888, 22/tcp" },
    "ports",
    /^must be a list, not "8888, 22\/tcp": write \[…\], where each item must be port\/protocol with protocol http or tcp, such as "8888\/http"$/,
  ],
  [
    "a text for a list",
    "pod",
    { ports: "8888/http" },
    "ports",
    /^must be a list, not "8888\/http": write \["8888\/http"\]$/,
  ],
  [
    "a text for a command",
    "pod",
    { cmd: "python -m train --steps=100" },
    "cmd",
    /: write \["python","-m","train","--steps=100"\]$/,
  ],
  [
    "a text for a command of a shell",
    "pod",
    { entrypoint: "make 'all' && sleep 5" },
    "entrypoint",
    /: write \["sh","-c","make 'all' && sleep 5"\]$/,
  ],
  [
    "a text for a boolean",
    "pod",
    { startSsh: "true" },
    "startSsh",
    /^must be true or false, not "true": write it without quotes, or read it from the configuration with requireBoolean \(Python: require_bool; YAML: type: boolean\)$/,
  ],
  [
    "another text for a boolean",
    "pod",
    { startSsh: "yes" },
    "startSsh",
    /^must be true or false, not "yes"$/,
  ],
  [
    "a text for a list that no message repeats",
    "sshKeys",
    { keys: "ssh-ed25519 AAAA" },
    "keys",
    /^must be a list: write \[…\]$/,
  ],
  [
    "an option of Pulumi",
    "pod",
    { dependsOn: [] },
    "dependsOn",
    /^unknown property "dependsOn"; options of Pulumi stand after the arguments/,
  ],
  [
    "all options of Pulumi",
    "pod",
    { opts: { protect: true } },
    "opts",
    /^unknown property "opts"; options of Pulumi stand after the arguments/,
  ],
  [
    "a number for a port",
    "pod",
    { ports: [8888] },
    "ports[0]",
    /^must be a string, not 8888: it must be port\/protocol .* such as "8888\/http"$/,
  ],
  [
    "a number for a time",
    "pod",
    { expiresAfter: 8 },
    "expiresAfter",
    /^must be a string, not 8: it must be a time such as "90m", "8h" or "7d"$/,
  ],
  [
    "a number for a text of digits",
    "pod",
    { gpu: { id: "NVIDIA L4", minCudaVersion: 12.8 } },
    "gpu.minCudaVersion",
    /^must be a string, not 12\.8: write it in quotes, "12\.8"$/,
  ],
  [
    "a list for an object",
    "pod",
    { mounts: [] },
    "mounts",
    /^must be an object, not a list; it takes network, persistent$/,
  ],
  [
    "a number for an object",
    "serverlessEndpoint",
    { workers: 3 },
    "workers",
    /^must be an object, not 3; it takes idleTimeout, max, min$/,
  ],
  ["an object for a list", "serverlessEndpoint", { cpu: {} }, "cpu", /^must be a list: write \[\{ … \}\]$/],
  [
    "a number that is none",
    "networkVolume",
    { size: Number.NaN },
    "size",
    /^must be a number of GB, not NaN$/,
  ],
  ["nothing for a text", "pod", { ports: [null] }, "ports[0]", /^must be a string, not null$/],
  ["nothing for a variable", "pod", { env: { A: null } }, "env.A", /^must be a string, not null$/],
  ["a variable without a name", "pod", { env: { "": "x" } }, 'env[""]', /^needs a name$/],
  ["the beginning of a property", "registryAuth", { user: "me" }, "user", /did you mean "username"\?/],
  ["a data center in lower case", "networkVolume", { dataCenter: "eu-ro-1" }, "dataCenter", /upper case/],
  [
    "an unknown tier",
    "networkVolume",
    { type: "FAST" },
    "type",
    /"STANDARD" or "HIGH_PERFORMANCE", not "FAST"/,
  ],
  ["a misspelt property", "networkVolume", { datacenter: "X" }, "datacenter", /did you mean "dataCenter"\?/],
  [
    "an unheard-of property",
    "networkVolume",
    { colour: "red" },
    "colour",
    /it takes costCenter, dataCenter, deleteTimeout, name, size, tags, type/,
  ],
  [
    "an unheard-of property of many",
    "pod",
    { wallpaper: "red" },
    "wallpaper",
    /^unknown property "wallpaper"; the documentation lists the \d+ that there are$/,
  ],
  [
    "a property within another one",
    "serverlessEndpoint",
    { pools: ["ADA_24"] },
    "pools",
    /^unknown property "pools"; did you mean "gpu\.pools"\?$/,
  ],
  [
    "the beginning of one within another one",
    "cluster",
    { gpu: { id: "NVIDIA H200" } },
    "gpu",
    /^unknown property "gpu"; did you mean "compute\.gpuTypeId"\?$/,
  ],
  [
    "a list of words as one text",
    "pod",
    { args: ["--verbose"] },
    "args",
    /^must be a string: write a list as entrypoint or cmd$/,
  ],
  [
    "variables as a list",
    "pod",
    { env: ["LEVEL=info"] },
    "env",
    /^must be a map of names to values: write \{ NAME: "value" \}$/,
  ],
  ["ports as a map", "pod", { ports: { "8080": "http" } }, "ports", /^must be a list: write \[…\]$/],
  [
    "a misspelt name of REST v1",
    "pod",
    { contianerDiskInGb: 20 },
    "contianerDiskInGb",
    /; did you mean "disk", in REST v1 "containerDiskInGb"\? `npx podlumi convert-v1`/,
  ],
  [
    "a name of REST v1",
    "pod",
    { dockerArgs: "run" },
    "dockerArgs",
    /unknown property "dockerArgs"; REST v2 has it as "args", and `npx podlumi convert-v1` converts/,
  ],
  [
    "a name of REST v1 that REST v2 does not have",
    "pod",
    { bidPerGpu: 0.2 },
    "bidPerGpu",
    /^unknown property "bidPerGpu"; REST v2 has no spot pods: /,
  ],
  ["a list of GPU types", "pod", { gpuTypeIds: ["NVIDIA L4"] }, "gpuTypeIds", /as "placements"/],
  [
    "that of an endpoint",
    "serverlessEndpoint",
    { gpuTypeIds: ["NVIDIA L4"] },
    "gpuTypeIds",
    /as "gpu.pools"/,
  ],
  [
    "a name that means two things",
    "serverlessEndpoint",
    { networkVolumeId: "v" },
    "networkVolumeId",
    /as "networkVolumes"/,
  ],
  ["an empty name", "networkVolume", { name: "" }, "name", /must not be empty/],
  [
    "the variable of podlumi's mark",
    "template",
    { env: { PODLUMI_MARK: "mine" } },
    "env.PODLUMI_MARK",
    /^is podlumi's own/,
  ],
  [
    "storage in a serverless template",
    "template",
    { serverless: true, mounts: { persistent: { size: 10, path: "/a" } } },
    "mounts.persistent",
    /no storage of its own/,
  ],
  [
    "a network volume in a template",
    "template",
    { mounts: { network: [] } },
    "mounts.network",
    /unknown property/,
  ],
  [
    "one command in two forms",
    "template",
    { args: "serve", cmd: ["serve"] },
    "args",
    /as entrypoint and cmd/,
  ],
  ["settings beside the template of a cluster", "cluster", { templateId: "t" }, "image", /remove templateId/],
  [
    "a time limit beside it",
    "cluster",
    { image: undefined, templateId: "t", expiresAfter: "8h" },
    "expiresAfter",
    /remove it, or remove templateId/,
  ],
  ["a secret's name with a space", "secret", { name: "my token" }, "name", /letters, digits/],
  ["a secret's name of the platform", "secret", { name: "RunPod_x" }, "name", /must not begin with RUNPOD/],
  ["a secret's name that is too long", "secret", { name: "a".repeat(192) }, "name", /longer than 191/],
  ["an empty secret", "secret", { value: "" }, "value", /must not be empty/],
  [
    "a cluster without its shape",
    "cluster",
    { compute: undefined },
    "compute",
    /is required: \{ gpuTypeId, .* \}/,
  ],
  ["a cluster of one", "cluster", { compute: { ...compute, podCount: 1 } }, "compute.podCount", /at least 2/],
  ["an unknown type of cluster", "cluster", { type: "K8S" }, "type", /"TRAINING", "SLURM" or "RAY"/],
  ["a credential for a cluster", "cluster", { registry: "r" }, "registry", /unknown property/],
  [
    "both kinds of storage in a cluster",
    "cluster",
    { mounts: { persistent: { size: 10, path: "/a" }, network: [{ volumeId: "v", path: "/b" }] } },
    "mounts",
    /not both/,
  ],
  ["an image's name for an ARN", "registryDelegation", { resource: "acme/worker:v1" }, "resource", /ARN of/],
  [
    "a region that is none",
    "registryDelegation",
    { resource: "arn:aws:ecr:us-EAST-2:123456789012:repository/app:v1" },
    "resource",
    /ARN of/,
  ],
  [
    "an account of AWS that is none",
    "registryDelegation",
    { resource: "12345.dkr.ecr.us-east-2.amazonaws.com/app:v1" },
    "resource",
    /ARN of/,
  ],
  ["a key without a body", "sshKeys", { keys: ["ssh-ed25519"] }, "keys[0]", /one line with a public key/],
  [
    "the same key twice",
    "sshKeys",
    { keys: ["ssh-rsa AAAA a", "ssh-rsa BBBB", "ssh-rsa AAAA"] },
    "keys[2]",
    /in the list already/,
  ],
  ["an empty password", "registryAuth", { password: "" }, "password", /must not be empty/],
])("%s is reported at its path", (_title, kind, changes, property, reason) => {
  expect(check(kind, changes)).toMatchObject([{ property, reason: expect.stringMatching(reason) }]);
});

test.each<[string, keyof typeof kinds, Properties, string]>([
  ["a template literal", "pod", { env: { URL: `http://${pulumi.output("a")}` } }, "env.URL"],
  ["JSON", "pod", { cmd: ["--spec", JSON.stringify({ a: pulumi.output(1) })] }, "cmd[1]"],
  ["an image", "template", { image: `ghcr.io/acme/worker:${pulumi.output("v1")}` }, "image"],
  [
    "a text of Python",
    "pod",
    { env: { URL: "Calling __str__ on an Output[T] is not supported.\n" } },
    "env.URL",
  ],
])(
  "an output in %s, which does not have its value, is reported at its path",
  (_title, kind, changes, property) => {
    const reason = expect.stringMatching(/^an output has no value in a text: use pulumi\.interpolate, /);
    expect(check(kind, changes)).toEqual([expect.objectContaining({ property, reason })]);
  },
);

test("a text with an output that the object has already does not hold up other changes", () => {
  const had = { image: "org/app:1", env: { URL: `${pulumi.output("a")}` } };
  const has = checker(pod.fields, pod.rules);
  expect(has({ ...had, disk: 30 }, had)).toEqual([]);
});

test.each([
  "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker",
  "arn:aws-us-gov:ecr:us-gov-west-1:123456789012:repository/acme/worker:v1",
  "123456789012.dkr.ecr.us-east-2.amazonaws.com/acme/worker:v1",
  "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/acme/worker:v1",
])("an image in ECR can be named as %s", (resource) => {
  expect(check("registryDelegation", { resource })).toEqual([]);
});

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test.each<[keyof typeof kinds, Properties]>([
  ["networkVolume", { size: unknown, dataCenter: unknown, name: unknown, type: unknown }],
  [
    "pod",
    { gpu: unknown, image: unknown, ports: [unknown], env: { A: unknown }, mounts: { network: unknown } },
  ],
  ["pod", { gpu: { id: unknown, count: unknown }, mounts: { network: [{ volumeId: unknown, path: "/a" }] } }],
  ["pod", { gpu: undefined, cpu: unknown, mounts: unknown, env: unknown, templateId: unknown }],
  ["pod", { gpu: unknown, cpu: { id: "cpu3c", vcpuCount: 2 } }],
  ["pod", { mounts: { persistent: unknown, network: [{ volumeId: "v", path: "/a" }] } }],
  ["pod", { mounts: { persistent: { size: 10, path: "/a" }, network: unknown } }],
  ["pod", { gpu: undefined, placements: [unknown, { gpu: { id: "NVIDIA L4" }, cpu: unknown }] }],
  [
    "pod",
    {
      gpu: undefined,
      placements: [{ cpu: unknown, gpu: unknown }],
      mounts: { persistent: { size: 10, path: "/a" } },
    },
  ],
  ["pod", { gpu: { id: "NVIDIA L4", allowedCudaVersions: unknown, minCudaVersion: "12.4" } }],
  ["template", { serverless: true, mounts: { persistent: unknown } }],
  ["serverlessEndpoint", { type: unknown }],
  ["serverlessEndpoint", { type: "LOAD_BALANCER", scaling: { type: unknown, requestCount: 4 } }],
  ["serverlessEndpoint", { workers: { min: 4, max: unknown } }],
  ["serverlessEndpoint", { waitFor: "READY", workers: { min: unknown } }],
  ["serverlessEndpoint", { scaling: { type: unknown, queueDelay: 4 }, workers: { min: unknown } }],
  ["secret", { name: unknown, value: unknown }],
  ["cluster", { type: unknown, compute: { ...compute, podCount: unknown }, mounts: unknown, env: unknown }],
  ["sshKeys", { keys: ["ssh-ed25519 AAAA", unknown] }],
])("a %s with values that a preview cannot know passes", (kind, changes) => {
  expect(check(kind, changes)).toEqual([]);
});

const onVolume = { network: [{ volumeId: unknown, path: "/a" }] };

test.each<[string, keyof typeof kinds, Properties, string, RegExp]>([
  ["a volume", "pod", { cloud: "COMMUNITY", mounts: onVolume }, "mounts.network", /in the Secure cloud only/],
  [
    "a volume",
    "pod",
    { mounts: { persistent: { size: 10, path: "/w" }, ...onVolume } },
    "mounts",
    /not both/,
  ],
  [
    "a volume",
    "cluster",
    { templateId: "t", image: undefined, mounts: onVolume },
    "mounts",
    /from a template/,
  ],
  [
    "a path",
    "pod",
    {
      gpu: undefined,
      cpu: { id: "cpu3c", vcpuCount: 2 },
      mounts: { persistent: { size: 10, path: unknown } },
    },
    "mounts.persistent",
    /a CPU pod has no host-local storage/,
  ],
  ["a word", "pod", { args: "serve", cmd: [unknown] }, "args", /says the same as entrypoint and cmd/],
  ["a GPU", "pod", { placements: [{ gpu: { id: unknown } }] }, "gpu", /stands in placements instead/],
  [
    "a path",
    "template",
    { serverless: true, mounts: { persistent: { size: 10, path: unknown } } },
    "mounts.persistent",
    /a serverless template has no storage/,
  ],
  [
    "volumes",
    "serverlessEndpoint",
    { networkVolumes: [unknown], globalVolumes: [unknown] },
    "globalVolumes",
    /not both/,
  ],
  [
    "a volume",
    "serverlessEndpoint",
    { gpu: undefined, cpu: [{ id: "cpu3c", vcpuCount: 2 }], globalVolumes: [unknown] },
    "globalVolumes",
    /for GPU endpoints only/,
  ],
  [
    "an input",
    "serverlessEndpoint",
    {
      type: "LOAD_BALANCER",
      scaling: { type: "REQUEST_COUNT", requestCount: 4 },
      verify: { input: { a: unknown } },
    },
    "verify",
    /no queue that could take a job/,
  ],
  [
    "a delay",
    "serverlessEndpoint",
    { type: "LOAD_BALANCER", scaling: { type: "QUEUE_DELAY", queueDelay: unknown } },
    "scaling.type",
    /scale on "REQUEST_COUNT"/,
  ],
])(
  "what excludes each other is told while %s of a %s is unknown: %j",
  (_part, kind, changes, property, reason) => {
    expect(check(kind, changes)).toMatchObject([{ property, reason: expect.stringMatching(reason) }]);
  },
);

test.each([
  ["QUEUE", /set it to 1 or more, or use verify, whose job starts a worker$/],
  ["LOAD_BALANCER", /set it to 1 or more$/],
])("an endpoint of type %s that waits without a worker is told what helps it", (type, reason) => {
  const scaling = { type: "REQUEST_COUNT", requestCount: 4 };
  expect(check("serverlessEndpoint", { type, scaling, waitFor: "READY" })).toMatchObject([
    { property: "waitFor", reason: expect.stringMatching(reason) },
  ]);
});

test("every mistake is told, those between fields as well", () => {
  const found = check("pod", {
    gpu: { id: "NVIDIA L4" },
    cpu: { id: "cpu3c", vcpuCount: 2 },
    disk: 0,
    waitTimeout: 0,
  });
  expect(found.map(({ property }) => property)).toEqual(["disk", "waitTimeout", "cpu"]);
});

describe("what is as it was in the state is no mistake of the program", () => {
  test("as what nobody can tell, which is not asked for again; what the program takes out is", () => {
    const { fields } = registryAuth;
    const missing = (before?: Properties) =>
      checker(fields)({ name: "ghcr" }, before).map(({ reason }) => reason);
    expect(missing()).toEqual(["is required", "is required"]);
    expect(missing({ name: "ghcr" })).toEqual([]);
    expect(missing({ name: "ghcr", username: "bot" })).toEqual(["is required"]);
  });

  test("as what somebody else has set, which a program that ignores it gets after a refresh", () => {
    const { fields, rules } = pod;
    const before = { ...valid.pod, desiredStatus: "ERROR", ports: ["53/udp"] };
    const told = (changes: Properties) =>
      checker(fields, rules)({ ...before, ...changes }, before).map(({ property }) => property);
    expect(told({})).toEqual([]);
    expect(told({ args: "--more" })).toEqual([]);
    expect(told({ ports: ["53/udp", "80/http"], disk: 0 })).toEqual(["disk", "ports[0]"]);
  });

  test("as what does not fit to it, unless the program changes a part of that", () => {
    const { fields, rules } = serverlessEndpoint;
    const before = { ...valid.serverlessEndpoint, workers: { min: 5 }, networkVolumes: ["a"] };
    const told = (changes: Properties) =>
      checker(fields, rules)({ ...before, ...changes }, before).map(({ property }) => property);
    expect(told({ timeout: 1 })).toEqual([]);
    expect(told({ workers: { min: 6 } })).toEqual(["workers.min"]);
    expect(told({ globalVolumes: ["b"] })).toEqual(["globalVolumes"]);
  });
});

/** What a stack's first preview makes of a name that the program does not give. */
function firstPreview(naming: object) {
  const run = new Run({});
  run.configure((key) => (key === "pulumi:autonaming" ? JSON.stringify(naming) : undefined));
  const __urn = "urn:pulumi:dev::project::podlumi:index:Secret::token";
  return resourceOf(secret, run, { __urn, __providerId: unknown });
}

test("digits that a first preview does not know are no mistake of a name", () => {
  expect(nameToValidate(firstPreview({ mode: "default" }))).toMatch(/^token-[0-9a-f]{6}$/);
});

test.each([
  [{ mode: "verbatim" }, "token"],
  [{ mode: "default" }, unknown],
])("a first preview knows a name without digits: %j", (naming, name) => {
  expect(provisionalName(firstPreview(naming))).toBe(name);
});

test("no message repeats a sensitive value", () => {
  const all = [
    ...check("registryAuth", { username: 4711, password: 4711 }),
    ...check("secret", { value: 4711 }),
    ...check("pod", { env: { TOKEN: 4711 } }),
  ];
  expect(all).toHaveLength(4);
  expect(JSON.stringify(all)).not.toContain("4711");
});
