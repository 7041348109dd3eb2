import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InlineProgramArgs, LocalProgramArgs } from "@pulumi/pulumi/automation";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { testLong } from "../harness/long";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "podlumi-engine-"));
});

afterEach(() => rm(home, { recursive: true }));

async function outputsOf(program: InlineProgramArgs | LocalProgramArgs) {
  const options = {
    pulumiHome: home,
    envVars: { PULUMI_BACKEND_URL: `file://${home}`, PULUMI_CONFIG_PASSPHRASE: "" },
  };
  const stack =
    "program" in program
      ? await LocalWorkspace.createOrSelectStack(program, options)
      : await LocalWorkspace.createOrSelectStack(program, options);
  const { outputs } = await stack.up();
  return outputs;
}

testLong("the engine runs a TypeScript program with a dynamic provider", async () => {
  const outputs = await outputsOf({ stackName: "test", workDir: join(__dirname, "program") });
  expect(outputs.id?.value).toBe("made");
});

test("the engine runs a program inside the test's own process", async () => {
  const outputs = await outputsOf({
    stackName: "test",
    projectName: "engine-check",
    program: async () => ({ answer: 42 }),
  });
  expect(outputs.answer?.value).toBe(42);
});
