import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, type JobHandler, startEmulator } from "../../sdk/emulator/service";
import { runsAll } from "../engine/runs-all";
import { fast } from "../harness/account";
import { describePython, installPlugin, installPython } from "../harness/languages";
import { describeLong } from "../harness/long";
import { Project } from "../harness/project";

interface Example {
  /** The language of the program. Default: TypeScript. */
  readonly language?: "python" | "yaml";
  /** The stack's configuration, including secrets. */
  readonly config?: Record<string, string>;
  /** The stacks. Each goes through its whole life; in `npm test`, only the first. Default: `dev`. */
  readonly stacks?: readonly string[];
  /** What the workers do with a job. Default: return its input. */
  readonly work?: JobHandler;
  /** The expected outputs of the stack. */
  readonly outputs: object;
  /** A change of the configuration, and the outputs after it. `npm test` makes none. */
  readonly edit?: { readonly config: Record<string, string>; readonly outputs: object };
}

const anId = expect.stringMatching(/^\w{8,}$/);
const anAddress = expect.stringMatching(/^http\S+$/);

const vllm: Example = {
  config: { huggingFaceToken: "a token for models" },
  work: () => [{ choices: [{ tokens: ["Hello."] }], usage: { input: 4, output: 2 } }],
  outputs: {
    verifiedRelease: 1,
    endpointId: anId,
    openAiUrl: expect.stringMatching(/\/v2\/\w+\/openai\/v1$/),
  },
  edit: { config: { model: "Qwen/Qwen3-14B" }, outputs: { verifiedRelease: 2 } },
};

const examples: Record<string, Example> = {
  "blue-green": {
    outputs: { endpointId: anId, runSync: anAddress },
    edit: { config: { greenImage: "ghcr.io/acme/worker:2", live: "green" }, outputs: { endpointId: anId } },
  },
  "cheapest-gpu": {
    config: { jupyterPassword: "a password" },
    outputs: {
      url: expect.stringMatching(/^https:\/\/\w+-8888\.proxy\.runpod\.net$/),
      gpu: expect.stringMatching(/^NVIDIA /),
      cheapestNow: expect.stringContaining("the cheapest of"),
    },
  },
  component: { stacks: ["dev", "production"], outputs: { urls: [anAddress, anAddress] } },
  "custom-worker": {
    work: () => ({ words: 2 }),
    outputs: { verifiedRelease: 1, endpointId: anId },
    edit: { config: { image: "ghcr.io/acme/words:2" }, outputs: { verifiedRelease: 2 } },
  },
  "private-image": {
    config: { registryUsername: "robot", registryPassword: "a registry password" },
    outputs: { url: anAddress },
  },
  "pull-request": {
    stacks: ["pr-123"],
    outputs: { endpointId: anId, runSync: anAddress },
    edit: { config: { image: "ghcr.io/acme/worker:2" }, outputs: { endpointId: anId } },
  },
  "python-vllm-endpoint": { language: "python", ...vllm },
  "training-cluster": {
    outputs: { addresses: [expect.objectContaining({ rank: 0 }), expect.objectContaining({ rank: 1 })] },
  },
  "training-pod": {
    outputs: { gpu: "NVIDIA H100 80GB HBM3", ssh: expect.stringMatching(/^ssh /) },
    edit: { config: { running: "false" }, outputs: { costPerHour: 0 } },
  },
  "vllm-endpoint": vllm,
  "yaml-training-pod": {
    language: "yaml",
    outputs: {
      gpu: "NVIDIA H100 80GB HBM3",
      ssh: expect.stringMatching(/^ssh /),
    },
    edit: { config: { status: "EXITED" }, outputs: { costPerHour: 0 } },
  },
};

/** What a user does before the first `pulumi up`. In TypeScript, the package is there already. */
const install = {
  typescript: async () => {},
  yaml: installPlugin,
  python: installPython,
};

/** All examples except the quickstart, which the demo runs. */
const folders = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "quickstart" && entry.name !== "ci")
  .map(({ name }) => name);

test("every example is run", () => {
  expect(Object.keys(examples).sort()).toEqual(folders.sort());
});

test.each(["quickstart", ...folders])("%s has no file of more than 60 lines", (name) => {
  const files = readdirSync(join("examples", name), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join("examples", name, entry.name));
  expect(files.filter((file) => readFileSync(file, "utf8").split("\n").length > 61)).toEqual([]);
});

/** What `npm test` runs. */
const usual = ["training-pod"];

for (const [name, example] of Object.entries(examples)) {
  const { language = "typescript" } = example;
  const describeThis = usual.includes(name) ? describe : describeLong;
  const describeIt = language === "python" ? describePython : describeThis;
  describeIt(name, () => run(name, example, install[language]));
}

function run(
  name: string,
  { config = {}, stacks = ["dev"], work, ...rest }: Example,
  install: (project: Project) => Promise<void>,
) {
  let emulator: Emulator;
  let project: Project;
  beforeEach(async () => {
    emulator = await startEmulator({ ...fast, timings: { ...fast.timings, jobTime: 0 } });
    if (work !== undefined) emulator.setHandler("*", work);
    // `npm run check` already checks the types.
    const environment = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    project = new Project(emulator, environment, join("examples", name));
    await install(project);
  });
  afterEach(async () => {
    await emulator.close();
    project.remove();
  });

  const pulumi = async (...args: string[]) => {
    const { ok, printed } = await project.pulumi(...args);
    if (!ok) throw new Error(`pulumi ${args.join(" ")}\n${printed}`);
    return printed;
  };
  const configure = (values: Record<string, string>) => {
    const flags = Object.entries(values).flatMap(([key, value]) => [
      secret(value) ? "--secret" : "--plaintext",
      `${key}=${value}`,
    ]);
    return flags.length === 0 ? "" : pulumi("config", "set-all", ...flags);
  };
  const outputs = async () => JSON.parse(await pulumi("stack", "output", "--json"));
  const secret = (value: string) => value.startsWith("a ");

  test.each(runsAll ? stacks : stacks.slice(0, 1))(
    "goes up as %s, needs no change then, and goes down without a trace",
    async (stack) => {
      await pulumi("stack", "init", stack);
      await configure(config);
      const printed = [await pulumi("up", "--yes", "--skip-preview")];
      expect(await outputs()).toMatchObject(rest.outputs);
      printed.push(await pulumi("preview", "--expect-no-changes"));
      if (rest.edit !== undefined && runsAll) {
        await configure(rest.edit.config);
        printed.push(await pulumi("up", "--yes", "--skip-preview"));
        expect(await outputs()).toMatchObject(rest.edit.outputs);
      }
      printed.push(await pulumi("destroy", "--yes", "--skip-preview"));
      expect(emulator.service.isEmpty()).toBe(true);
      expect(printed.join()).not.toContain("Warning");
      for (const value of Object.values(config).filter(secret)) expect(printed.join()).not.toContain(value);
    },
  );
}
