import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { secretsProvider } from "../engine/vault";

/** Makes an empty stack `test`, once for all specifications. Their stacks begin as its copies, which saves each two commands. */
export async function prepareEmptyStack(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-empty-stack-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const work = join(folder, "work");
  for (const path of [work, join(folder, "backend"), join(folder, "home")]) mkdirSync(path);
  writeFileSync(join(work, "Pulumi.yaml"), "name: specification\nruntime: nodejs\n");
  process.env.PODLUMI_EMPTY_STACK = folder;
  const env = { ...process.env, ...emptyBackend() };
  const pulumi = (...args: string[]) => promisify(execFile)("pulumi", args, { cwd: work, env });
  await pulumi("stack", "init", "test", "--secrets-provider", secretsProvider);
  process.env.PODLUMI_ENGINE = (await pulumi("version")).stdout.trim();
}

/** The environment of a Pulumi that has the empty stack alone, whatever the machine is logged in to. */
export function emptyBackend(): Record<string, string> {
  const from = String(process.env.PODLUMI_EMPTY_STACK);
  return { PULUMI_HOME: join(from, "home"), PULUMI_BACKEND_URL: `file://${join(from, "backend")}` };
}

/** Copies the empty stack's settings and its state into folders of a new stack. */
export function copyEmptyStack(work: string, backend: string): void {
  const from = String(process.env.PODLUMI_EMPTY_STACK);
  cpSync(join(from, "work", "Pulumi.test.yaml"), join(work, "Pulumi.test.yaml"));
  cpSync(join(from, "backend"), backend, { recursive: true });
}
