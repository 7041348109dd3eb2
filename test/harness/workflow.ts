import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";

interface Step {
  name?: string;
  run?: string;
  env?: Record<string, string>;
}

/** The step of a workflow of this repository that opens an issue, with stand-ins for what it calls. */
export class IssueStep {
  readonly folder = mkdtempSync(join(tmpdir(), "podlumi-workflow-"));
  private readonly step: Step;

  /** `job` is the name of the workflow's file and of its job. */
  constructor(job: string) {
    const { jobs } = parse(readFileSync(join(".github/workflows", `${job}.yml`), "utf8"));
    this.step = jobs[job].steps.find(({ name = "" }: Step) => name.includes("open an issue"));
  }

  /** Runs the step, and returns what it called. npm does `does`, and `open` is the number of the open issue. */
  run(does: string, open = "", env: Record<string, string> = {}): { status: number | null; called: string } {
    rmSync(join(this.folder, "called"), { force: true });
    this.stand("npm", `echo npm "$@" >> called; ${does}`);
    this.stand("gh", `echo gh "$@" >> called; if [ "$2" = list ]; then echo "${open}"; fi`);
    const own = { TITLE: this.step.env?.TITLE, GITHUB_STEP_SUMMARY: join(this.folder, "summary"), ...env };
    const PATH = [this.folder, process.env.PATH].join(delimiter);
    const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", this.step.run ?? "exit 9"];
    const { status } = spawnSync("bash", shell, { cwd: this.folder, env: { ...process.env, ...own, PATH } });
    return { status, called: this.written("called") };
  }

  /** The text of a file that the step or a command wrote. Empty when there is none. */
  written(file: string): string {
    try {
      return readFileSync(join(this.folder, file), "utf8");
    } catch {
      return "";
    }
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }

  private stand(name: string, text: string): void {
    const file = join(this.folder, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }
}
