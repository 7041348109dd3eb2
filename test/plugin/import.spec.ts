import { readFileSync } from "node:fs";
import { join } from "node:path";
import { oneOfEach } from "../functions/objects";
import { emulatedProject, emulator, project, pulumi } from "../harness/emulated";

emulatedProject("each", "dev", { features: { restSecrets: true } });

const program = `name: specification
runtime: yaml
plugins:
  providers: [{ name: podlumi, path: node_modules/podlumi/dist/plugin }]
resources:
  a-pod: { type: "podlumi:Pod", properties: { image: "org/app:1", gpu: { id: NVIDIA L4, minCudaVersion: "12.8" }, env: { TOKEN: ENV-VALUE } } }
  an-endpoint:
    type: podlumi:ServerlessEndpoint
    properties:
      image: org/app:1
      type: QUEUE
      env: { TOKEN: ENV-VALUE }
      gpu: { pools: [ADA_24] }
      scaling: { type: QUEUE_DELAY, queueDelay: 4 }
  a-volume: { type: "podlumi:NetworkVolume", properties: { size: 20, dataCenter: EU-RO-1 } }
  a-template: { type: "podlumi:Template", properties: { image: "org/app:1", env: { TOKEN: ENV-VALUE } } }
  a_secret: { type: "podlumi:Secret", properties: { value: SECRET-VALUE } }
  a-login: { type: "podlumi:RegistryAuth", properties: { username: USER-VALUE, password: PASS-VALUE } }
`;

test("what exists is imported with the file that a preview writes", async () => {
  const made = Object.values(oneOfEach(emulator));
  project.file("Pulumi.yaml", program);
  await pulumi("preview", "--import-file", "import.json");
  const { resources } = JSON.parse(readFileSync(join(project.folder, "import.json"), "utf8"));
  expect(resources).toHaveLength(6);
  const withIds = resources.map((resource: { name: string }) => ({
    ...resource,
    id: made.find(({ name }) => name === resource.name)?.id,
  }));
  project.file("import.json", JSON.stringify({ resources: withIds }));

  const imported = await pulumi("import", "--file", "import.json", "--yes", "--generate-code=false");
  expect(imported).toContain("= 6 imported");
  expect(imported).not.toContain("failed to validate");
  await pulumi("preview", "--expect-no-changes");
  await pulumi("refresh", "--yes", "--skip-preview");
  await pulumi("preview", "--expect-no-changes");
});

test("an import under another name keeps the object", async () => {
  const named = (name: string, options: string) =>
    `const podlumi = require("podlumi/plugin");
    new podlumi.NetworkVolume("${name}", { size: 20, dataCenter: "EU-RO-1" }, { ${options} });`;
  project.write(named("data", ""));
  await pulumi("up", "--yes", "--skip-preview");
  const volumes = () => emulator.service.volumes.list();
  const [{ id } = { id: "" }] = volumes();
  project.write(named("renamed", `import: "${id}"`));
  const kept = new RegExp(`keeps the network volume ${id}, which NetworkVolume "renamed" has`);
  expect(await pulumi("up", "--yes", "--skip-preview")).toMatch(kept);
  expect(volumes()).toMatchObject([{ id }]);
});
