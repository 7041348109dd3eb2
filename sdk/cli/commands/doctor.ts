import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { ofAccount } from "../doctor/account";
import { engine, node } from "../doctor/machine";
import { shownAddress } from "../doctor/probe";
import { below } from "../help";
import { coloured, print, printJson } from "../output";
import { version } from "../package";

const examples = `
It checks Node.js, the Pulumi engine, the configuration, the three addresses (REST v2, GraphQL,
queues), the key, its account, the balance, spend rate and workers with their limits, the clock, and
the rate limit. It changes nothing. It does not check the key in a stack's configuration
(podlumi:apiKey), which only Pulumi can read.

--report prints what a bug report needs, without secrets: versions, these checks, the configuration
of the environment, and the requests in the file that PODLUMI_DEBUG names. Read it before you send
it: it has names and ids of your objects.

Exit codes: 0 all is well; 1 something has to be fixed.

Examples:
  podlumi doctor
  PODLUMI_DEBUG=podlumi.log pulumi up
  PODLUMI_DEBUG=podlumi.log podlumi doctor --report > report.txt
  podlumi doctor --json | jq '.checks[] | select(.ok | not)'`;

/** `podlumi doctor`: what is wrong with this machine and this account, and what to do about it. */
export function doctor(program: Command): void {
  program
    .command("doctor")
    .description("check this machine and the account, and say what to fix")
    .addOption(new Option("--json", "as JSON: ok, and checks with ok, what, found, fix").conflicts("report"))
    .option("--report", "what a bug report needs, without secrets")
    .addHelpText("after", below(examples))
    .action(async ({ json, report }: { json?: true; report?: true }) => {
      // Read before the checks, whose own requests do not belong in the report.
      const log = report && requestLog();
      const [pulumi, account] = await Promise.all([engine(), ofAccount()]);
      const checks = [node(), pulumi, ...account];
      const ok = checks.every((check) => check.ok);
      if (!ok) process.exitCode = 1;
      if (json) return printJson({ ok, checks });
      if (report) for (const line of versionsAndSettings()) print(line);
      const width = Math.max(...checks.map(({ what }) => what.length));
      for (const check of checks) {
        const verdict = check.ok ? coloured("green", "ok  ") : coloured("red", "fix ");
        // The address of a person does not belong in a report.
        const found = report ? check.found.replace(/, \S+@\S+$/, "") : check.found;
        print(`${verdict}  ${check.what.padEnd(width)}  ${found}`);
        if (check.fix !== undefined) print(`${" ".repeat(width + 8)}${coloured("yellow", check.fix)}`);
      }
      if (log !== undefined) print(log);
    });
}

/** Versions and settings. Addresses are shown; for the key, only whether it is set. */
function versionsAndSettings(): string[] {
  const { RUNPOD_API_KEY: key, ...environment } = process.env;
  const addresses = ["RUNPOD_API_URL", "RUNPOD_GRAPHQL_URL", "RUNPOD_QUEUE_URL"];
  const proxies = ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
  const isSet = (value: string | undefined) => (value === undefined || value === "" ? "not set" : "set");
  return [
    `podlumi ${version}, Node.js ${process.versions.node}, ${process.platform} ${process.arch}`,
    `RUNPOD_API_KEY: ${isSet(key)}`,
    ...addresses.map((name) => `${name}: ${plainAddress(environment[name])}`),
    // A proxy's address can hold a password.
    ...proxies.filter((name) => environment[name]).map((name) => `${name}: set`),
  ];
}

function plainAddress(text: string | undefined): string {
  if (text === undefined || text === "") return "not set";
  return URL.canParse(text) ? shownAddress(text) : "set, and no address";
}

/** The end of the file that `PODLUMI_DEBUG` names. */
function requestLog(): string | undefined {
  const { PODLUMI_DEBUG: file = "" } = process.env;
  if (file === "" || file === "1")
    return "no requests: PODLUMI_DEBUG names no file. Set it for the run that fails, and for this command";
  try {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return [`the last requests of ${file}:`, ...lines.slice(-requestsInReport)].join("\n");
  } catch (error) {
    return `no requests: ${(error as Error).message}`;
  }
}

const requestsInReport = 500;
