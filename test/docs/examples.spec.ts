import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { testLong } from "../harness/long";
import { programOf } from "../harness/page";

// The examples of pages that no program of the engine runs, as a reader would paste them.

emulatedProject("all");

/** The example of a page that has this text. */
function example(page: string, language: string, text: string): string {
  const blocks = readFileSync(page, "utf8").match(/^```\w+\n.*?^```/gms) ?? [];
  const found = blocks.find((block) => block.startsWith(`\`\`\`${language}\n`) && block.includes(text));
  return String(found).replace(/^```.*\n?/gm, "");
}

const tsx = (...args: string[]) =>
  project.run(process.execPath, [resolve("node_modules/tsx/dist/cli.mjs"), ...args]);

test("the test of docs/testing.md tests the first program of README", async () => {
  project.file("index.ts", programOf("README.md", "ts"));
  project.file("index.test.ts", example("docs/testing.md", "ts", 'test("'));
  const { ok, printed } = await tsx("--test", "index.test.ts");
  expect([ok, printed]).toEqual([true, expect.stringMatching(/# pass 1\n# fail 0/)]);
});

test("the program of docs/emulator.md runs a job on the account of the same page", async () => {
  project.file("account.json", example("docs/emulator.md", "json", '"networkVolumes"'));
  project.file("chat.mts", example("docs/emulator.md", "ts", "startEmulator"));
  const { ok, printed } = await tsx("chat.mts");
  expect([ok, printed]).toEqual([true, expect.stringMatching(/POST \/queue\/v2\/\w+\/run 200/)]);
});

testLong(
  "the program of docs/deploying.md restarts its pod when the text of its variable changes",
  async () => {
    const pulumi = (...args: string[]) =>
      project.run("pulumi", [...args, "--non-interactive"], { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    project.file("Pulumi.yaml", "name: specification\nruntime: nodejs\nmain: index.ts\n");
    project.file("index.ts", example("docs/deploying.md", "ts", "DATA_SET"));
    await pulumi("stack", "init", "dev");
    await pulumi("config", "set", "dataSet", "v1");
    expect(await pulumi("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    const [before] = emulator.service.pods.list();
    await pulumi("config", "set", "dataSet", "v2");
    const restarts = /a change of env restarts the pod.*~ 1 to update/s;
    expect(await pulumi("preview")).toEqual({ ok: true, printed: expect.stringMatching(restarts) });
    expect(await pulumi("up", "--yes", "--skip-preview")).toMatchObject({ ok: true });
    expect(emulator.service.pods.list()).toMatchObject([{ id: before?.id, env: { DATA_SET: "v2" } }]);
    expect(await pulumi("preview", "--expect-no-changes")).toMatchObject({ ok: true });
    expect(await pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ ok: true });
  },
);

testLong(
  "the commands of docs/getting-started.md create what it declares, change it and delete it",
  async () => {
    const page = "docs/getting-started.md";
    const text = readFileSync(page, "utf8");
    const blocks = (language: string) =>
      [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
        ([, block = ""]) => block,
      );
    const [program = "", addition = ""] = blocks("ts");
    project.file("Pulumi.yaml", programOf(page, "yaml"));
    project.file("index.ts", program);
    project.file("addition.ts", addition);
    const [, , stack = "", key = "", , first = "", change = "", add = "", , end = ""] = blocks("sh");
    const script = [
      "set -e",
      // Without the backend, whose state would be in the home of whoever runs the specification.
      stack.replace(/^export PULUMI_BACKEND_URL.*/m, ""),
      key,
      // The first command checks the types of the program.
      first.replace(/^pulumi preview.*/m, "$&\nexport PULUMI_NODEJS_TRANSPILE_ONLY=true"),
      // As the page tells between these commands.
      "sed -i.before 's/disk: 5/disk: 10/' index.ts",
      change,
      "cat addition.ts >> index.ts",
      add,
      end,
    ].join("\n");
    const { ok, printed } = await project.run("sh", ["-c", `echo rpa_1 | { ${script}\n}`], {
      PULUMI_SKIP_CONFIRMATIONS: "true",
    });
    const happened = /2 created.*2 unchanged.*1 updated.*3 created.*2 unchanged.*5 deleted/s;
    expect([ok, printed]).toEqual([true, expect.stringMatching(happened)]);
  },
);
