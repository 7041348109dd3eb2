import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type TypeScript from "typescript";
import { runsAll } from "../engine/runs-all";

// Pulumi compiles programs itself: with the project's TypeScript or, without one, with its own.

const versions = {
  "that Pulumi brings": join(
    dirname(require.resolve("@pulumi/pulumi/package.json")),
    "vendor/typescript@3.8.3/typescript.js",
  ),
  "of the project, with the older resolution of modules": require.resolve("typescript"),
};

const program = `
import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { Endpoint } from "podlumi/jobs";
import { NetworkVolume as InPlugin, Pod } from "podlumi/plugin";
import { instant, startEmulator } from "podlumi/emulator";
import { mocks } from "podlumi/testing";
import { podlumiPolicies } from "podlumi/policy";
import { convert } from "podlumi/v1";

const data = new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" });
const llm = new podlumi.ServerlessEndpoint("llm", {
  type: "QUEUE",
  image: "org/worker:1",
  gpu: { pools: ["ADA_24"] },
  networkVolumes: [data, data.id, pulumi.output(data), Promise.resolve(data)],
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
});
const token = new podlumi.Secret("token", { value: "hf_123" });
const reference: pulumi.Output<string> = token.reference;
const env = { A: token, B: reference, C: pulumi.output(token), D: Promise.resolve(token), E: "text" };
new podlumi.Template("t", { image: "org/worker:1", env });
const maybe = pulumi.output(process.env).apply(({ IMAGE, DISK }) => ({ image: IMAGE, disk: DISK ? Number(DISK) : undefined }));
new podlumi.Pod("p", { image: maybe.image, disk: maybe.disk, gpu: { id: "NVIDIA L4", count: maybe.disk }, templateId: token.id });
new podlumi.Pod("q", {
  gpu: { id: "NVIDIA L4" },
  templateId: podlumi.Template.get("read", "tpl0read12"),
  registry: pulumi.output("").apply(() => new podlumi.RegistryAuth("r", { username: "bot", password: "hf_123" })),
  mounts: { network: [{ volumeId: Promise.resolve(new InPlugin("v", { size: 20, dataCenter: "EU-RO-1" })), path: "/data" }] },
});
new podlumi.Secret("adopted", { value: "hf_123", adopt: { name: token.name } });
export const url = llm.requestUrls.runSync.apply((text) => text.length);
export const twice = data.size.apply((size) => 2 * size);
export const known = [Endpoint, Pod.get, podlumiPolicies, convert, mocks, startEmulator, instant];
export const any: podlumi.GpuTypeId = process.env.GPU ?? "a GPU of next year";
`;

/** A program with mistakes on different lines. */
const mistakes = `
import * as podlumi from "podlumi";
new podlumi.NetworkVolume("data", { size: "large", dataCenter: "EU-RO-1" });
export const size: string = new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" }).size;
declare const [data, global]: [podlumi.NetworkVolume, podlumi.GlobalVolume];
declare const [login, template]: [podlumi.RegistryAuth, podlumi.Template];
export const args: podlumi.PodArgs[] = [
  { registry: data },
  { templateId: login },
  { mounts: { network: [{ volumeId: template, path: "/data" }] } },
];
export const ids: Partial<podlumi.ServerlessEndpointArgs> = {
  networkVolumes: [global],
  globalVolumes: [data],
  templateId: data,
};
`;

const examples = readdirSync("examples").filter((name) => existsSync(join("examples", name, "index.ts")));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "podlumi-compilers-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(join(folder, "mistakes.ts"), mistakes);
  for (const example of examples) symlinkSync(resolve("examples", example), join(folder, example));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a file belongs to the program or to podlumi, and not to another package in `node_modules`. */
function isOurs(file: string): boolean {
  const [, inPackage] = /^.*\/node_modules\/(.*)$/.exec(file) ?? [];
  return inPackage === undefined || inPackage.startsWith("podlumi/");
}

/** The errors that a compiler finds in the files and in podlumi's declarations, with their lines. */
function complaints(compiler: string, files: string[]): string[] {
  const ts: typeof TypeScript = require(compiler);
  const names = files.map((file) => join(folder, file));
  const whole = ts.createProgram(names, {
    target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: 2, // The older Node.js resolution (node10). Its name differs between versions.
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    preserveSymlinks: true,
    types: ["node"],
  });
  const meaning = names.flatMap((name) => whole.getSemanticDiagnostics(whole.getSourceFile(name)));
  const found = [...whole.getGlobalDiagnostics(), ...whole.getSyntacticDiagnostics(), ...meaning];
  return found
    .filter(({ file }) => isOurs(file?.fileName ?? ""))
    .map(({ file, start = 0 }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1;
      return `${relative(folder, file?.fileName ?? folder)}:${line}`;
    });
}

test.each(Object.entries(versions).slice(0, runsAll ? undefined : 1))(
  "the TypeScript %s takes programs and finds mistakes",
  (_which, compiler) => {
    const files = examples.map((example) => join(example, "index.ts"));
    const lines = [3, 4, 8, 9, 10, 13, 14, 15];
    expect(complaints(compiler, [...files, "program.ts", "mistakes.ts"])).toEqual(
      lines.map((line) => `mistakes.ts:${line}`),
    );
  },
);
