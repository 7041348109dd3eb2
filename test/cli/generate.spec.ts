import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Emulator, ManualClock } from "../../sdk/emulator/service";
import { testLong } from "../harness/long";
import { Project } from "../harness/project";
import { apiKey, CommandLine } from "./cli";
import { populate, secretNames, secretValues, setSecrets, untold } from "./populated";

const cli = new CommandLine();
let emulator: Emulator;
let project: Project;
let infra: string;
beforeEach(async () => {
  // The clock stands still, so that an account that nobody changes always looks the same.
  emulator = await cli.emulate({ clock: new ManualClock() });
  cli.pulumi("echo '[]'"); // no stacks
  populate(emulator);
  project = new Project(emulator);
  infra = join(project.folder, "infra");
});
afterEach(() => project.remove());
afterAll(() => cli.close());

/** Runs the engine on the generated program. Throws unless it succeeds. */
async function pulumi(...args: string[]): Promise<string> {
  // A preview checks the types, so an up need not.
  project.environment.PULUMI_NODEJS_TRANSPILE_ONLY = String(args[0] === "up");
  const run = await project.pulumi("-C", infra, ...args);
  if (!run.ok) throw new Error(run.printed);
  return run.printed;
}

async function newStack(): Promise<void> {
  await pulumi("stack", "init", "dev");
  await pulumi(...setSecrets);
}

async function generate(...args: string[]): Promise<string> {
  const { code, out, err } = await cli.run("generate", "--out", infra, ...args);
  expect({ code, out }).toEqual({ code: 0, out: "" });
  const source = readFileSync(join(infra, "index.ts"), "utf8");
  for (const text of [err, source])
    for (const secret of [...secretValues, apiKey]) expect(text).not.toContain(secret);
  return source;
}

describe("with the state of another tool", () => {
  const volume = () => emulator.service.volumes.list().find(({ name }) => name === "data")?.id;
  const terraform = () => ({
    values: {
      root_module: {
        resources: [
          {
            address: "data.runpod_pod.a",
            mode: "data",
            type: "runpod_pod",
            values: { id: emulator.service.pods.list()[0]?.id },
          },
          { address: "aws_instance.a", mode: "managed", type: "aws_instance", values: { id: "i-1" } },
          {
            address: "runpod_account_ssh_keys.a",
            mode: "managed",
            type: "runpod_account_ssh_keys",
            values: {},
          },
        ],
        child_modules: [
          {
            resources: [
              {
                address: "module.a.runpod_network_volume.a",
                mode: "managed",
                type: "runpod_network_volume",
                values: { id: volume() },
              },
              {
                address: "module.a.runpod_pod.gone",
                mode: "managed",
                type: "runpod_pod",
                values: { id: "gone" },
              },
            ],
          },
        ],
      },
    },
  });
  const stateFile = () => {
    const managed = { mode: "managed", provider: 'provider["registry.terraform.io/runpod/runpod"]' };
    const instances = (...all: object[]) => ({ instances: all });
    return {
      version: 4,
      terraform_version: "1.9.8",
      resources: [
        { ...managed, type: "aws_instance", name: "a", ...instances({ attributes: { id: "i-1" } }) },
        {
          ...managed,
          type: "runpod_network_volume",
          name: "a",
          ...instances({ attributes: { id: volume() } }),
        },
        {
          ...managed,
          module: "module.a",
          type: "runpod_pod",
          name: "gone",
          ...instances({ index_key: "b", attributes: { id: "gone" } }),
        },
      ],
    };
  };
  const urn = (type: string) => `urn:pulumi:dev::project::${type}::a`;
  const pulumiState = (...resources: object[]) => ({ version: 3, deployment: { resources } });
  const volumeOf = (more: object) =>
    pulumiState(
      { urn: urn("pulumi:providers:runpod"), type: "pulumi:providers:runpod", id: "p" },
      { urn: urn("runpod:index:NetworkVolume"), type: "runpod:index:NetworkVolume", ...more },
      {
        urn: urn("runpod:index:Pod"),
        type: "runpod:index:Pod",
        id: emulator.service.pods.list()[0]?.id,
        external: true,
      },
      { urn: urn("runpod:index:Pod"), type: "runpod:index:Pod", id: "gone" },
    );

  test.each<[string, () => object, string[], string]>([
    ["Terraform", terraform, ["NetworkVolume", "SshKeys"], "module.a.runpod_pod.gone"],
    ["a state file of Terraform", stateFile, ["NetworkVolume"], 'module.a.runpod_pod.gone["b"]'],
    [
      "the vendor's Pulumi provider",
      () => volumeOf({ id: volume() }),
      ["NetworkVolume"],
      urn("runpod:index:Pod"),
    ],
    [
      "its forerunner",
      () => volumeOf({ id: "data-1a2b", outputs: { networkStorage: { id: volume() } } }),
      ["NetworkVolume"],
      urn("runpod:index:Pod"),
    ],
  ])(
    "only what it manages is written, and what the account lacks is told: %s",
    async (_tool, state, kinds, gone) => {
      project.file("state.json", JSON.stringify(state()));
      const file = join(project.folder, "state.json");
      const { code, out, err } = await cli.run("generate", "--json", "--adopt", "--state", file);
      expect(code).toBe(0);
      expect(
        JSON.parse(out)
          .resources.map(({ kind }: { kind: string }) => kind)
          .sort(),
      ).toEqual(kinds);
      expect(err.match(/left out, .*/g)).toEqual([`left out, since this account does not have it: ${gone}`]);
    },
  );

  test.each([
    [
      "{}",
      "--state takes a terraform.tfstate, or what `terraform show -json` or `pulumi stack export` prints",
    ],
    ["hunter22", "--state is no JSON"],
  ])("a file that is none is refused: %s", async (text, reason) => {
    project.file("state.json", text);
    const { code, err } = await cli.run("generate", "--state", join(project.folder, "state.json"));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(reason) });
    expect(err).not.toContain("hunter22");
  });
});

test("where there is nothing to declare, no project is written", async () => {
  const { code, err } = await cli.run("generate", "--adopt", "--prefix", "no-such-", "--out", infra);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("there is nothing to declare") });
  expect(existsSync(infra)).toBe(false);
  expect((await cli.run("generate", "--prefix", "no-such-")).err).toBe(
    "podlumi: there is nothing to declare\n",
  );
});

describe("a pod that carries the mark of a stack which this backend does not have", () => {
  const digits = "0b4cde-0123456789ab";
  beforeEach(() => {
    const mark = `shop/prod Pod::web ${digits}-1234567-1234567-1234567-0 2026-11-01T10:00:00Z`;
    const body = {
      name: "theirs",
      image: "org/pod:1",
      cpu: { id: "cpu3c", vcpuCount: 2 },
      env: { PODLUMI_MARK: mark },
    };
    emulator.service.pods.create(body as never);
  });

  test("is left out, and adopted by no program", async () => {
    const { out, err } = await cli.run("generate", "--adopt", "--prefix", "theirs");
    expect(out).not.toContain("new podlumi.Pod");
    expect(err).toMatch(
      /left out, with the mark of a stack of podlumi: Pod "theirs" \(\w+\)\. --marked takes/,
    );
  });

  test("comes into the state with the mark, so that a change does not take it for another resource's", async () => {
    const file = join(project.folder, "import.json");
    await generate("--import", file, "--prefix", "theirs", "--marked");
    const { resources } = JSON.parse(readFileSync(file, "utf8"));
    expect(resources).toMatchObject([{ name: "theirs", outputs: { __mark: digits } }]);
  });
});

describe("what a stack of another backend named after its resources", () => {
  const digits = "0b4cde-0123456789ab";
  const pod = "web-012300";
  const volume = "data-0b4cde012300";
  beforeEach(() => {
    const { service } = emulator;
    const mark = `shop/prod Pod::web ${digits}-1234567-1234567-1234567-0 2026-11-01T10:00:00Z`;
    const cpu = { id: "cpu3c", vcpuCount: 2 };
    service.pods.create({ name: pod, image: "org/pod:1", cpu, env: { PODLUMI_MARK: mark } } as never);
    service.volumes.create({ name: volume, size: 10, dataCenter: "EU-RO-1" });
  });
  const names = () => {
    const { pods, networkVolumes } = emulator.service.snapshot();
    return [...pods, ...networkVolumes].map(({ name }) => name);
  };

  test("gives no digits of it to the configuration: a secret", async () => {
    const mark = `podlumi: shop/prod Secret::hf_key ${digits}-1234567-1234567-1234567-0 2026-11-01T10:00:00Z`;
    emulator.service.secrets.create({ name: "hf_key-012300", value: untold.hfToken, description: mark });
    const { out } = await cli.run("generate", "--adopt", "--prefix", "hf_key", "--marked");
    expect(out).not.toContain("012300");
  });

  testLong("keeps its name in an import, and its resource is called as it was", async () => {
    const file = join(project.folder, "import.json");
    for (const prefix of ["web-", "data-"]) {
      const source = await generate("--import", file, "--prefix", prefix, "--marked");
      expect(source).toContain(`("${prefix.slice(0, -1)}", {`);
      expect(source).not.toContain(prefix);
      await pulumi("stack", "init", "dev");
      await pulumi("import", "--file", file, "--protect=false", "--generate-code=false", "--yes");
      await pulumi("preview", "--expect-no-changes", "--diff");
      await pulumi("stack", "rm", "--force", "--yes");
      for (const path of [infra, file]) rmSync(path, { recursive: true });
    }
    expect(names()).toEqual(expect.arrayContaining([pod, volume]));
  });

  testLong("keeps its name in an adoption, and gets one of its own where the name is the mark", async () => {
    for (const prefix of ["web-", "data-"]) {
      await generate("--adopt", "--prefix", prefix, "--marked");
      await pulumi("stack", "init", "dev");
      await pulumi("up", "--yes", "--skip-preview");
      await pulumi("stack", "rm", "--force", "--yes");
      rmSync(infra, { recursive: true });
    }
    expect(names()).toContain(pod);
    expect(names()).not.toContain(volume);
    expect(names()).toContainEqual(expect.stringMatching(/^data-[0-9a-f]{12}$/));
  });
});

test.each([
  [
    [],
    /: `pulumi up` of this program creates new objects in addition to .*\n.* instead, give --adopt or --import$/m,
  ],
  [
    ["--adopt"],
    /: `pulumi up` of this program adopts the existing objects\. Its preview calls each of them a create/,
  ],
])("generate %j says what the program does, or which command comes next", async (flags, said) => {
  expect((await cli.run("generate", "--prefix", "data", ...flags)).err).toMatch(said);
});

test("a folder that the machine does not let it write is told, with a code", async () => {
  writeFileSync(infra, "a file");
  const out = join(infra, "project");
  const { code, err } = await cli.run("generate", "--prefix", "data", "--out", out);
  expect(code).toBe(1);
  expect(err).toBe(`podlumi: ENOTDIR: not a directory, mkdir '${out}' [PODLUMI-COMMAND]\n`);
});

test.each([
  [[], "`npm install` and `pulumi stack init`", /`pulumi up` in \S+ creates new objects/],
  [
    ["--language", "python"],
    "`pulumi install` and `pulumi stack init`",
    /`pulumi up` in \S+ creates new objects/,
  ],
  [["--language", "yaml"], "`pulumi stack init`", /`pulumi up` in \S+ creates new objects/],
  [
    ["--stack", "shared", "--import", "steps.json"],
    "`npm install` and `pulumi stack init shared`",
    /`pulumi import --file \S+steps\.json .*` in \S+ takes the existing objects/,
  ],
])("generate --out %j says what a new project needs first", async (flags, first, then) => {
  const { err } = await cli.run("generate", "--prefix", "data", "--out", infra, ...flags);
  expect(err).toContain(`: run ${first} in ${infra} first. `);
  expect(err).toMatch(then);
});

test("a program of a pod says what of it the service does not tell, and one of a volume does not", async () => {
  const source = async (prefix: string) => (await cli.run("generate", "--adopt", "--prefix", prefix)).out;
  expect(await source("notebook")).toMatch(
    /^\/\/ The service does not return startSsh .*\n.*\n\n.*new podlumi\.Pod/m,
  );
  expect(await source("data")).not.toContain("//");
});

testLong(
  "a stack imports what exists, changes nothing, and destroys all of it",
  async () => {
    const before = emulator.service.snapshot();
    const file = join(project.folder, "import.json");
    const values = join(project.folder, "values.env");
    writeFileSync(
      values,
      Object.entries(untold)
        .map((entry) => `${entry.join("=")}\n`)
        .join(""),
    );
    await generate("--stack", "dev", "--values", values, "--import", file);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await newStack();
    await pulumi("import", "--file", file, "--protect=false", "--generate-code=false", "--yes");
    await pulumi("preview", "--expect-no-changes", "--diff");
    const state = await pulumi("stack", "export");
    for (const secret of secretValues) expect(state).not.toContain(secret);
    await pulumi("up", "--refresh", "--yes", "--skip-preview", "--expect-no-changes");
    expect(emulator.service.snapshot()).toEqual(before);
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.service.isEmpty()).toBe(true);
  },
  300_000,
);

testLong(
  "a program adopts what exists, creates nothing, and destroys all of it",
  async () => {
    const before = emulator.service.snapshot();
    const source = await generate("--adopt");
    expect(source).toContain(`adopt: "${before.networkVolumes[0]?.id}"`);
    const { dependencies } = JSON.parse(readFileSync(join(infra, "package.json"), "utf8"));
    expect(resolve(realpathSync(infra), dependencies.podlumi.slice("file:".length))).toBe(realpathSync("."));
    await newStack();
    await pulumi("up", "--yes", "--skip-preview");
    const after = emulator.service.snapshot();
    expect(after).toEqual({ ...before, secrets: after.secrets });
    await pulumi("preview", "--expect-no-changes", "--diff");
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.service.isEmpty()).toBe(true);
  },
  300_000,
);

test("as JSON, it tells each resource and what to configure, and no value of a secret", async () => {
  const { code, out } = await cli.run("generate", "--json", "--adopt");
  for (const secret of [...secretValues, apiKey]) expect(out).not.toContain(secret);
  const { resources, config } = JSON.parse(out);
  const { networkVolumes, secrets: kept } = emulator.service.snapshot();
  const volume = networkVolumes[0];
  expect(code).toBe(0);
  expect(resources).toContainEqual({
    kind: "NetworkVolume",
    name: volume?.name,
    id: volume?.id,
    args: expect.objectContaining({ adopt: volume?.id, size: volume?.size, dataCenter: volume?.dataCenter }),
  });
  expect(resources).toContainEqual({
    kind: "Secret",
    name: "hf_token",
    id: kept.find(({ name }) => name === "hf_token")?.id,
    args: expect.objectContaining({ value: { expression: 'config.requireSecret("hfToken")' } }),
  });
  expect(config.map(({ name }: { name: string }) => name).sort()).toEqual([...secretNames].sort());
  expect(await cli.run("generate", "--json", "--out", infra)).toMatchObject({ code: 2 });
});

test("what is not known of a secret is read instead of taken over, and a prefix narrows it", async () => {
  const file = join(project.folder, "import.json");
  const { code, err } = await cli.run("generate", "--prefix", "hf_", "--out", infra, "--import", file);
  expect(code).toBe(0);
  const [secret] = emulator.service.secrets.list();
  const source = readFileSync(join(infra, "index.ts"), "utf8");
  expect(source).toBe(
    `import * as podlumi from "podlumi";\n\npodlumi.Secret.get("hf_token", "${secret?.id}");\n`,
  );
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ resources: [] });
  expect(err).toContain('Secret "hf_token" is read and not adopted: --values lacks hfToken\n');
  const again = await cli.run("generate", "--out", infra);
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/has Pulumi.yaml, .* already/) });
});

test("what lines of --values are called is never printed, since a line of a key reads as a name, too", async () => {
  const values = join(project.folder, "values.env");
  writeFileSync(values, "tok=-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq=\n-----END PRIVATE KEY-----\n");
  const file = join(project.folder, "import.json");
  const { code, out, err } = await cli.run("generate", "--out", infra, "--import", file, "--values", values);
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toContain("has 2 names that the configuration does not have. A value of several lines");
  expect(err).not.toMatch(/MIIE|tok\b/);
});

test("a file that --import would overwrite is told before anything is written", async () => {
  const file = join(project.folder, "import.json");
  writeFileSync(file, "mine");
  const { code, err } = await cli.run("generate", "--out", infra, "--import", file);
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringContaining("exists already: give --import"),
  });
  expect(existsSync(infra)).toBe(false);
  expect(readFileSync(file, "utf8")).toBe("mine");
});
