import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { convert, convertListing, type Kind, kindOf } from "../../sdk/v1";

test.each<[string, unknown, Kind | undefined]>([
  ["a network volume", { name: "data", size: 50, dataCenterId: "EU-RO-1" }, "NetworkVolume"],
  ["a credential", { name: "ghcr", username: "bot", password: "x" }, "RegistryAuth"],
  ["a serverless template", { name: "t", imageName: "a:1", isServerless: true }, "Template"],
  ["an endpoint", { templateId: "t", workersMax: 3 }, "ServerlessEndpoint"],
  ["a pod", { name: "p", imageName: "a:1", gpuTypeIds: ["NVIDIA L4"] }, "Pod"],
  ["a pod with a key that nobody knows", { costPerHr: 1, colour: "red" }, "Pod"],
  ["a pod out of Terraform", { image_name: "a:1", gpu_type_ids: [] }, "Pod"],
  ["a listing by any of its items", [{ id: "a" }, { id: "b", size: 10 }], "NetworkVolume"],
  ["nothing that is a pod as well as a template", { name: "x", imageName: "a:1" }, undefined],
  ["nothing that may be anything", { id: "a", name: "x" }, undefined],
  ["nothing that is no one kind", { username: "bot", workersMax: 3 }, undefined],
  ["nothing in an empty listing", [], undefined],
  ["nothing in a text", "pod", undefined],
])("the kind tells %s", (_title, body, kind) => {
  expect(kindOf(body)).toBe(kind);
});

test("a listing is converted in its order", () => {
  const listing = [20, 30].map((size) => ({ id: `v${size}`, name: "v", size, dataCenterId: "EU-RO-1" }));
  expect(convertListing("NetworkVolume", listing).map(({ args }) => args)).toEqual([
    { name: "v", size: 20, dataCenter: "EU-RO-1" },
    { name: "v", size: 30, dataCenter: "EU-RO-1" },
  ]);
});

test("what is no body is refused with what it is", () => {
  expect(() => convert("Pod", null)).toThrow(
    new TypeError("The body of a Pod in REST v1 is a JSON object, not null"),
  );
  expect(() => convertListing("Pod", { pods: [] })).toThrow(/an array of JSON objects, not an object/);
  expect(() => convertListing("Pod", [{}, []])).toThrow(/a JSON object, not an array/);
});

test("a body is not changed, and a key that is written twice is told", () => {
  const body = Object.freeze({ image_name: "a:1", imageName: "a:2" });
  const { args, notes } = convert("Template", body);
  expect(args).toMatchObject({ image: "a:2" });
  expect(notes).toContainEqual(expect.objectContaining({ kind: "decide", path: "image_name" }));
});

test("a variable that is there twice is told, unless both say the same", () => {
  const { args, notes } = convert("Template", { imageName: "a:1", env: ["A=1", "B=2", "A=hunter22", "B=2"] });
  expect(args.env).toEqual({ A: "hunter22", B: "2" });
  const told = notes.filter(({ path }) => path.startsWith("env"));
  expect(told).toEqual([{ kind: "decide", path: 'env["A"]', text: expect.stringContaining("remove one") }]);
});

test("a secret is shown in no note, however its key is written", () => {
  const { notes } = convert("RegistryAuth", { password: "hunter22", pass_word: "hunter22", Username: 4711 });
  expect(notes.map(({ kind, path }) => [kind, path])).toEqual([
    ["decide", "Username"],
    ["decide", "pass_word"],
  ]);
  expect(JSON.stringify(notes)).not.toMatch(/hunter22|4711/);
});

test("podlumi/v1 loads nothing but itself, and the names that REST v2 does not have", () => {
  const script = 'require("podlumi/v1"); console.log(JSON.stringify(Object.keys(require.cache)))';
  // Without what specifications preload.
  const env = { ...process.env, NODE_OPTIONS: "" };
  const options = { cwd: resolve("examples/quickstart"), encoding: "utf8", env } as const;
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, ["-e", script], options));
  const others = loaded.filter((file) => !file.includes("/dist/sdk/v1/"));
  expect(others).toEqual([resolve("dist/provider/schema/retired-names.js")]);
});
