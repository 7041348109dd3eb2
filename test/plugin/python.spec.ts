import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../../provider/resources";
import { populate, setSecrets } from "../cli/populated";
import { fileOfKind } from "../docs/markdown";
import { patch } from "../harness/account";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { describePython, installPython } from "../harness/languages";
import { programOf } from "../harness/page";

/** Every kind; arguments as classes and as dictionaries. */
const program = (size: number, image: string, more = "") => `import pulumi
import podlumi

data = podlumi.NetworkVolume("data", size=${size}, data_center="EU-RO-1", type=podlumi.VolumeType.STANDARD)
ghcr = podlumi.RegistryAuth("ghcr", username="bot", password="hunter22")
token = podlumi.Secret("token", name="hf_token", value="hunter23")
podlumi.RegistryDelegation("ecr", resource="arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1")
podlumi.SshKeys("keys", keys=["ssh-ed25519 AAAA ada@example.com"])
worker = podlumi.Template("worker", image="${image}", serverless=True, env={"TOKEN": token.reference})
trainer = podlumi.Pod("trainer",
    image="${image}",
    gpu=podlumi.PodGpuArgs(id="NVIDIA L4"),
    ports=["22/tcp"],
    registry=ghcr.id,
    env={"OPEN": "open", "TOKEN": token.reference, "KEY": pulumi.Output.secret("hunter24")},
    mounts=podlumi.PodMountsArgs(network=[podlumi.NetworkMountArgs(volume_id=data.id, path="/workspace")]),
    data_center_ids=["EU-RO-1"])
llm = podlumi.ServerlessEndpoint("llm",
    type="QUEUE",
    template_id=worker.id,
    template_revision=worker.revision,
    gpu={"pools": ["ADA_24"], "count": None},
    scaling={"type": "QUEUE_DELAY", "queue_delay": 4},
    verify=podlumi.VerifyArgs(input={"prompt": "hello"}))
podlumi.Cluster("training",
    image="org/app:1",
    type=podlumi.ClusterType.TRAINING,
    compute=podlumi.ClusterComputeArgs(gpu_type_id="NVIDIA H200", gpu_count_per_pod=8, pod_count=2))
pulumi.export("reference", token.reference)
pulumi.export("revision", worker.revision)
pulumi.export("run", llm.request_urls.run_sync)
pulumi.export("port", trainer.ssh.direct.port)
${more}
`;

describePython("a program in Python goes through its whole life:", () => {
  emulatedProject("all");

  const printed: string[] = [];
  /** Runs a command that has to succeed. */
  async function pulumi(...args: string[]): Promise<string> {
    const run = await project.pulumi(...args);
    printed.push(run.printed);
    if (!run.ok) throw new Error(`pulumi ${args.join(" ")}\n${run.printed}`);
    return run.printed;
  }
  const declare = (text: string) => project.file("__main__.py", text);
  const account = () => emulator.service.snapshot();

  beforeAll(async () => {
    project.file(
      "Pulumi.yaml",
      "name: specification\nruntime: { name: python, options: { virtualenv: venv } }\n",
    );
    project.file("requirements.txt", "pulumi>=3.216.0,<4.0.0\nsdks/podlumi\n");
    await installPython(project);
  });

  test("the program of the page is previewed", async () => {
    declare(programOf("docs/languages.md", "python"));
    await pulumi("config", "set", "--secret", "hfToken", "hunter25");
    expect(await pulumi("preview")).toContain("+ 4 to create");
  });

  test("the examples of all kinds are previewed", async () => {
    const pages = Object.keys(definitions).map((kind) =>
      programOf(`docs/resources/${fileOfKind(kind)}`, "python"),
    );
    // What other examples refer to comes first.
    const [data, ...others] = pages.sort((page) => (page.startsWith("data = ") ? -1 : 0));
    const template = 'template = podlumi.Template("worker", image="org/app:1", serverless=True)\n';
    declare(
      ["import podlumi", "import pulumi", "config = pulumi.Config()", data, template, ...others].join("\n"),
    );
    for (const name of ["ada", "grace"])
      project.file(`keys/${name}.pub`, `ssh-ed25519 AAAA${name} ${name}@example.com\n`);
    await pulumi("config", "set-all", "--secret", "hfToken=hunter25", "--secret", "ghcrToken=hunter26");
    expect(await pulumi("preview")).toContain("+ 14 to create");
  });

  test("the unit test of the page passes, and one that expects something else does not", async () => {
    const program = programOf("docs/languages.md", "python");
    const unit = programOf("docs/testing.md", "python");
    const run = (text: string) => {
      project.file("infra.py", program);
      project.file("test_infra.py", text);
      return project.run("python", ["-m", "unittest"]);
    };
    expect(await run(unit)).toEqual({ ok: true, printed: expect.stringContaining("Ran 1 test") });
    expect(await run(unit.replace('"NVIDIA L4"', '"NVIDIA L40"'))).toMatchObject({ ok: false });
  });

  test("it declares every kind, and a preview tells the outputs that follow from the arguments", async () => {
    declare(program(50, "org/app:1"));
    const up = await pulumi("up", "--yes");
    const [preview = "", update = ""] = up.split("Updating");
    expect(preview).toMatch(/reference *: "\{\{ RUNPOD_SECRET_hf_token \}\}"/);
    expect(preview).toMatch(/revision *: "\w{12}"/);
    expect(update).toContain("+ 10 created");
    expect(update).toMatch(/port *: \d+/);
    expect(update).toMatch(/run *: "http\S+runsync"/);
    expect(account().pods).toMatchObject([
      { gpu: { count: 1 }, env: { TOKEN: "{{ RUNPOD_SECRET_hf_token }}", KEY: "hunter24" } },
    ]);
  });

  test("a change is previewed as it happens, and a second run changes nothing", async () => {
    declare(program(60, "org/app:2"));
    const up = await pulumi("up", "--yes", "--diff");
    const [preview = ""] = up.split("Updating");
    expect(preview).toMatch(/~ size: 50 => 60/);
    expect(preview).toMatch(/~ image: "org\/app:1" => "org\/app:2"/);
    expect(preview).toMatch(/~ templateRevision: "\w{12}" => "\w{12}"/);
    expect(account()).toMatchObject({ networkVolumes: [{ size: 60 }], pods: [{ image: "org/app:2" }] });
    expect(await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes")).toContain("10 unchanged");
  });

  test("it takes in what exists by an import, and reads what it does not own by get", async () => {
    const [data] = account().networkVolumes;
    const found = emulator.service.volumes.create({ name: "found", size: 20, dataCenter: "EU-RO-1" });
    await pulumi(
      "import",
      "podlumi:index:NetworkVolume",
      "found",
      found.id,
      "--yes",
      "--protect=false",
      "--generate-code=false",
    );
    declare(
      program(
        60,
        "org/app:2",
        `podlumi.NetworkVolume("found", name="found", size=20, data_center="EU-RO-1")
pulumi.export("size", podlumi.NetworkVolume.get("same", "${data?.id}").size)`,
      ),
    );
    const up = await pulumi("up", "--yes", "--skip-preview");
    expect(up).toMatch(/size *: 60/);
    expect(up).toContain("11 unchanged");
  });

  test("drift shows in a refresh, and the next run corrects it", async () => {
    const [pod] = account().pods;
    await patch(emulator, `pods/${pod?.id}`, { name: "renamed" });
    expect(await pulumi("refresh", "--yes", "--skip-preview")).toContain("~ 1 updated");
    const up = await pulumi("up", "--yes", "--skip-preview");
    expect(up).toContain("~ 1 updated");
    expect(account().pods).toMatchObject([{ name: pod?.name }]);
  });

  test("no secret is in plain text, and it goes down without a trace", async () => {
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.service.isEmpty()).toBe(true);
    const backend = join(project.folder, "backend");
    const files = readdirSync(backend, { recursive: true, withFileTypes: true, encoding: "utf8" })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(files.join()).toContain("hf_token");
    expect([...printed, ...files].join()).not.toMatch(/hunter2/);
  });
});

describePython("a program in Python that podlumi generate writes", () => {
  emulatedProject("all");

  test("adopts a whole account as it is, and is a project that installs", async () => {
    populate(emulator);
    const { ok, printed } = await project.podlumi(
      "generate",
      "--language",
      "python",
      "--adopt",
      "--out",
      "infra",
    );
    expect({ ok, printed }).toEqual({
      ok: true,
      printed: expect.stringContaining("config set --secret hfToken"),
    });
    for (const file of ["Pulumi.yaml", "requirements.txt", "__main__.py"])
      project.file(file, readFileSync(join(project.folder, "infra", file), "utf8"));
    await installPython(project);
    await project.pulumi("stack", "init", "dev");
    await project.pulumi(...setSecrets);
    const pods = () =>
      emulator.service.snapshot().pods.map(({ id, env, startedAt }) => ({ id, env, startedAt }));
    const before = pods();
    const up = await project.pulumi("up", "--yes", "--skip-preview");
    expect(up).toMatchObject({
      ok: true,
      printed: expect.stringMatching(/adopts the pod "trainer" \(\w+\) as it is/),
    });
    expect(pods()).toEqual(before);
    expect(await project.pulumi("preview", "--expect-no-changes")).toMatchObject({ ok: true });
  });
});
