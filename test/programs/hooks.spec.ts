import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { emulatedProject, emulator, project } from "../harness/emulated";

emulatedProject("each");

/** The Node.js host that builds from source is of 2023: its monitor knows neither hooks nor stack transforms. */
const [folder = ""] = (process.env.PATH ?? "").split(delimiter);
const isNew = readFileSync(join(folder, "pulumi-language-nodejs")).includes("RegisterResourceHook");
const testNew = isNew ? test : test.skip;

const program = `const pulumi = require("@pulumi/pulumi");
const podlumi = require("podlumi");
pulumi.runtime.registerResourceTransform(({ props, opts }) => ({ props: { ...props, size: 30 }, opts }));
const seen = new pulumi.ResourceHook("seen", ({ name }) => console.log("hook of " + name));
new podlumi.NetworkVolume("data", { size: 20, dataCenter: "EU-RO-1" }, { hooks: { afterCreate: [seen] } });
`;

testNew("hooks and stack transforms work in a program of a recent language host", async () => {
  project.write(program);
  const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
  expect(ok ? "" : printed).toBe("");
  expect(printed).toContain("hook of data");
  expect(emulator.service.snapshot().networkVolumes).toMatchObject([{ size: 30 }]);
});
