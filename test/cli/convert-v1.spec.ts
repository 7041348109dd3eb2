import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLine } from "./cli";

const cli = new CommandLine();
afterAll(() => cli.close());

function file(body: unknown): string {
  const path = join(cli.folder, "v1.json");
  writeFileSync(path, typeof body === "string" ? body : JSON.stringify(body));
  return path;
}

test("a listing becomes a program, with secrets from the configuration and notes on standard error", async () => {
  const pods = [1, 2].map((n) => ({
    name: "trainer",
    imageName: "runpod/pytorch:1",
    gpuTypeIds: ["NVIDIA L4", "NVIDIA RTX A5000"],
    containerDiskInGb: 20,
    volumeInGb: 50,
    ports: ["22/tcp"],
    env: { HF_TOKEN: "hunter22", EPOCHS: String(n) },
    interruptible: true,
  }));
  const { code, out, err } = await cli.run("convert-v1", file(pods));
  expect(code).toBe(0);
  expect(out).toContain('import * as podlumi from "podlumi";');
  expect(out).toContain('new podlumi.Pod("trainer", {\n  name: "trainer",\n');
  expect(out).toContain('new podlumi.Pod("trainer-2", {\n  name: "trainer",\n');
  expect(out).toContain('env: { HF_TOKEN: config.requireSecret("hfToken"), EPOCHS: "1" }');
  expect(err).toMatch(/^lost: interruptible /m);
  expect(out + err).not.toContain("hunter22");
});

test("what a response tells the id of is taken over, if that is asked for, and each must tell it", async () => {
  const volume = { name: "data", size: 50, dataCenterId: "EU-RO-1" };
  const answers = file([
    { ...volume, id: "q3vs1d3nqs" },
    { ...volume, id: "z1vs1d3nqs" },
  ]);
  expect((await cli.run("convert-v1", answers)).out).not.toContain("adopt");
  const { code, out } = await cli.run("convert-v1", answers, "--adopt");
  expect(code).toBe(0);
  expect(out).toMatch(/NetworkVolume\("data", {[^}]*adopt: "q3vs1d3nqs"/);
  expect(out).toMatch(/NetworkVolume\("data-2", {[^}]*adopt: "z1vs1d3nqs"/);
  const refused = await cli.run("convert-v1", file([{ ...volume, id: "q3vs1d3nqs" }, volume]), "--adopt");
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/--adopt needs the id/) });
});

test.each<[string, BufferEncoding]>([
  ["Out-File -Encoding utf8", "utf8"],
  [">", "utf16le"],
])("a file is read as Windows PowerShell writes it, by %s", async (_how, encoding) => {
  const volume = { name: "données", size: 50, dataCenterId: "EU-RO-1" };
  const path = join(cli.folder, `${encoding}.json`);
  writeFileSync(path, `\ufeff${JSON.stringify(volume)}`, { encoding });
  const { code, out } = await cli.run("convert-v1", path);
  expect(code).toBe(0);
  expect(out).toContain('new podlumi.NetworkVolume("données"');
});

test("what has no name gets none, so that an object which is taken over keeps its own", async () => {
  const answers = file(["q3vs1d3nqs", "z1vs1d3nqs"].map((id) => ({ id, size: 50, dataCenterId: "EU-RO-1" })));
  const { out } = await cli.run("convert-v1", answers, "--adopt");
  expect(out).toContain('new podlumi.NetworkVolume("NetworkVolume", {\n  size');
  expect(out).toContain('new podlumi.NetworkVolume("NetworkVolume-2", {\n  size');
});

test("what terraform show -json prints becomes a program of all kinds, also of what is in modules", async () => {
  const managed = { mode: "managed", provider_name: "registry.terraform.io/runpod/runpod" };
  const pod = {
    ...managed,
    address: "runpod_pod.trainer",
    type: "runpod_pod",
    values: {
      id: "p7vs1d3nqs",
      name: "trainer",
      image_name: "runpod/pytorch:1",
      gpu_type_id: "NVIDIA L4",
      data_center_id: "EU-RO-1",
      docker_args: "sleep infinity",
      env: ["HF_TOKEN=hunter22"],
      start_ssh: true,
      template_id: null,
      bid_per_gpu: 0.2,
      type: "SPOT",
    },
  };
  const data = {
    ...managed,
    address: "module.data.runpod_network_volume.all[0]",
    type: "runpod_network_volume",
  };
  const values = { id: "q3vs1d3nqs", name: "data", size: 50, data_center_id: "EU-RO-1" };
  const cluster = { ...managed, address: "runpod_cluster.main", type: "runpod_cluster", values: {} };
  const bucket = { ...managed, address: "aws_s3_bucket.a", type: "aws_s3_bucket", values: {} };
  const read = { ...pod, mode: "data", address: "data.runpod_pod.other" };
  const root_module = {
    resources: [pod, cluster, bucket, read],
    child_modules: [{ address: "module.data", resources: [{ ...data, values }] }],
  };
  const { code, out, err } = await cli.run("convert-v1", file({ values: { root_module } }), "--adopt");
  expect(out).toContain(`new podlumi.Pod("trainer", {
  name: "trainer",
  image: "runpod/pytorch:1",
  args: "sleep infinity",
  env: { HF_TOKEN: config.requireSecret("hfToken") },
  startSsh: true,
  gpu: { id: "NVIDIA L4", count: 1 },
  dataCenterIds: ["EU-RO-1"],
  adopt: "p7vs1d3nqs",
});`);
  expect(out).toMatch(/NetworkVolume\("data", {[^}]*dataCenter: "EU-RO-1",[^}]*adopt: "q3vs1d3nqs"/);
  expect(out.match(/new podlumi/g)).toHaveLength(2);
  expect(err).toMatch(/^lost: runpod_pod\.trainer\.bid_per_gpu \(0\.2\) REST v2 has no spot pods/m);
  expect(err).toMatch(/^lost: runpod_pod\.trainer\.type \("SPOT"\) REST v2 has no spot pods/m);
  expect(err).toMatch(/^decide: runpod_cluster\.main is of no kind that REST v1 had/m);
  expect(err).not.toMatch(/template_id|aws_s3/);
  expect(code).toBe(1);
  expect(out + err).not.toContain("hunter22");
});

test("so does a state file of Terraform, with its addresses", async () => {
  const volume = (name: string) => ({
    attributes: { id: `${name}vs1d3nqs`, name, size: 50, data_center_id: "EU-RO-1" },
  });
  const type = "runpod_network_volume";
  const resources = [
    {
      mode: "managed",
      type,
      name: "all",
      instances: [
        { index_key: 0, ...volume("a") },
        { index_key: 1, ...volume("b") },
      ],
    },
    {
      module: "module.m",
      mode: "managed",
      type: "runpod_cluster",
      name: "main",
      instances: [{ attributes: {} }],
    },
  ];
  const { out, err } = await cli.run("convert-v1", file({ version: 4, resources }));
  expect(out.match(/new podlumi.NetworkVolume\("[ab]"/g)).toHaveLength(2);
  expect(err).toMatch(/^decide: module\.m\.runpod_cluster\.main is of no kind/m);
});

test.each([
  ["runpod_pod", { id: "p1", name: "trainer", image: null, disk: 20 }],
  ["runpod_network_volume", { id: "v1", name: "data", size: 50, data_center: "EU-RO-1" }],
  ["runpod_serverless_endpoint", { id: "e1", name: "llm" }],
])("a state of version 2 with a %s is not converted by half", async (type, values) => {
  const resources = [{ mode: "managed", address: `${type}.a`, type, values }];
  const { code, out, err } = await cli.run("convert-v1", file({ values: { root_module: { resources } } }));
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(
    /version 2 of Terraform's provider.*`npx podlumi generate --adopt --state FILE --out infra`/,
  );
});

test("what refers to another object of the program comes after it, and refers to it", async () => {
  const one = (name: string, type: string, values: object) => ({
    mode: "managed",
    address: `runpod_${type}.${name}`,
    type: `runpod_${type}`,
    values: { name, ...values },
  });
  const image_name = "ghcr.io/acme/worker:1";
  const resources = [
    one("trainer", "pod", {
      id: "p1",
      image_name,
      gpu_type_id: "NVIDIA L4",
      container_registry_auth_id: "r1",
      network_volume_id: "v1",
    }),
    one("llm", "endpoint", {
      id: "e1",
      template_id: "t1",
      gpu_type_ids: ["NVIDIA L4"],
      network_volume_ids: ["v1"],
    }),
    one("other", "endpoint", { id: "e2", template_id: "t9", gpu_type_ids: ["NVIDIA L4"] }),
    one("worker", "template", {
      id: "t1",
      image_name,
      is_serverless: true,
      container_registry_auth_id: "r1",
    }),
    one("data", "network_volume", { id: "v1", size: 50, data_center_id: "EU-RO-1" }),
    one("ghcr", "container_registry_auth", { id: "r1", username: "bot", password: "hunter22" }),
  ];
  const state = file({ values: { root_module: { resources } } });
  const { out } = await cli.run("convert-v1", state, "--adopt");
  const written = ["const ghcr", "const data", "const worker", '"llm"', '"other"', '"trainer"'];
  const places = written.map((text) => out.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  const of = (name: string) => out.slice(out.indexOf(`("${name}"`)).split("\n});")[0];
  expect(of("trainer")).toContain("registry: ghcr.id");
  expect(of("trainer")).toContain("network: [{ volumeId: data.id, ");
  expect(of("worker")).toContain("registry: ghcr.id");
  expect(of("llm")).toContain("templateId: worker.id");
  expect(of("llm")).toContain("networkVolumes: [data.id]");
  expect(of("other")).toContain('templateId: "t9"');
  const json = await cli.run("convert-v1", state, "--json");
  expect(JSON.parse(json.out)).toContainEqual(
    expect.objectContaining({
      kind: "ServerlessEndpoint",
      args: expect.objectContaining({ templateId: "t1" }),
    }),
  );
});

test("the program is in Python where the command line says so", async () => {
  const login = { name: "ghcr", username: "robot", password: "hunter22" };
  const { out } = await cli.run(
    "convert-v1",
    file({ ...login, id: "r1" }),
    "--adopt",
    "--language",
    "python",
  );
  expect(out).toContain(`podlumi.RegistryAuth(
    "ghcr",
    name="ghcr",
    username=config.require_secret("ghcrUsername"),
    password=config.require_secret("ghcrPassword"),
    adopt="r1",
)`);
});

test("as JSON, what is secret stands as an expression, too", async () => {
  const login = { name: "ghcr", username: "robot", password: "hunter22" };
  const { out, err } = await cli.run("convert-v1", file(login), "--json");
  expect(JSON.parse(out)).toEqual([
    {
      kind: "RegistryAuth",
      args: {
        name: "ghcr",
        username: { expression: 'config.requireSecret("ghcrUsername")' },
        password: { expression: 'config.requireSecret("ghcrPassword")' },
      },
      notes: [],
    },
  ]);
  expect(out + err).not.toContain("hunter22");
});

test("what only a person can decide ends with 1, and a login is taken from the configuration", async () => {
  const { code, out, err } = await cli.run(
    "convert-v1",
    file({ id: "r1", name: "ghcr" }),
    "--kind",
    "RegistryAuth",
  );
  expect(code).toBe(1);
  expect(out).toContain(
    'new podlumi.RegistryAuth("ghcr", {\n  name: "ghcr",\n  username: config.requireSecret("ghcrUsername"),\n',
  );
  expect(err).toMatch(/^decide: password is missing/m);
});

test("a file that is no JSON, or of an unknown kind, is an error that repeats nothing of it", async () => {
  const broken = await cli.run("convert-v1", file("hunter22"));
  expect(broken).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/v1\.json is no JSON \[PODLUMI-COMMAND\]\n$/),
  });
  const open = await cli.run("convert-v1", file({ id: "x", name: "y" }));
  expect(open.err).toMatch(/do not tell what it is: give --kind, one of NetworkVolume/);
  const piped = cli.spawn(["convert-v1", "-"]);
  piped.input.end("hunter22");
  expect((await piped.ended).err).toMatch(/^podlumi: standard input is no JSON /);
});
