import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { type Making, programOf } from "../../sdk/cli/generate/account-program";
import type { Found } from "../../sdk/cli/generate/observe";
import { projectName, writeProject } from "../../sdk/cli/generate/project";

const adopting: Making = { values: new Map(), known: false, adopt: true };

function volume(id: string, name: string): Found {
  const observed = { name, size: 50, dataCenter: "EU-RO-1" };
  return { kind: "NetworkVolume", id, name, observed, mark: undefined };
}

function logicalNames(all: readonly Found[]): string[] {
  return programOf(all, adopting).declared.map(({ declaration }) => declaration.logicalName);
}

test("each object is its own resource, and what mounts it refers to it, however alike their names are", () => {
  const endpoint: Found = {
    kind: "ServerlessEndpoint",
    id: "e1",
    name: "llm",
    observed: { name: "llm", type: "QUEUE", image: "a:1", networkVolumes: ["v2"] },
    mark: undefined,
  };
  const { program } = programOf([volume("v1", "a-b"), volume("v2", "a::b"), endpoint], adopting);
  const source = program.source();
  expect(source).toContain('new podlumi.NetworkVolume("a-b", { adopt: "v1"');
  expect(source).toContain('const aBNetworkVolume = new podlumi.NetworkVolume("a::b", {\n  adopt: "v2"');
  expect(source).toContain("networkVolumes: [aBNetworkVolume.id]");
  expect(logicalNames([volume("1", "a"), volume("2", "a"), volume("3", "a-1")])).toEqual([
    "a-1",
    "a-2",
    "a-1-3",
  ]);
});

test("what podlumi named after a resource is called as the resource was, and its own name is not in the program", () => {
  const digits = { stack: "012345", resource: "89ab" };
  const made = (id: string, name: string) => ({ ...volume(id, name), mark: { digits } });
  const short = { ...digits, resource: "89abcdef0123" };
  const pod: Found = {
    kind: "Pod",
    id: "p1",
    name: "web-89ab00",
    observed: { name: "web-89ab00", image: "a:1" },
    mark: { digits: short },
  };
  const all = [made("v1", "data-01234589ab00"), made("v2", "data-01234589ab01"), made("v3", "named"), pod];
  expect(logicalNames(all)).toEqual(["data", "data-01234589ab01", "named", "web"]);
  for (const { declaration } of programOf(all, adopting).declared)
    expect(declaration.args).not.toHaveProperty("name");
});

test.each(["constructor", "toString", "valueOf", "__proto__"])(
  "a secret called %s without a value in --values is read",
  (name) => {
    const secret: Found = { kind: "Secret", id: "s1", name, observed: { name }, mark: undefined };
    const { declared } = programOf([secret], { values: new Map(), known: true, adopt: false });
    expect(declared[0]?.declaration).toMatchObject({ readId: "s1", args: {} });
  },
);

test.each([
  ["infra", "infra"],
  ["2026", "2026"],
  ["1.5", "1.5"],
  ["0x1F", "0x1F"],
  ["true", "true"],
  ["null", "null"],
  ["é", "runpod"],
  ["~", "runpod"],
  ["my infra", "my-infra"],
  [".hidden", "hidden"],
  ["x".repeat(120), "x".repeat(100)],
])("the project in the folder %s is called %s, which YAML reads as a text", async (folder, name) => {
  expect(projectName(folder)).toBe(name);
  const path = mkdtempSync(join(tmpdir(), "podlumi-project-"));
  await writeProject(path, name, "typescript", "");
  expect(parse(readFileSync(join(path, "Pulumi.yaml"), "utf8"))).toMatchObject({ name });
  rmSync(path, { recursive: true });
});
