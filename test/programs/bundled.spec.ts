import { join } from "node:path";
import { build } from "esbuild";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { testLong } from "../harness/long";

emulatedProject("each");

const program = `import * as podlumi from "podlumi";
export const data = new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
export const gpus = podlumi.getGpuTypes().then((all) => all.length);
`;

const banner = {
  esm: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  cjs: "",
};

/** Runs a program that is one file with podlumi inside, without the names that podlumi's code has. */
async function runsAs(format: "esm" | "cjs", main: string): Promise<void> {
  project.file("Pulumi.yaml", `name: specification\nruntime: nodejs\nmain: ${main}\n`);
  project.file("index.ts", program);
  await build({
    entryPoints: [join(project.folder, "index.ts")],
    outfile: join(project.folder, main),
    bundle: true,
    minify: true,
    platform: "node",
    format,
    external: ["@pulumi/pulumi"],
    banner: { js: banner[format] },
  });
  const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
  expect(ok ? "" : printed).toBe("");
  expect(printed).toMatch(/gpus\s*: \d+/);
  expect(emulator.service.snapshot().networkVolumes).toMatchObject([{ size: 50 }]);
}

test("a bundle of ES modules may have podlumi inside", () => runsAs("esm", "dist/index.mjs"));

testLong("so may one of CommonJS", async () => {
  await runsAs("cjs", "dist/index.js");
  const { deployment } = JSON.parse((await project.pulumi("stack", "export")).printed);
  const positions = deployment.resources.map((one: { sourcePosition?: string }) => one.sourcePosition);
  expect(positions).toContainEqual(expect.stringMatching(/^project:\/\/\/dist\/index\.js#\d+,\d+$/));
});
