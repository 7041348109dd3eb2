import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { parse } from "yaml";
import type { Ended, Project } from "./project";

/** Runs one job of a workflow in a project's folder, as its CI system would in a checkout. */
export type RunJob = (project: Project, job: string) => Promise<Ended>;

const examples = resolve(__dirname, "../../examples/ci");
const read = (file: string) => parse(readFileSync(join(examples, file), "utf8"));

/** Commands that would use the network. Stand-ins keep the comment that they would post, as posted.md. */
const standIns = ["npm", "curl", "gh"];

function run(project: Project, script: string, env: Record<string, string>): Promise<Ended> {
  const folder = join(project.folder, "stand-ins");
  mkdirSync(folder, { recursive: true });
  for (const name of standIns) {
    const file = join(folder, name);
    writeFileSync(file, "#!/bin/sh\nif [ -f comment.md ]; then mv comment.md posted.md; fi\n");
    chmodSync(file, 0o755);
  }
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

export const gitlab: Record<string, GitlabJob> & { default: { before_script: string[] } } =
  read("gitlab/.gitlab-ci.yml");

export const runGitlabJob: RunJob = async (project, job) => {
  const { script, after_script = [], variables } = gitlab[job] as GitlabJob;
  const STACK = variables?.STACK?.replace("$CI_MERGE_REQUEST_IID", "7") ?? "";
  const env = { STACK, COMMENT_TOKEN: "token", CI_API_V4_URL: "https://gitlab.example/api/v4" };
  const ended = await run(project, [...gitlab.default.before_script, ...script].join("\n"), env);
  if (after_script.length > 0) await run(project, after_script.join("\n"), env);
  return ended;
};
