import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../harness/project";

/**
 * Writes a policy pack into a project's folder. Returns the path for `--policy-pack`: a script that runs the pack. The
 * engine would take the pack's folder too, but only with a language host that runs policy packs.
 */
export function policyPack({ folder }: Project, ...lines: string[]): string {
  const pack = join(folder, "policy");
  mkdirSync(pack, { recursive: true });
  writeFileSync(join(pack, "PulumiPolicy.yaml"), "runtime: nodejs\n");
  writeFileSync(join(pack, "package.json"), JSON.stringify({ name: "policy", version: "1.0.0" }));
  writeFileSync(
    join(pack, "index.js"),
    [
      'const { PolicyPack } = require("@pulumi/policy");',
      'const podlumi = require("podlumi/policy");',
      ...lines,
    ].join("\n"),
  );
  const runner = `exec node "$(node -p 'require.resolve("@pulumi/pulumi/cmd/run-policy-pack")')" "$1" .`;
  writeFileSync(join(pack, "run"), `#!/bin/sh\ncd "$(dirname "$0")"\n${runner}\n`, { mode: 0o755 });
  return join(pack, "run");
}
