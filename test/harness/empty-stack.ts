import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { secretsProvider } from "../engine/vault";

/** Makes an empty stack `test`, once for all specifications. Their stacks begin as its copies, which saves each a command. */
export async function prepareEmptyStack(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-empty-stack-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [work, backend, home] = ["work", "backend", "home"].map((name) => join(folder, name));
  for (const path of [work, backend, home]) mkdirSync(String(path));
  writeFileSync(join(String(work), "Pulumi.yaml"), "name: specification\nruntime: nodejs\n");
  await promisify(execFile)("pulumi", ["stack", "init", "test", "--secrets-provider", secretsProvider], {
    cwd: work,
    env: { ...process.env, PULUMI_HOME: home, PULUMI_BACKEND_URL: `file://${backend}` },
  });
  process.env.PODLUMI_EMPTY_STACK = folder;
}

/** Copies the empty stack's settings and its state into folders of a new stack. */
export function copyEmptyStack(work: string, backend: string): void {
  const from = String(process.env.PODLUMI_EMPTY_STACK);
  cpSync(join(from, "work", "Pulumi.test.yaml"), join(work, "Pulumi.test.yaml"));
  cpSync(join(from, "backend"), backend, { recursive: true });
}
