import type { Command } from "commander";
import { account } from "../account";
import { kindAmong } from "../arguments";
import { type Listed, type ListedKind, listed, listedKinds } from "../kinds";
import { coloured, print, printJson, table } from "../output";

const examples = `
Costs are what the service says: pods and clusters by the hour while they run. Endpoints cost what their workers run,
volumes what they hold; neither is in an answer.

Examples:
  podlumi ls
  podlumi ls pods
  podlumi ls --json | jq -r '.[] | select(.kind == "Pod" and .status == "RUNNING") | .id'`;

/** `podlumi ls`: everything in the account. */
export function ls(program: Command): void {
  program
    .command("ls")
    .description("list what the account has: name, status, cost, age")
    .argument("[kind]", "one kind only, such as Pod or ServerlessEndpoint", kindAmong(listedKinds))
    .option("--json", "as JSON: kind, id, name, status, cost (USD an hour), createdAt")
    .addHelpText("after", examples)
    .action(async (kind: ListedKind | undefined, { json }: { json?: true }) => {
      const { all, complete } = await listed(account(), kind === undefined ? listedKinds : [kind]);
      if (!complete) process.exitCode = 1;
      if (json) printJson(all.map(({ object, ...shown }) => shown));
      else if (complete || all.length > 0) print(asTable(all));
    });
}

/** What a list shows of objects, and what their running costs. */
export function asTable(all: readonly Listed[]): string {
  if (all.length === 0) return "nothing";
  const rows = all.map(({ kind, id, name, status, cost, createdAt }) => [
    kind,
    id,
    name,
    status ?? "",
    cost === null ? "" : cost.toFixed(2),
    createdAt ?? "",
  ]);
  const shown = table(["KIND", "ID", "NAME", "STATUS", "$/H", "CREATED"], rows);
  const costs = all.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0) return shown;
  const sum = costs.reduce((total, cost) => total + cost, 0);
  return `${shown}\n${coloured("dim", `${sum.toFixed(2)} $/h as far as the service tells`)}`;
}
