import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { markText, markVariable } from "../../provider/core/mark/mark";
import { withExpiry } from "../../provider/core/state/expiry";
import { patch } from "../harness/account";
import {
  actions,
  GitlabNotes,
  github,
  gitlab,
  type RunJob,
  runGithubJob,
  runGitlabJob,
  workflows,
} from "../harness/ci";
import { clock, emulatedProject, emulator, project } from "../harness/emulated";
import { describeLong } from "../harness/long";

const systems: [string, RunJob, string][] = [
  ["GitHub Actions", runGithubJob, "pr-7"],
  ["GitLab", runGitlabJob, "mr-7"],
];

describeLong.each(systems)("the jobs for %s", (_title, run, branch) => {
  /** For what podlumi does in a job. Both systems run the same commands. */
  const testOnce = run === runGithubJob ? test : test.skip;
  emulatedProject("all", "production", { apiKey: "key" });
  beforeAll(() => program(`config.getNumber("size") ?? 10`));

  const program = (size: string) =>
    project.declare(
      'const pulumi = require("@pulumi/pulumi");',
      "const config = new pulumi.Config();",
      `const size = ${size};`,
      'if (pulumi.getStack() !== "production") config.requireSecret("token");',
      'new podlumi.NetworkVolume("data", { name: pulumi.getStack(), size, dataCenter: "EU-RO-1" });',
    );
  const sizes = () =>
    Object.fromEntries(emulator.service.volumes.list().map(({ name, size }) => [name, size]));
  const comment = () => readFileSync(join(project.folder, "posted.md"), "utf8");
  /** A new CI runner has only the files that are checked in. */
  const fresh = () => rmSync(join(project.folder, `Pulumi.${branch}.yaml`), { force: true });

  test("a merge deploys; a preview comments on the difference, changes nothing, and fails when the program is wrong", async () => {
    expect(await run(project, "deploy")).toMatchObject({ ok: true });
    expect(sizes()).toEqual({ production: 10 });
    program("30");
    expect(await run(project, "preview")).toMatchObject({ ok: true });
    expect(comment()).toMatch(/^Preview of production\n~~~~diff\n(.*\n)*.*size\s*: 10 => 30(.*\n)*~~~~\n$/);
    expect(comment()).toMatch(/^total +0\.0029 +2\.10\nbefore +0\.0010 +0\.70\n/m);
    program("5");
    expect(await run(project, "preview")).toMatchObject({ ok: false });
    expect(comment()).toContain("must be at least 10 GB, not 5");
    expect(sizes()).toEqual({ production: 10 });
    expect(await run(project, "deploy")).toMatchObject({ ok: false });
    program(`config.getNumber("size") ?? 10`);
  });

  testOnce(
    "the comment on a preview that takes long has its costs, and not what the wait for them prints",
    async () => {
      program("(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000), 10)");
      expect(await run(project, "preview")).toMatchObject({ ok: true });
      expect(comment()).toMatch(/^total /m);
      expect(comment()).not.toContain("waiting");
      program(`config.getNumber("size") ?? 10`);
    },
  );

  testOnce("drift fails its job, every night until a deployment has corrected it", async () => {
    const [volume] = emulator.service.volumes.list();
    await patch(emulator, `network-volumes/${volume?.id}`, { name: "theirs" });
    for (const _night of [1, 2]) {
      const { ok, printed } = await run(project, "drift");
      expect([ok, printed]).toEqual([
        false,
        expect.stringMatching(/no changes were expected .* but changes were proposed/),
      ]);
    }
    expect(await run(project, "deploy")).toMatchObject({ ok: true });
    expect(await run(project, "drift")).toMatchObject({ ok: true });
  });

  test("what a cancelled deployment has left over fails the job of drift while it is there", async () => {
    const { service } = emulator;
    const stack = (await project.podlumi("ls", "--stack", "production", "--marks")).printed.trim();
    const digits = { stack, resource: "0".repeat(12) };
    const owner = {
      digits,
      readable: { stack: "specification/production", resource: "Pod::web" },
      name: "web",
    };
    const name = "web-000000";
    const request = { call: "0".repeat(7), unseen: "0".repeat(7), attempt: 1, sentAt: service.clock.now() };
    const env = { [markVariable]: markText(owner, { ...request, name }) };
    const { id } = service.pods.create({ name, image: "i", gpu: { id: "NVIDIA L4", count: 1 }, env });
    const { ok, printed } = await run(project, "drift");
    expect([ok, printed]).toEqual([false, expect.stringContaining(id)]);
    service.pods.delete(id);
    expect(await run(project, "drift")).toMatchObject({
      ok: true,
      printed: expect.stringContaining("nothing of specification/production is left over"),
    });
  });

  test("what has a time limit that is over goes by the hour", async () => {
    const { service } = emulator;
    const pod = (name: string) =>
      service.pods.create({
        name,
        image: "i",
        gpu: { id: "NVIDIA L4", count: 1 },
        ...withExpiry({}, "1h", name, service.clock.now()),
      });
    pod("over");
    clock.pass(200_000);
    pod("under way");
    clock.pass(3_500_000);
    expect(await run(project, "expire")).toMatchObject({ ok: true });
    expect(service.pods.list().map(({ name }) => name)).toEqual(["under way"]);
    for (const { id } of service.pods.list()) service.pods.delete(id);
  });

  test("a branch without an environment has nothing to close", async () => {
    expect(await run(project, "close")).toEqual({
      ok: true,
      printed: `nothing to close: there is no stack ${branch}\n`,
    });
    expect((await project.pulumi("stack", "ls", "--json")).printed).not.toContain(branch);
  });

  test("a branch has an environment of its own, with a key and a secret of its own, until it is closed", async () => {
    const { environment } = project;
    const key = environment.RUNPOD_API_KEY;
    Object.assign(environment, { RUNPOD_API_KEY: "rpa_wrong", RUNPOD_API_KEY_BRANCHES: key });
    const set = (...args: string[]) => project.pulumi("config", "set", "--stack", "branch", ...args);
    // By the passphrase, as README says.
    await project.run("pulumi", ["stack", "init", "branch", "--non-interactive"]);
    await set("size", "20");
    await set("--secret", "token", "t");
    await project.pulumi("stack", "rm", "branch", "--yes", "--preserve-config");
    // GitHub starts no `close` for a request with a conflict.
    for (const job of ["close", "forgotten"]) {
      for (const _push of [1, 2]) {
        fresh();
        expect(await run(project, "branch")).toMatchObject({ ok: true });
        expect(sizes()).toEqual({ production: expect.any(Number), [branch]: 20 });
      }
      expect(await run(project, "forgotten")).toMatchObject({ ok: true });
      expect(sizes()).toHaveProperty(branch);
      fresh();
      project.file("closed", "");
      const { ok, printed } = await run(project, job);
      expect([ok, printed]).toEqual([true, expect.not.stringContaining("has no stack")]);
      expect(sizes()).toEqual({ production: expect.any(Number) });
      expect((await project.pulumi("stack", "ls", "--json")).printed).not.toContain(branch);
      rmSync(join(project.folder, "closed"));
    }
    Object.assign(environment, { RUNPOD_API_KEY: key, RUNPOD_API_KEY_BRANCHES: undefined });
  });

  testOnce("a push to a branch whose time limit is over gets a new environment", async () => {
    const pods = () => emulator.service.pods.list().map(({ id }) => id);
    const others = pods();
    project.declare(
      'const args = { image: "org/app:1", gpu: { id: "NVIDIA L4" }, expiresAfter: "1h", waitFor: "NONE" };',
      'new podlumi.Pod("web", args);',
    );
    project.file("Pulumi.branch.yaml", "config: {}\n");
    const push = async () => {
      fresh();
      expect(await run(project, "branch")).toMatchObject({ ok: true });
      return pods().filter((id) => !others.includes(id));
    };
    const [first, ...more] = await push();
    expect([first, more]).toEqual([expect.any(String), []]);
    expect(await push()).toEqual([first]);
    clock.pass(3_700_000);
    const [last] = await push();
    expect(last).not.toBe(first);
    fresh();
    project.file("closed", "");
    // As while another run is creating it.
    const urn = `urn:pulumi:${branch}::specification::pulumi-nodejs:dynamic/podlumi:Pod::web`;
    await project.pulumi("state", "delete", urn, "--yes", "--stack", branch);
    const lock = `backend/.pulumi/locks/organization/specification/${branch}/one.json`;
    project.file(lock, "{}");
    expect(await run(project, "close")).toMatchObject({
      ok: false,
      printed: expect.stringContaining("locked"),
    });
    expect(pods()).toContain(last);
    rmSync(join(project.folder, lock));
    expect(await run(project, "close")).toMatchObject({ ok: true });
    expect(pods()).toEqual(others);
    rmSync(join(project.folder, "closed"));
  });
});

test("each preview on GitLab changes the one comment of its token, and no comment of somebody else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-ci-"));
  const notes = await GitlabNotes.start();
  const theirs = { id: 0, author: { id: 2 }, body: "Preview of production\nI like it." };
  notes.list.push(theirs);
  for (const size of [20, 30]) {
    writeFileSync(join(folder, "preview.txt"), `size: 10 => ${size}\n`);
    const env = { ...process.env, ...notes.env, STACK: "production" };
    const script = gitlab.preview?.after_script?.join("\n") ?? "";
    await promisify(execFile)("bash", ["-eo", "pipefail", "-c", script], { cwd: folder, env });
    const body = `Preview of production\n~~~~diff\nsize: 10 => ${size}\n~~~~\n`;
    expect(notes.list).toEqual([theirs, { id: 1, author: { id: 1 }, body }]);
  }
  await notes.stop();
  rmSync(folder, { recursive: true });
});

test("each preview on GitHub changes its comment, and not whatever this bot has said last", async () => {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-ci-"));
  // Answers the comments of comments.json, and notes the other calls.
  const gh = `#!/bin/sh
case "$*" in *per_page*) cat comments.json ;; *) echo "$*" >> calls ;; esac
`;
  writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
  writeFileSync(join(folder, "preview.txt"), "size: 10 => 20\n");
  const script = github.jobs.preview?.steps.at(-1)?.run ?? "";
  const env = { ...process.env, GH_REPO: "org/repo", NUMBER: "7", PATH: `${folder}:${process.env.PATH}` };
  const post = async (...bodies: string[]) => {
    const comments = bodies.map((body, id) => ({ id, user: { login: "github-actions[bot]" }, body }));
    writeFileSync(join(folder, "comments.json"), JSON.stringify(comments));
    await promisify(execFile)("bash", ["-eo", "pipefail", "-c", script], { cwd: folder, env });
  };
  await post("Coverage: 90 %");
  await post("Coverage: 90 %", "Preview of production\n~~~~diff", "Lint: no errors");
  expect(readFileSync(join(folder, "calls"), "utf8").trim().split("\n")).toEqual([
    "pr comment 7 --body-file comment.md",
    "api --method PATCH repos/org/repo/issues/comments/1 -F body=@comment.md",
  ]);
  rmSync(folder, { recursive: true });
});

test.each<[string, string, string]>([
  ["GitHub", github.jobs.forgotten?.steps.at(-1)?.run ?? "", "pr"],
  ["GitLab", gitlab.forgotten?.script.join("\n") ?? "", "mr"],
])(
  "by night, %s tears down the stacks of closed requests, and fails for one that it cannot ask about",
  async (_system, script, of) => {
    const folder = mkdtempSync(join(tmpdir(), "podlumi-ci-"));
    const stacks = [
      "production",
      `${of}-6`,
      `${of}-7`,
      `${of}-8`,
      `acme/${of}-9`,
      `${of}-8-blue`,
      `my-${of}-8`,
    ];
    const command = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    command("pulumi", `echo '${JSON.stringify(stacks.map((name) => ({ name })))}'`);
    command("gh", 'case "$3" in 7) echo OPEN ;; 8) echo CLOSED ;; 9) echo MERGED ;; *) exit 1 ;; esac');
    const state =
      'case "$*" in */7) echo opened ;; */8) echo closed ;; */9) echo merged ;; *) exit 22 ;; esac';
    command("curl", `state=$(${state}) || exit; echo "{\\"state\\":\\"$state\\"}"`);
    command("close.sh", 'echo "$1" >> calls');
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const run = promisify(execFile)("bash", ["-eo", "pipefail", "-c", script], { cwd: folder, env });
    await expect(run).rejects.toMatchObject({ code: 1 });
    expect(readFileSync(join(folder, "calls"), "utf8")).toBe(`${of}-8\n${of}-9\n`);
    rmSync(folder, { recursive: true });
  },
);

test("the workflow may do no more than it does, and uses actions by their commits", () => {
  for (const { permissions, defaults } of workflows) {
    expect(permissions).toEqual({ contents: "read" });
    expect(defaults).toEqual({ run: { shell: "bash" } });
  }
  const more = Object.entries(github.jobs).filter(([, { permissions }]) => permissions !== undefined);
  expect(more).toEqual([
    ["preview", expect.objectContaining({ permissions: { contents: "read", "pull-requests": "write" } })],
    ["forgotten", expect.objectContaining({ permissions: { contents: "read", "pull-requests": "read" } })],
  ]);
  const unpinned = actions.filter((uses) => !/@[0-9a-f]{40}$/.test(uses));
  expect([...new Set(unpinned)]).toEqual(["./.github/actions/pulumi"]);
  expect(existsSync("examples/ci/github/actions/pulumi/action.yml")).toBe(true);
});

test("the requests of forks start no job that needs a secret", () => {
  const ofRequests = Object.entries(workflows[0]?.jobs ?? {}).filter(([, job]) =>
    job.if?.includes("pull_request"),
  );
  expect(ofRequests.map(([name]) => name)).toEqual(["preview", "branch", "close"]);
  for (const [, job] of ofRequests)
    expect(job.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
  const started = gitlab.workflow.rules.filter((rule) => rule.if.includes("merge_request_event"));
  expect(started).toEqual([
    {
      if: '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID',
    },
  ]);
});

test("no job lets npx install a package, and only those that change production have its key where there are others", () => {
  const files = [
    "github/workflows/pulumi.yml",
    "github/workflows/expire.yml",
    "gitlab/.gitlab-ci.yml",
    "close.sh",
  ];
  const commands = files.flatMap(
    (file) => readFileSync(join("examples/ci", file), "utf8").match(/npx .*? podlumi/g) ?? [],
  );
  expect([...new Set(commands)]).toEqual(["npx --no-install podlumi"]);
  const keys = Object.entries(github.jobs).map(([job, { steps }]) => [
    job,
    steps.flatMap(({ env = {} }) => String(env.RUNPOD_API_KEY ?? "").match(/(?<=secrets\.)\w+/g) ?? []),
  ]);
  expect(Object.fromEntries(keys)).toEqual({
    preview: ["RUNPOD_API_KEY_READ", "RUNPOD_API_KEY"],
    branch: ["RUNPOD_API_KEY_BRANCHES", "RUNPOD_API_KEY"],
    close: ["RUNPOD_API_KEY_BRANCHES", "RUNPOD_API_KEY"],
    forgotten: ["RUNPOD_API_KEY_BRANCHES", "RUNPOD_API_KEY"],
    deploy: ["RUNPOD_API_KEY"],
    drift: ["RUNPOD_API_KEY_READ", "RUNPOD_API_KEY"],
    expire: ["RUNPOD_API_KEY", "RUNPOD_API_KEY_BRANCHES"],
  });
});

test("two runs that change one stack wait for each other", () => {
  const { branch, close, deploy } = github.jobs;
  expect(deploy?.concurrency).toEqual({ group: "production" });
  expect(branch?.concurrency).toEqual({ group: expect.stringContaining("pr-") });
  expect(close?.concurrency).toEqual(branch?.concurrency);
  for (const job of ["branch", "close", "deploy"]) {
    expect(gitlab[job]?.resource_group).toBe(gitlab[job]?.variables?.STACK);
  }
});
