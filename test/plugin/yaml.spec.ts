import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { functions } from "../../provider/functions";
import { definitions } from "../../provider/resources";
import { populate, setSecrets } from "../cli/populated";
import { fileOfKind } from "../docs/markdown";
import { emulatedProject, emulator, project, pulumi } from "../harness/emulated";
import { installPlugin } from "../harness/languages";
import { testLong } from "../harness/long";
import { programOf } from "../harness/page";

emulatedProject("each");

const head = `name: specification
plugins:
  providers: [{ name: podlumi, path: node_modules/podlumi/dist/plugin }]
`;

/** Every kind. */
const program = (size = 50, image = "org/app:1") => `${head}runtime: yaml
resources:
  data:
    type: podlumi:NetworkVolume
    properties: { size: ${size}, dataCenter: EU-RO-1 }
  ghcr:
    type: podlumi:RegistryAuth
    properties: { username: bot, password: hunter22 }
  token:
    type: podlumi:Secret
    properties: { value: hunter23 }
  ecr:
    type: podlumi:RegistryDelegation
    properties: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1" }
  keys:
    type: podlumi:SshKeys
    properties: { keys: [ssh-ed25519 AAAA ada@example.com] }
  worker:
    type: podlumi:Template
    properties: { image: "${image}", serverless: true }
  trainer:
    type: podlumi:Pod
    properties:
      image: "${image}"
      gpu: { id: NVIDIA L4 }
      registry: \${ghcr.id}
      env: { OPEN: open, TOKEN: "\${token.reference}" }
      mounts: { network: [{ volumeId: "\${data.id}", path: /workspace }] }
      dataCenterIds: [EU-RO-1]
      ports: [8888/http]
  llm:
    type: podlumi:ServerlessEndpoint
    properties:
      type: QUEUE
      templateId: \${worker.id}
      templateRevision: \${worker.revision}
      gpu: { pools: [ADA_24] }
      scaling: { type: QUEUE_DELAY, queueDelay: 4 }
      verify: { input: { prompt: hello } }
  training:
    type: podlumi:Cluster
    properties:
      image: org/app:1
      type: TRAINING
      compute: { gpuTypeId: NVIDIA H200, gpuCountPerPod: 8, podCount: 2 }
outputs:
  run: \${llm.requestUrls.runSync}
  openai: \${llm.openaiBaseUrl}
  notebook: \${trainer.urls["8888"]}
`;

test("a program in YAML goes through its whole life", async () => {
  project.file("Pulumi.yaml", program());
  const up = await pulumi("up", "--yes", "--skip-preview");
  expect(up).toContain("+ 10 created");
  const { pods: made, secrets: stored } = emulator.service.snapshot();
  expect(made[0]).toMatchObject({
    name: expect.stringMatching(/^trainer-\w+$/),
    gpu: { count: 1 },
    env: { TOKEN: `{{ RUNPOD_SECRET_${stored[0]?.name} }}` },
  });
  expect(up).toMatch(/run *: "http/);
  expect(up).toMatch(/openai *: "http\S+\/openai\/v1"/);
  expect(up).toMatch(/notebook *: "https:\/\/\w+-8888\.proxy\.runpod\.net"/);
  expect(await pulumi("preview", "--diff", "--expect-no-changes")).toContain("10 unchanged");

  project.file("Pulumi.yaml", program(60, "org/app:2"));
  const preview = await pulumi("preview", "--diff");
  expect(preview).toMatch(/~ size: 50 => 60/);
  expect(preview).toMatch(/~ image: "org\/app:1" => "org\/app:2"/);
  // The revision that the program computes in TypeScript, the plugin tells in the preview.
  expect(preview).toMatch(/~ templateRevision: "\w{12}" => "\w{12}"/);
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  await pulumi("destroy", "--yes", "--skip-preview");
  const { pods, templates, secrets, networkVolumes } = emulator.service.snapshot();
  expect({ pods, secrets, networkVolumes }).toEqual({ pods: [], secrets: [], networkVolumes: [] });
  expect(templates).toEqual([]);
});

testLong(
  "a provider of the program's own has the stack's key where it is given none, and not that of the environment",
  async () => {
    const own = `resources:
  own: { type: "pulumi:providers:podlumi" }
  data:
    type: podlumi:NetworkVolume
    properties: { size: 10, dataCenter: EU-RO-1 }
    options: { provider: "\${own}" }
`;
    project.file("Pulumi.yaml", `${head}runtime: yaml\n${own}`);
    await pulumi("stack", "init", "keys");
    await pulumi("config", "set", "--secret", "podlumi:apiKey", "rpa_ours");
    await pulumi("up", "--yes", "--skip-preview");
    expect(new Set(emulator.requests.map(({ client }) => client))).toEqual(new Set(["ours"]));
    expect(await pulumi("stack", "export")).not.toContain("rpa_ours");
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.service.isEmpty()).toBe(true);
  },
);

testLong("the project of the page is previewed, with the plugin that Pulumi keeps", async () => {
  await installPlugin(project);
  project.file("Pulumi.yaml", programOf("docs/languages.md", "yaml"));
  await pulumi("stack", "init", "page");
  await pulumi("config", "set", "--secret", "hfToken", "hunter23");
  expect(await pulumi("preview")).toContain("+ 4 to create");
});

testLong("the examples of all kinds are previewed", async () => {
  const pages = Object.keys(definitions).map((kind) =>
    parse(programOf(`docs/resources/${fileOfKind(kind)}`, "yaml")),
  );
  const template = { type: "podlumi:Template", properties: { image: "org/app:1", serverless: true } };
  const plugins = { providers: [{ name: "podlumi", path: "node_modules/podlumi/dist/plugin" }] };
  const secret = { type: "string", secret: true };
  const whole = {
    name: "specification",
    runtime: "yaml",
    plugins,
    config: { hfToken: secret, ghcrToken: secret },
    resources: Object.assign({ template }, ...pages.map(({ resources }) => resources)),
    outputs: Object.assign({}, ...pages.map(({ outputs }) => outputs)),
  };
  project.file("Pulumi.yaml", JSON.stringify(whole));
  for (const name of ["ada", "grace"])
    project.file(`keys/${name}.pub`, `ssh-ed25519 AAAA${name} ${name}@example.com\n`);
  await pulumi("stack", "init", "kinds");
  await pulumi("config", "set-all", "--secret", "hfToken=hunter23", "--secret", "ghcrToken=hunter24");
  expect(await pulumi("preview")).toContain(`+ ${Object.keys(whole.resources).length + 1} to create`);
  expect(Object.keys(whole.outputs).sort()).toEqual(["notebook", "openai", "url"]);
});

testLong("what podlumi generate writes in YAML adopts a whole account as it is", async () => {
  populate(emulator);
  const { templates } = emulator.service;
  const env = { HOME_OF: "${HOME}", PRICE: "$$5", EMPTY: "", NO: "off", "{}": "\\n\n\u{1f600}" };
  templates.create({ name: "$${odd}: #1", image: "acme/odd:1", env });
  const { ok, printed } = await project.podlumi(
    "generate",
    ...["--language", "yaml", "--adopt", "--out", "infra"],
  );
  expect({ ok, printed }).toEqual({ ok: true, printed: expect.stringContaining("--secret hfToken") });
  expect(readdirSync(join(project.folder, "infra"))).toEqual(["Pulumi.yaml"]);
  await installPlugin(project);
  project.file("Pulumi.yaml", readFileSync(join(project.folder, "infra", "Pulumi.yaml"), "utf8"));
  await pulumi("stack", "init", "adopting");
  await pulumi(...setSecrets);
  const settings = () => {
    const { pods, templates } = emulator.service.snapshot();
    return [pods.map(({ id, env, startedAt }) => ({ id, env, startedAt })), templates];
  };
  const before = settings();
  expect(await pulumi("preview")).toMatch(/Template \$\$\{odd\}: #1 .*adopts the template .* as it is/);
  await pulumi("up", "--yes", "--skip-preview");
  expect(settings()).toEqual(before);
  await pulumi("preview", "--expect-no-changes");
});

testLong("what podlumi convert-v1 writes in YAML is previewed, with references", async () => {
  const resources = [
    {
      type: "runpod_network_volume",
      values: { name: "data", size: 50, data_center_id: "EU-RO-1", id: "v1" },
    },
    {
      type: "runpod_pod",
      values: {
        name: "trainer",
        image_name: "org/app:1",
        gpu_type_id: "NVIDIA L4",
        env: ["API_KEY=hunter22"],
        network_volume_id: "v1",
        volume_mount_path: "/workspace",
      },
    },
  ].map((one) => ({ ...one, mode: "managed", address: one.type }));
  project.file("state.json", JSON.stringify({ values: { root_module: { resources } } }));
  const command = `"${process.execPath}" "${resolve("dist/sdk/cli/main.js")}" convert-v1 state.json --language yaml`;
  await project.run("sh", ["-c", `${command} > Pulumi.yaml`]);
  await installPlugin(project);
  await pulumi("stack", "init", "converted");
  await pulumi("config", "set", "--secret", "apiKey", "hunter22");
  await pulumi("up", "--yes", "--skip-preview");
  const { pods, networkVolumes } = emulator.service.snapshot();
  expect(pods).toMatchObject([
    { env: { API_KEY: "hunter22" }, mounts: { network: [{ volumeId: networkVolumes[0]?.id }] } },
  ]);
});

testLong(
  "a stack moves from TypeScript with the dynamic provider to YAML, and no object changes",
  async () => {
    await project.up(
      'new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });',
      'const token = new podlumi.Secret("token", { value: "hunter23" });',
      'const worker = new podlumi.Template("worker", { image: "org/app:1", env: { TOKEN: token.reference } });',
      "exports.revision = worker.revision;",
    );
    const resources = `resources:
  data: { type: "podlumi:NetworkVolume", properties: { size: 50, dataCenter: EU-RO-1 } }
  token: { type: "podlumi:Secret", properties: { value: hunter23 } }
  worker: { type: "podlumi:Template", properties: { image: "org/app:1", env: { TOKEN: "\${token.reference}" } } }
outputs: { revision: "\${worker.revision}" }
`;
    project.file("Pulumi.yaml", `${head}runtime: yaml\n${resources}`);
    expect(await pulumi("preview", "--diff", "--expect-no-changes")).toContain("unchanged");
  },
);

test("a mistake is told at its property", async () => {
  project.file("Pulumi.yaml", program(5));
  const { ok, printed } = await project.pulumi("preview");
  expect(ok).toBe(false);
  expect(printed).toMatch(/has a problem: size: must be at least 10 GB, not 5 \[PODLUMI-INVALID\]/);
});

test("Pulumi takes the schema of the plugin", async () => {
  const plugin = resolve("dist/plugin/pulumi-resource-podlumi");
  const schema = await pulumi("package", "get-schema", plugin);
  const { resources, functions: called } = JSON.parse(schema);
  expect(Object.keys(resources)).toEqual(
    Object.keys(definitions)
      .sort()
      .map((kind) => `podlumi:index:${kind}`),
  );
  expect(Object.keys(called).sort()).toEqual(
    Object.keys(functions)
      .map((name) => `podlumi:index:${name}`)
      .sort(),
  );
  project.file("schema.json", schema);
  await pulumi("schema", "check", "schema.json");
});
