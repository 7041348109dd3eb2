import ts from "typescript";
import { parse } from "yaml";
import { literal } from "../../sdk/cli/program/language";
import { described, languages, Program } from "../../sdk/cli/program/program";
import { looksSecret } from "../../sdk/cli/program/secrets";
import { style } from "../../sdk/cli/program/typescript";

test.each([
  ["HF_TOKEN", "hunter22"],
  ["dbPassword", "hunter22"],
  ["SECRET_SAUCE", "hunter22"],
  ["DATABASE_URL", "postgres://me:hunter22@db/app"],
  ["args", "--login hf_AbCdEfGhIjKlMnOp"],
  ["CERT", "-----BEGIN PRIVATE KEY-----"],
  ["SEED", "0123456789abcdef0123456789abcdef"],
  ["DB_PASSWORD", "31415926"],
  ["PASSWORD_PROD", "12345678"],
  ["PGPASSWORD", "1234"],
  ["PASSWORDS", "12345678"],
  ["API_KEY", "12345678"],
  ["args", "serve --api-key swordfish"],
  ["args", "serve --port 80 --hf-token=abc"],
  ["args", "sh -c 'DB_PASSWORD=abc serve'"],
  ["args", "curl -H 'Authorization: Bearer abc'"],
  ["DATABASE", "Server=db;User=me;Password=abc"],
  ["OPTIONS", '{"user": "me", "password": "abc"}'],
  ["DATABASE_URL", "postgres://u:pa/ss@h/db"],
  ["HOOK", "https://hooks.slack.com/services/T0/B0/abc"],
  ["BLOB", "https://a.blob.core.windows.net/c?sv=2022-11-02&sig=abc%3D"],
])("%s=%s looks secret", (name, value) => {
  expect(looksSecret(name, value)).toBe(true);
});

test.each([
  ["MODEL_NAME", "Qwen/Qwen3-8B-Instruct-AWQ"],
  ["MAX_TOKENS", "4096"],
  ["TOKENIZER", "fast"],
  ["USE_AUTH", "false"],
  ["HF_TOKEN", "{{ RUNPOD_SECRET_hf_token }}"],
  ["MONKEY_ISLAND", "2"],
  ["USE_AUTH", "1"],
  ["PAD_TOKEN_ID", "50256"],
  ["args", "serve --max-tokens 4096 --tokenizer fast --no-auth --port 8000"],
  ["args", "serve --api-key {{ RUNPOD_SECRET_key }} --port 8000"],
  ["OPTIONS", '{"max_tokens": 4096}'],
  ["URL", "http://host:80/path?max_tokens=12"],
])("%s=%s does not", (name, value) => {
  expect(looksSecret(name, value)).toBe(false);
});

function declareAndRefer(program: Program, logicalName: string): void {
  const declaration = { kind: "Pod", logicalName, args: {} } as const;
  program.declare(declaration);
  program.reference(declaration, "id", "1");
}

test("names become identifiers that are valid and each there once, whatever they are", () => {
  const program = new Program();
  const names = ["class", "2 cpus", "data", "größe", "日本", 'a"b', "Data", "config"];
  for (const logicalName of names) declareAndRefer(program, logicalName);
  const source = program.source();
  const variables = [...source.matchAll(/^const (\S+) = new podlumi\.Pod/gm)].map(([, name]) => name);
  expect(variables).toEqual(["classPod", "_2Cpus", "data", "grE", "_", "aB", "dataPod", "configPod"]);
  expect(source).toContain('new podlumi.Pod("a\\"b", {});');
});

test("no name is one that TypeScript or the function around a module takes", () => {
  const program = new Program();
  const { FirstKeyword, LastKeyword } = ts.SyntaxKind;
  for (let kind = FirstKeyword; kind <= LastKeyword; kind++)
    declareAndRefer(program, String(ts.tokenToString(kind)));
  const around = ["exports", "require", "module", "__filename", "__dirname"];
  for (const name of [...around, "arguments", "eval", "undefined"]) declareAndRefer(program, name);
  const { outputText, diagnostics } = ts.transpileModule(program.source(), {
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, strict: true },
  });
  expect(diagnostics).toEqual([]);
  expect(() => new Function(...around, outputText)).not.toThrow();
});

test("a resource has a logical name that no other one of its kind has, and a reference is to the very resource", () => {
  const program = new Program();
  const names = ["a", "a-2", "a", "a"].map((name) => program.logicalName("Pod", name));
  expect(names).toEqual(["a", "a-2", "a-3", "a-4"]);
  expect(program.logicalName("Template", "a")).toBe("a");
  const [one, two] = ["a-b", "a::b"].map((logicalName) => {
    const declaration = { kind: "NetworkVolume", logicalName, args: {} } as const;
    program.declare(declaration);
    return declaration;
  });
  const codes = [one, two].map((each) => each && program.reference(each, "id", "v").code);
  expect(codes).toEqual(["aB.id", "aBNetworkVolume.id"]);
  expect(program.source()).toContain('const aBNetworkVolume = new podlumi.NetworkVolume("a::b", {});');
});

test("a literal has its value, whatever the keys, and no character that a person does not see", () => {
  const value = {
    env: Object.fromEntries([["__proto__", "kept"]]),
    "a\u202eb": "c\u009b2J\u2066d\u2028e\u{e0001}f",
  };
  const code = literal(style, value);
  expect(code).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.stringify(new Function(`return ${code}`)())).toBe(JSON.stringify(value));
});

test("a secret that several resources share is one setting, another one of the same name is another", () => {
  const program = new Program();
  const env = (kind: "Pod" | "Template", name: string, value: string) =>
    program.withoutSecrets(kind, name, { env: { API_KEY: value } });
  env("Pod", "one", "hunter22");
  env("Pod", "two", "hunter22");
  env("Template", "three", "another");
  expect(program.settings).toEqual([
    { name: "apiKey", use: 'API_KEY of Pod "one"' },
    { name: "threeApiKey", use: 'API_KEY of Template "three"' },
  ]);
});

test("a secret in a list of words comes from the configuration, also after its option", () => {
  const program = new Program(languages.typescript);
  const cmd = ["--model", "m", "--api-key", "secret-7", "--token=hf_AbCdEfGhIjKl", "serve"];
  const args = program.withoutSecrets("Pod", "llm", { entrypoint: ["sh", "-c"], cmd });
  expect(described(args)).toEqual({
    entrypoint: ["sh", "-c"],
    cmd: [
      "--model",
      "m",
      "--api-key",
      { expression: 'config.requireSecret("cmd")' },
      { expression: 'config.requireSecret("llmCmd")' },
      "serve",
    ],
  });
});

test("tags have their keys as they are, also in Python", () => {
  const program = new Program(languages.python);
  const args = { tags: { Team: "ml", "cost-center": "7" } };
  program.declare({ kind: "Pod", logicalName: "web", args });
  expect(program.source()).toContain('tags={"Team": "ml", "cost-center": "7"}');
});

test("a program in Python has the arguments in snake case, and the variables of env as they are", () => {
  const program = new Program(languages.python);
  const volume = {
    kind: "NetworkVolume",
    logicalName: "lambda",
    args: { size: 50, dataCenter: "EU-RO-1" },
  } as const;
  program.declare(volume);
  const pod = {
    image: "org/pod:1",
    locked: true,
    templateId: null,
    env: { maxLen: "8", apiKey: "hunter22" },
    cpu: { id: "cpu3c", vcpuCount: 2 },
    mounts: {
      network: [{ volumeId: program.reference(volume, "id", "v"), path: "/a\u202e\u{e0001}\\u{1}" }],
    },
  };
  const args = program.withoutSecrets("Pod", "web app", pod);
  program.declare({ kind: "Pod", logicalName: "web app", args });
  program.declare({ kind: "RegistryAuth", logicalName: "ghcr", args: {}, readId: "r1" });
  expect(program.source(["Says what is missing."])).toBe(`import podlumi
import pulumi

config = pulumi.Config()

# Says what is missing.

lambda_network_volume = podlumi.NetworkVolume("lambda", size=50, data_center="EU-RO-1")

podlumi.Pod(
    "web app",
    image="org/pod:1",
    locked=True,
    template_id=None,
    env={"maxLen": "8", "apiKey": config.require_secret("apiKey")},
    cpu={"id": "cpu3c", "vcpu_count": 2},
    mounts={
        "network": [
            {"volume_id": lambda_network_volume.id, "path": "/a\\U0000202e\\U000e0001\\\\u{1}"},
        ],
    },
)

podlumi.RegistryAuth.get("ghcr", "r1")
`);
});

test("a program in YAML is a whole Pulumi.yaml, whose resources have each a key that no secret has", () => {
  const program = new Program(languages.yaml);
  const data = { kind: "NetworkVolume", logicalName: "data", args: { size: 50 } } as const;
  program.declare(data);
  const value = program.secret(["hf_token"], "value", "hunter22");
  program.declare({ kind: "Secret", logicalName: "hf_token", args: { value } });
  const pod = {
    image: "org/pod:1",
    locked: true,
    env: {
      maxLen: "8",
      apiKey: "hunter23",
      NO: "no",
      "weird.name": "${HOME} $$ $1 a$",
      long: "x".repeat(60),
    },
    mounts: {
      network: [{ volumeId: program.reference(data, "id", "v"), path: "/a\u202e\u{e0001}\\u{1}" }],
    },
  };
  program.declare({
    kind: "Pod",
    logicalName: "web app",
    args: program.withoutSecrets("Pod", "web app", pod),
  });
  program.declare({ kind: "RegistryAuth", logicalName: "ghcr", args: {}, readId: "r1" });
  const source = program.source(["Says what is missing."], "2026");
  expect(source).toBe(`name: "2026"
description: RunPod resources
runtime: yaml
config:
  hfToken: { type: string, secret: true }
  apiKey: { type: string, secret: true }
resources:

  # Says what is missing.

  data:
    type: podlumi:NetworkVolume
    properties: { size: 50 }

  hfTokenSecret:
    type: podlumi:Secret
    name: "hf_token"
    properties: { value: "\${hfToken}" }

  webApp:
    type: podlumi:Pod
    name: "web app"
    properties:
      image: "org/pod:1"
      locked: true
      env:
        maxLen: "8"
        apiKey: "\${apiKey}"
        "NO": "no"
        "weird.name": "$\${HOME} $$$ $1 a$"
        long: "${"x".repeat(60)}"
      mounts: { network: [{ volumeId: "\${data.id}", path: "/a\\U0000202e\\U000e0001\\\\u{1}" }] }

  ghcr:
    type: podlumi:RegistryAuth
    get: { id: "r1" }
`);
  const { env, mounts } = parse(source).resources.webApp.properties;
  expect([env.NO, mounts.network[0].path]).toEqual(["no", pod.mounts.network[0]?.path]);
  const empty = new Program(languages.yaml).source();
  expect(empty).toBe('name: "runpod"\ndescription: RunPod resources\nruntime: yaml\n');
});
