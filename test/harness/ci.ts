import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join, resolve } from "node:path";
import { parse } from "yaml";
import type { Ended, Project } from "./project";

/** Runs one job of a workflow in a project's folder, as its CI system would in a checkout. */
export type RunJob = (project: Project, job: string) => Promise<Ended>;

const examples = resolve(__dirname, "../../examples/ci");
const read = (file: string) => parse(readFileSync(join(examples, file), "utf8"));

/** Commands that would use the network. Stand-ins keep the comment that they would post, as posted.md. */
const standIns = {
  npm: "",
  // Of `gh`, the list of comments is empty. A request is open until the folder has the file `closed`.
  gh: 'case "$*" in *per_page*) echo "[]" ;; "pr view"*) if [ -f closed ]; then echo MERGED; else echo OPEN; fi ;; esac',
  curl: `case "$*" in *merge_requests*) if [ -f closed ]; then echo '{"state":"merged"}'; else echo '{"state":"opened"}'; fi ;; esac`,
};

function run(project: Project, script: string, env: Record<string, string>): Promise<Ended> {
  const folder = join(project.folder, "stand-ins");
  mkdirSync(folder, { recursive: true });
  for (const [name, answer] of Object.entries(standIns)) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${answer}\nif [ -f comment.md ]; then mv comment.md posted.md; fi\n`);
    chmodSync(file, 0o755);
  }
  cpSync(join(examples, "close.sh"), join(project.folder, "close.sh"));
  // The package is only linked here, and a link installs no commands, so npx must run the built file.
  const npx = join(folder, "npx");
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = --no-install ] || exit 9\nshift 2\nexec node "${resolve("dist/sdk/cli/main.js")}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  const PATH = [folder, process.env.PATH].join(delimiter);
  // Both CI systems stop at the first command that fails, even inside a pipe.
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  return project.run("bash", shell, { HOME: project.folder, ...env, PATH });
}

interface Step {
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string | number>;
}

interface GithubJob {
  if?: string;
  steps: Step[];
  permissions?: Record<string, string>;
  concurrency?: { group: string; "cancel-in-progress"?: boolean };
}

interface GithubWorkflow {
  permissions: unknown;
  defaults: unknown;
  jobs: Record<string, GithubJob>;
}

export const workflows: GithubWorkflow[] = ["pulumi", "expire"].map((name) =>
  read(`github/workflows/${name}.yml`),
);
const jobs: Record<string, GithubJob> = Object.assign({}, ...workflows.map((workflow) => workflow.jobs));
export const github: GithubWorkflow = { ...(workflows[0] as GithubWorkflow), jobs };
const setUp: { runs: { steps: Step[] } } = read("github/actions/pulumi/action.yml");

/** Every action that the workflow uses, with its version. */
export const actions = [...Object.values(github.jobs).flatMap(({ steps }) => steps), ...setUp.runs.steps]
  .map(({ uses }) => uses)
  .filter((uses) => uses !== undefined);

const values: Record<string, string> = {
  "secrets.PULUMI_CONFIG_PASSPHRASE": "specification",
  "github.event.pull_request.number": "7",
  "github.repository": "org/specification",
  "github.token": "token",
};

/** Secrets that a repository may do without. GitHub gives an empty text for them. */
const optional = ["secrets.RUNPOD_API_KEY_BRANCHES", "secrets.RUNPOD_API_KEY_READ"];

/** Evaluates the GitHub expressions that the workflow uses. Throws on any other. */
function evaluated(text: string | number, project: Project): string {
  const found = (name: string) => {
    const secret = name.startsWith("secrets.")
      ? project.environment[name.slice("secrets.".length)]
      : undefined;
    const value = values[name] ?? secret ?? (optional.includes(name) ? "" : undefined);
    if (value === undefined) throw new Error(`the workflow uses ${name}, which is not set up`);
    return value;
  };
  return String(text).replace(
    /\$\{\{ (.+?) \}\}/g,
    (_all, expression: string) => expression.split(" || ").map(found).find(Boolean) ?? "",
  );
}

export const runGithubJob: RunJob = async (project, job) => {
  const steps = (github.jobs[job]?.steps ?? []).flatMap((step) =>
    step.uses === "./.github/actions/pulumi" ? setUp.runs.steps : [step],
  );
  let ended: Ended = { ok: true, printed: "" };
  for (const { if: condition, run: script, env = {} } of steps) {
    if (script === undefined || (!ended.ok && condition === undefined)) continue;
    const given = Object.entries(env).map(([name, value]) => [name, evaluated(value, project)]);
    const GITHUB_PATH = join(project.folder, "github-path");
    const step = await run(project, script, { ...Object.fromEntries(given), GITHUB_PATH });
    ended = { ok: ended.ok && step.ok, printed: ended.printed + step.printed };
  }
  return ended;
};

interface GitlabJob {
  script: string[];
  after_script?: string[];
  variables?: Record<string, string>;
  resource_group?: string;
}

interface GitlabWorkflow {
  default: { before_script: string[] };
  workflow: { rules: { if: string }[] };
}

export const gitlab: Record<string, GitlabJob> & GitlabWorkflow = read("gitlab/.gitlab-ci.yml");

export const runGitlabJob: RunJob = async (project, job) => {
  const { script, after_script = [], variables } = gitlab[job] as GitlabJob;
  const STACK = variables?.STACK?.replace("$CI_MERGE_REQUEST_IID", "7") ?? "";
  const ended = await run(project, [...gitlab.default.before_script, ...script].join("\n"), { STACK });
  if (after_script.length > 0) {
    const notes = await GitlabNotes.start();
    await run(project, after_script.join("\n"), { ...notes.env, STACK });
    await notes.stop();
    writeFileSync(join(project.folder, "posted.md"), notes.list.map(({ body }) => body).join());
  }
  return ended;
};

/** The comments of a merge request, as GitLab serves them to the user 1. */
export class GitlabNotes {
  readonly list: { id: number; author: { id: number }; body: string }[] = [];
  private readonly server = createServer(async (request, response) => {
    let sent = "";
    for await (const part of request) sent += part;
    const { pathname } = new URL(request.url ?? "", "http://gitlab");
    const answer = this.answer(`${request.method} ${pathname}`, sent);
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer));
  });

  static async start(): Promise<GitlabNotes> {
    const notes = new GitlabNotes();
    await new Promise<void>((listening) => notes.server.listen(0, "127.0.0.1", listening));
    return notes;
  }

  get env() {
    const { port } = this.server.address() as AddressInfo;
    const CI_API_V4_URL = `http://127.0.0.1:${port}/api/v4`;
    return { CI_API_V4_URL, CI_PROJECT_ID: "42", CI_MERGE_REQUEST_IID: "7", COMMENT_TOKEN: "token" };
  }

  stop(): Promise<void> {
    return new Promise((stopped) => this.server.close(() => stopped()));
  }

  private answer(call: string, sent: string): unknown {
    const notes = "/api/v4/projects/42/merge_requests/7/notes";
    if (call === "GET /api/v4/user") return { id: 1 };
    if (call === `GET ${notes}`) return this.list;
    if (call === `POST ${notes}`)
      this.list.push({ id: this.list.length, author: { id: 1 }, ...JSON.parse(sent) });
    const changed = this.list.find(({ id }) => call === `PUT ${notes}/${id}`);
    if (changed !== undefined) Object.assign(changed, JSON.parse(sent));
    return changed ?? (call.startsWith("POST") ? this.list.at(-1) : undefined);
  }
}
