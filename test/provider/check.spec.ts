import { adoptField } from "../../provider/core/apply/adopt";
import type { Failure } from "../../provider/core/kind/check";
import { checker } from "../../provider/core/kind/check";
import type { Definition } from "../../provider/core/kind/definition";
import { nameToValidate } from "../../provider/core/names/naming";
import { Run } from "../../provider/core/run";
import type { Properties } from "../../provider/core/value";
import { cluster } from "../../provider/resources/cluster";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { registryDelegation } from "../../provider/resources/registry-delegation";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { template } from "../../provider/resources/template";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
const kinds = {
  cluster,
  networkVolume,
  pod,
  registryAuth,
  registryDelegation,
  secret,
  serverlessEndpoint,
  sshKeys,
  template,
};

/** The smallest valid arguments of each kind. */
const valid: Record<keyof typeof kinds, Properties> = {
  cluster: { name: "training", type: "TRAINING", compute, image: "org/train:1" },
  networkVolume: { name: "data", size: 20, dataCenter: "EU-RO-1" },
  pod: { name: "trainer", image: "runpod/base:1.0", gpu: { id: "NVIDIA L4" } },
  registryAuth: { name: "ghcr", username: "bot", password: "hunter22" },
  registryDelegation: {
    name: "ecr",
    resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1",
  },
  secret: { name: "token", value: "hunter22" },
  serverlessEndpoint: {
    name: "llm",
    type: "QUEUE",
    image: "org/worker:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  },
  sshKeys: { keys: ["ssh-ed25519 AAAA ada@example.com\n", "sk-ssh-ed25519@openssh.com AAAA"] },
  template: { name: "worker", image: "org/worker:1" },
};

function check(kind: keyof typeof kinds, changes: Properties = {}): Failure[] {
  const { fields, rules } = kinds[kind] as Definition<Record<string, unknown>>;
  const inputs = { ...valid[kind], ...changes };
  for (const [key, value] of Object.entries(inputs)) if (value === undefined) delete inputs[key];
  return checker(fields, rules)(inputs);
}

test.each(Object.keys(kinds) as (keyof typeof kinds)[])("the least that a %s needs passes", (kind) => {
  expect(check(kind)).toEqual([]);
});

test.each<[string, keyof typeof kinds, Properties, string, RegExp]>([
  [
    "a job for a load balancer",
    "serverlessEndpoint",
    {
      type: "LOAD_BALANCER",
      scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      verify: { input: { a: 1 } },
    },
    "verify",
    /has no queue that could take a job: .* set waitFor to "READY"/,
  ],
  [
    "a job without workers",
    "serverlessEndpoint",
    { workers: { max: 0 }, verify: { input: { a: 1 } } },
    "verify",
    /no worker that could do the job while workers.max is 0/,
  ],
  [
    "a job without input",
    "serverlessEndpoint",
    { verify: { input: {} } },
    "verify.input",
    /workers refuse an empty input/,
  ],
  [
    "a misspelt keyword",
    "serverlessEndpoint",
    { verify: { input: { a: 1 }, expect: { text: { $patern: "x" } } } },
    "verify.expect.text.$patern",
    /is no keyword; there are \$type, \$pattern/,
  ],
  [
    "a keyword with a wrong value",
    "serverlessEndpoint",
    { verify: { input: { a: 1 }, expect: { list: { $contains: { n: { $minimum: "1" } } } } } },
    "verify.expect.list.$contains.n.$minimum",
    /^must be a number$/,
  ],
  [
    "a pattern that is none",
    "serverlessEndpoint",
    { verify: { input: { a: 1 }, expect: { $pattern: "(" } } },
    "verify.expect.$pattern",
    /must be a regular expression/,
  ],
  [
    "waiting for a worker where there may be none",
    "serverlessEndpoint",
    { workers: { max: 2 }, waitFor: "READY" },
    "waitFor",
    /no worker to wait for while workers.min is 0.* or use verify/,
  ],
  [
    "a revision without its template",
    "serverlessEndpoint",
    { templateRevision: "abc" },
    "templateRevision",
    /give the templateId/,
  ],
  ["a missing size", "networkVolume", { size: undefined }, "size", /is required/],
  ["a volume that is too small", "networkVolume", { size: 9 }, "size", /at least 10, not 9/],
  ["a volume that is too large", "networkVolume", { size: 4097 }, "size", /at most 4096, not 4097/],
  ["a fraction of a gigabyte", "networkVolume", { size: 20.5 }, "size", /whole number, not 20.5/],
  ["a size that is a text", "networkVolume", { size: "20" }, "size", /must be a number, not "20"/],
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
    /it takes dataCenter, deleteTimeout, name, size, type/,
  ],
  [
    "an unheard-of property of many",
    "pod",
    { wallpaper: "red" },
    "wallpaper",
    /^unknown property "wallpaper"; the documentation lists the \d+ that there are$/,
  ],
  [
    "a misspelt name of REST v1",
    "pod",
    { contianerDiskInGb: 20 },
    "contianerDiskInGb",
    /; did you mean "containerDiskInGb"\? REST v2 has that as "disk", and/,
  ],
  [
    "a name of REST v1",
    "pod",
    { dockerArgs: "run" },
    "dockerArgs",
    /unknown property "dockerArgs"; REST v2 has it as "args", and `npx podlumi convert-v1` converts/,
  ],
  [
    "a name that means two things",
    "serverlessEndpoint",
    { networkVolumeId: "v" },
    "networkVolumeId",
    /as "networkVolumes"/,
  ],
  [
    "a GPU of a pod as a text",
    "pod",
    { gpu: "NVIDIA L4" },
    "gpu",
    /an object, not "NVIDIA L4": write \{ id: "NVIDIA L4" \}/,
  ],
  ["a pool as a text", "serverlessEndpoint", { gpu: "ADA_24" }, "gpu", /: write \{ pools: \["ADA_24"\] \}/],
  [
    "a CPU as a text",
    "pod",
    { gpu: undefined, cpu: "cpu3c" },
    "cpu",
    /write \{ id: "cpu3c", vcpuCount: 2 \}/,
  ],
  ["an empty name", "networkVolume", { name: "" }, "name", /must not be empty/],
  ["neither GPU nor CPU", "pod", { gpu: undefined }, "gpu", /is required, or cpu/],
  ["GPU and CPU", "pod", { cpu: { id: "cpu3c", vcpuCount: 2 } }, "cpu", /not both/],
  ["a pod without image", "pod", { image: undefined }, "image", /or a templateId/],
  [
    "a misspelt nested property",
    "pod",
    { gpu: { id: "NVIDIA L4", counts: 1 } },
    "gpu.counts",
    /mean "count"\?/,
  ],
  [
    "three vCPUs",
    "pod",
    { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 3 } },
    "cpu.vcpuCount",
    /power of two/,
  ],
  [
    "both CUDA constraints",
    "pod",
    { gpu: { id: "NVIDIA L4", allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" } },
    "gpu.minCudaVersion",
    /a list or a floor/,
  ],
  [
    "a CUDA version without minor",
    "pod",
    { gpu: { id: "L4", minCudaVersion: "12" } },
    "gpu.minCudaVersion",
    /12\.8/,
  ],
  [
    "both kinds of storage",
    "pod",
    { mounts: { persistent: { size: 10, path: "/a" }, network: [{ volumeId: "v", path: "/b" }] } },
    "mounts",
    /not both/,
  ],
  [
    "two network volumes",
    "pod",
    { mounts: { network: [1, 2].map((n) => ({ volumeId: `v${n}`, path: `/${n}` })) } },
    "mounts.network",
    /at most one item/,
  ],
  [
    "a relative mount path",
    "pod",
    { mounts: { persistent: { size: 10, path: "a" } } },
    "mounts.persistent.path",
    /absolute/,
  ],
  [
    "a mount without path",
    "pod",
    { mounts: { network: [{ volumeId: "v" }] } },
    "mounts.network[0].path",
    /is required/,
  ],
  [
    "host storage on a CPU pod",
    "pod",
    { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 2 }, mounts: { persistent: { size: 10, path: "/a" } } },
    "mounts.persistent",
    /use a network volume/,
  ],
  [
    "a network volume in the community cloud",
    "pod",
    { cloud: "COMMUNITY", mounts: { network: [{ volumeId: "v", path: "/a" }] } },
    "mounts.network",
    /Secure cloud only/,
  ],
  ["a port without protocol", "pod", { ports: ["8888"] }, "ports[0]", /8888\/http/],
  ["a port beyond the last", "pod", { ports: ["22/tcp", "70000/tcp"] }, "ports[1]", /1 to 65535/],
  [
    "a status that cannot be asked for",
    "pod",
    { desiredStatus: "PAUSED" },
    "desiredStatus",
    /"RUNNING" or "EXITED"/,
  ],
  ["waiting for no time", "pod", { waitTimeout: 0 }, "waitTimeout", /at least 1/],
  [
    "too many variables",
    "pod",
    { env: Object.fromEntries([...Array(51).keys()].map((n) => [`K${n}`, "v"])) },
    "env",
    /at most 49 variables, not 51: a pod has room for 50/,
  ],
  [
    "the variable of podlumi's mark",
    "template",
    { env: { PODLUMI_MARK: "mine" } },
    "env.PODLUMI_MARK",
    /^is podlumi's own/,
  ],
  [
    "a variable that the platform always sets",
    "pod",
    { env: { RUNPOD_INIT_TIMEOUT: "800", PUBLIC_KEY: "ssh-rsa A", PORT: "90", RUNPOD_POD_ID: "x" } },
    "env.RUNPOD_POD_ID",
    /^has the platform's value in every container: remove it$/,
  ],
  [
    "a variable that is a number",
    "pod",
    { env: { "MY.PORT": 8080 } },
    'env["MY.PORT"]',
    /^must be a string$/,
  ],
  [
    "global networking on AMD",
    "pod",
    { gpu: { id: "AMD Instinct MI300X OAM" }, globalNetworking: true },
    "globalNetworking",
    /NVIDIA/,
  ],
  ["an endpoint without type", "serverlessEndpoint", { type: undefined }, "type", /is required/],
  ["no pools", "serverlessEndpoint", { gpu: { pools: [] } }, "gpu.pools", /at least one item/],
  [
    "a load balancer that waits for a queue",
    "serverlessEndpoint",
    { type: "LOAD_BALANCER" },
    "scaling.type",
    /scale on "REQUEST_COUNT"/,
  ],
  [
    "an unknown scaler",
    "serverlessEndpoint",
    { scaling: { type: "CPU" } },
    "scaling.type",
    /"QUEUE_DELAY" or/,
  ],
  [
    "the other scaler's number",
    "serverlessEndpoint",
    { scaling: { type: "QUEUE_DELAY", queueDelay: 1, requestCount: 2 } },
    "scaling.requestCount",
    /unknown property "requestCount"; it takes queueDelay, type/,
  ],
  [
    "an idle time-out where none applies",
    "serverlessEndpoint",
    { scaling: { type: "REQUEST_COUNT", requestCount: 1 }, workers: { idleTimeout: 5 } },
    "workers.idleTimeout",
    /does not apply/,
  ],
  [
    "an idle time-out of two hours",
    "serverlessEndpoint",
    { workers: { idleTimeout: 7200 } },
    "workers.idleTimeout",
    /at most 3600/,
  ],
  [
    "more workers at least than at most",
    "serverlessEndpoint",
    { workers: { min: 4 } },
    "workers.min",
    /4 is more than 3/,
  ],
  ["flashboot as a boolean", "serverlessEndpoint", { flashboot: true }, "flashboot", /"OFF", "FLASHBOOT" or/],
  [
    "the same CPUs twice",
    "serverlessEndpoint",
    { gpu: undefined, cpu: [1, 2].map(() => ({ id: "cpu3c", vcpuCount: 2 })) },
    "cpu",
    /stands twice/,
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
  ["a secret's name with a space", "secret", { name: "my token" }, "name", /letters, digits/],
  ["a secret's name of the platform", "secret", { name: "RunPod_x" }, "name", /must not begin with RUNPOD/],
  ["a secret's name that is too long", "secret", { name: "a".repeat(192) }, "name", /longer than 191/],
  ["an empty secret", "secret", { value: "" }, "value", /must not be empty/],
  ["a cluster without its shape", "cluster", { compute: undefined }, "compute", /is required/],
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
  [
    "a minus sign, as GraphQL has it,",
    "serverlessEndpoint",
    { gpu: { pools: ["AMPERE_24"], excludedTypes: ["-NVIDIA L4"] } },
    "gpu.excludedTypes[0]",
    /without a minus sign/,
  ],
  [
    "a GPU type with outer white space",
    "serverlessEndpoint",
    { gpu: { pools: ["AMPERE_24"], excludedTypes: [" NVIDIA L4 "] } },
    "gpu.excludedTypes[0]",
    /must not begin or end with white space, which the service removes/,
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

test.each([
  "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker",
  "arn:aws-us-gov:ecr:us-gov-west-1:123456789012:repository/acme/worker:v1",
  "123456789012.dkr.ecr.us-east-2.amazonaws.com/acme/worker:v1",
  "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/acme/worker:v1",
])("an image in ECR can be named as %s", (resource) => {
  expect(check("registryDelegation", { resource })).toEqual([]);
});

test.each<[keyof typeof kinds, Properties]>([
  ["networkVolume", { size: unknown, dataCenter: unknown, name: unknown, type: unknown }],
  [
    "pod",
    { gpu: unknown, image: unknown, ports: [unknown], env: { A: unknown }, mounts: { network: unknown } },
  ],
  ["pod", { gpu: { id: unknown, count: unknown }, mounts: { network: [{ volumeId: unknown, path: "/a" }] } }],
  ["pod", { gpu: undefined, cpu: unknown, mounts: unknown, env: unknown, templateId: unknown }],
  ["pod", { gpu: unknown, cpu: { id: "cpu3c", vcpuCount: 2 } }],
  ["serverlessEndpoint", { type: unknown }],
  ["serverlessEndpoint", { scaling: { type: unknown, queueDelay: 4 }, workers: { min: unknown } }],
  ["secret", { name: unknown, value: unknown }],
  ["cluster", { type: unknown, compute: { ...compute, podCount: unknown }, mounts: unknown, env: unknown }],
  ["sshKeys", { keys: ["ssh-ed25519 AAAA", unknown] }],
])("a %s with values that a preview cannot know passes", (kind, changes) => {
  expect(check(kind, changes)).toEqual([]);
});

test("no default of the workers refuses an adopted endpoint, which keeps what the program leaves out", () => {
  const { fields, rules } = serverlessEndpoint;
  const adopted = checker({ ...fields, adopt: adoptField }, rules);
  const told = (changes: Properties) =>
    adopted({ ...valid.serverlessEndpoint, adopt: "4m7x2k9q", ...changes }).map(({ reason }) => reason);
  expect(told({ workers: { min: 5 } })).toEqual([]);
  expect(told({ workers: { max: 8 }, waitFor: "READY" })).toEqual([]);
  expect(told({ workers: { min: 5, max: 3 } })).toEqual(["must not be above workers.max: 5 is more than 3"]);
  expect(told({ workers: { min: 0 }, waitFor: "READY" })).toEqual([
    expect.stringMatching(/^there may be no worker to wait for/),
  ]);
  expect(told({ workers: { min: 5 }, adopt: undefined })).toEqual([
    "must not be above workers.max: 5 is more than 3, its default: set both",
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

  test("nor is what does not fit to it, unless the program changes a part of that", () => {
    const { fields, rules } = serverlessEndpoint;
    const before = { ...valid.serverlessEndpoint, workers: { min: 5 }, networkVolumes: ["a"] };
    const told = (changes: Properties) =>
      checker(fields, rules)({ ...before, ...changes }, before).map(({ property }) => property);
    expect(told({ timeout: 1 })).toEqual([]);
    expect(told({ workers: { min: 6 } })).toEqual(["workers.min"]);
    expect(told({ globalVolumes: ["b"] })).toEqual(["globalVolumes"]);
  });
});

test.each([
  ["${hex(2)}-${alphanum(1)}${string(1)}${num(2)}-${name}", "aa-qo00-token"],
  ["${uuid}", "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"],
  ["the ${name}", "the token"],
])("digits that a first preview does not know are no mistake of the pattern %s", (pattern, name) => {
  const run = new Run({});
  run.configure((key) => (key === "pulumi:autonaming" ? JSON.stringify({ pattern }) : undefined));
  const __urn = "urn:pulumi:dev::project::podlumi:index:Secret::token";
  expect(nameToValidate(secret, run, { __urn, __stack: unknown })).toBe(name);
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
