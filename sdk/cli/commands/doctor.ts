import type { Command } from "commander";
import { ConfigurationError } from "../../../provider/client/errors";
import { environmentSettings, type Settings } from "../../../provider/config";
import { clock, graphql, key, type Probe, probes, queue, rest, tempo, workers } from "../doctor/account";
import type { Check } from "../doctor/check";
import { engine, node } from "../doctor/machine";
import { coloured, print, printJson } from "../output";

const examples = `
It looks at: Node.js, the Pulumi engine, the configuration, the three addresses (REST v2, GraphQL, queues), the key,
the clock, the rate limit, and the workers of all endpoints. It changes nothing.
The key of a stack's configuration (podlumi:apiKey) is not looked at: it takes Pulumi to read it.

Exit codes: 0 all is well; 1 something is to be mended.

Examples:
  podlumi doctor
  podlumi doctor --json | jq '.checks[] | select(.ok | not)'`;

/** `podlumi doctor`: what is wrong with this machine and this account, and what to do about it. */
export function doctor(program: Command): void {
  program
    .command("doctor")
    .description("check this machine and the account, and tell what to mend")
    .option("--json", "as JSON: ok, and checks with ok, what, found, mend")
    .addHelpText("after", examples)
    .action(async ({ json }: { json?: true }) => {
      const checks = await allChecks();
      const ok = checks.every((check) => check.ok);
      if (!ok) process.exitCode = 1;
      if (json) return printJson({ ok, checks });
      const width = Math.max(...checks.map(({ what }) => what.length));
      for (const check of checks) {
        const verdict = check.ok ? coloured("green", "ok  ") : coloured("red", "mend");
        print(`${verdict}  ${check.what.padEnd(width)}  ${check.found}`);
        if (check.mend !== undefined) print(`${" ".repeat(width + 8)}${coloured("yellow", check.mend)}`);
      }
    });
}

async function allChecks(): Promise<Check[]> {
  const machine = [node(), await engine()];
  let settings: Settings;
  try {
    settings = environmentSettings();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [
      ...machine,
      { what: "configuration", ok: false, found: error.message, mend: "see podlumi --help" },
    ];
  }
  const seen: Probe = await probes(settings);
  const ofAccount = [rest, graphql, queue, key, clock, tempo, workers].flatMap((check) => check(seen) ?? []);
  return [...machine, ...ofAccount];
}
