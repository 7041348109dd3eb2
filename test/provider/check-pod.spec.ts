import type { Properties } from "../../provider/value";
import { check } from "./checked";

test.each<[string, Properties, string, RegExp]>([
  [
    "a GPU of a pod as a text",
    { gpu: "NVIDIA L4" },
    "gpu",
    /an object, not "NVIDIA L4": write \{ id: "NVIDIA L4" \}/,
  ],
  ["a CPU as a text", { gpu: undefined, cpu: "cpu3c" }, "cpu", /write \{ id: "cpu3c", vcpuCount: 2 \}/],
  [
    "an instance of REST v1",
    { gpu: undefined, cpu: "cpu5g-8-64" },
    "cpu",
    /: write \{ id: "cpu5g", vcpuCount: 8 \}$/,
  ],
  [
    "an instance of REST v1 as the id",
    { gpu: undefined, cpu: { id: "cpu3c-2-4", vcpuCount: 2 } },
    "cpu.id",
    /^must be a CPU flavor: write \{ id: "cpu3c", vcpuCount: 2 \}, not "cpu3c-2-4"$/,
  ],
  [
    "a pool of an endpoint",
    { gpu: { id: "ADA_48_PRO" } },
    "gpu.id",
    /^must be a GPU type, since only endpoints take GPU pools: .*, not "ADA_48_PRO"$/,
  ],
  ["neither GPU nor CPU", { gpu: undefined }, "gpu", /is required, or cpu, or placements: give one of them/],
  ["GPU and CPU", { cpu: { id: "cpu3c", vcpuCount: 2 } }, "cpu", /not both/],
  ["a pod without image", { image: undefined }, "image", /or a templateId/],
  ["a misspelt nested property", { gpu: { id: "NVIDIA L4", counts: 1 } }, "gpu.counts", /mean "count"\?/],
  ["three vCPUs", { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 3 } }, "cpu.vcpuCount", /power of two/],
  [
    "both CUDA constraints",
    { gpu: { id: "NVIDIA L4", allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" } },
    "gpu.minCudaVersion",
    /a list or a floor/,
  ],
  [
    "a CUDA version without minor",
    { gpu: { id: "L4", minCudaVersion: "12" } },
    "gpu.minCudaVersion",
    /12\.8/,
  ],
  [
    "both kinds of storage",
    { mounts: { persistent: { size: 10, path: "/a" }, network: [{ volumeId: "v", path: "/b" }] } },
    "mounts",
    /not both/,
  ],
  [
    "two network volumes",
    { mounts: { network: [1, 2].map((n) => ({ volumeId: `v${n}`, path: `/${n}` })) } },
    "mounts.network",
    /at most one item/,
  ],
  [
    "a relative mount path",
    { mounts: { persistent: { size: 10, path: "a" } } },
    "mounts.persistent.path",
    /absolute/,
  ],
  [
    "a mount without path",
    { mounts: { network: [{ volumeId: "v" }] } },
    "mounts.network[0].path",
    /is required/,
  ],
  [
    "host storage on a CPU pod",
    { gpu: undefined, cpu: { id: "cpu3c", vcpuCount: 2 }, mounts: { persistent: { size: 10, path: "/a" } } },
    "mounts.persistent",
    /use a network volume/,
  ],
  [
    "a network volume in the community cloud",
    { cloud: "COMMUNITY", mounts: { network: [{ volumeId: "v", path: "/a" }] } },
    "mounts.network",
    /Secure cloud only/,
  ],
  ["an image with a scheme", { image: "https://ghcr.io/acme/app:1" }, "image", /^must be an image such as/],
  ["an image with white space", { image: "Acme/app :1" }, "image", /^must be an image such as/],
  [
    "an image with an empty tag",
    { image: "ghcr.io/acme/app:" },
    "image",
    /^lacks .* a tag, not "ghcr.io\/acme\/app:"$/,
  ],
  ["an empty image", { image: "" }, "image", /^must not be empty$/],
  ["an image without its name", { image: "ghcr.io/acme/" }, "image", /^lacks a part/],
  ["an image without its name before its tag", { image: "ghcr.io/acme/:1" }, "image", /^lacks a part/],
  ["an image without its registry", { image: "/acme/app:1" }, "image", /^lacks a part/],
  ["an image that is only a tag", { image: ":1" }, "image", /^lacks a part/],
  ["an image with an empty tag before its digest", { image: "app:@sha256:0" }, "image", /^lacks a part/],
  ["an image in upper case", { image: "Acme/app:1" }, "image", /^must be in lower case before its tag/],
  [
    "an image in upper case at a registry",
    { image: "localhost:5000/Acme/app:1" },
    "image",
    /^must be in lower case before its tag, not "localhost:5000\/Acme\/app:1"$/,
  ],
  ["a port without protocol", { ports: ["8888"] }, "ports[0]", /8888\/http/],
  ["a port behind its protocol, once", { ports: ["http/8888"] }, "ports[0]", /^must be port\/protocol/],
  ["a port beyond the last", { ports: ["22/tcp", "65536/tcp"] }, "ports[1]", /1 to 65535/],
  [
    "an http port with the same number outside",
    { ports: ["70000/http"] },
    "ports[0]",
    /from "70000\/tcp" on/,
  ],
  [
    "a status that cannot be asked for",
    { desiredStatus: "PAUSED" },
    "desiredStatus",
    /"RUNNING" or "EXITED"/,
  ],
  ["waiting for no time", { waitTimeout: 0 }, "waitTimeout", /at least 1/],
  [
    "too many variables",
    { env: Object.fromEntries([...Array(51).keys()].map((n) => [`K${n}`, "v"])) },
    "env",
    /at most 49 variables, not 51: a pod has room for 50/,
  ],
  [
    "a variable that the platform always sets",
    { env: { RUNPOD_INIT_TIMEOUT: "800", PUBLIC_KEY: "ssh-rsa A", PORT: "90", RUNPOD_POD_ID: "x" } },
    "env.RUNPOD_POD_ID",
    /^has the platform's value in every container: remove it$/,
  ],
  ["a variable with = in its name", { env: { "A=B": "1" } }, 'env["A=B"]', /^must have no "=" in its name/],
  [
    "a variable that is a number",
    { env: { "MY.PORT": 8080 } },
    'env["MY.PORT"]',
    /^must be a string: write it in quotes, such as "3" or "true"$/,
  ],
  [
    "a variable that is an object",
    { env: { OPTIONS: { depth: 3 } } },
    "env.OPTIONS",
    /^must be a string: write it as JSON, with JSON.stringify$/,
  ],
  [
    "global networking on AMD",
    { gpu: { id: "AMD Instinct MI300X OAM" }, globalNetworking: true },
    "globalNetworking",
    /NVIDIA/,
  ],
])("%s is reported at its path", (_title, changes, property, reason) => {
  expect(check("pod", changes)).toMatchObject([{ property, reason: expect.stringMatching(reason) }]);
});

test("each variable that no program may set is reported, not only the first one", () => {
  const names = ["PODLUMI_MARK", "A=B", "RUNPOD_POD_ID", "HOME", "PODLUMI_EXPIRES", "C=D"];
  const env = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(check("pod", { env }).map(({ property }) => property)).toEqual([
    "env.PODLUMI_MARK",
    'env["A=B"]',
    "env.RUNPOD_POD_ID",
    "env.PODLUMI_EXPIRES",
    'env["C=D"]',
  ]);
});

test("the variables of env are checked by their names while a preview does not know a value, such as the reference of a new secret", () => {
  const later = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const properties = (env: Properties) => check("pod", { env }).map(({ property }) => property);
  expect(properties({ HF_TOKEN: later, RUNPOD_POD_ID: "x", "A=B": later })).toEqual([
    "env.RUNPOD_POD_ID",
    'env["A=B"]',
  ]);
  expect(properties(Object.fromEntries([...Array(51).keys()].map((n) => [`K${n}`, later])))).toEqual(["env"]);
});

test.each([
  "app",
  "acme/app:V1",
  "ghcr.io/acme/app:1",
  "Registry.example.com/acme/app",
  "localhost:5000/acme/app@sha256:ABC0",
])("%s is an image", (image) => {
  expect(check("pod", { image })).toEqual([]);
});
