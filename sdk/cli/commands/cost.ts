import type { Command } from "commander";
import { functions } from "../../../provider/functions";
import { isRecord } from "../../../provider/value";
import type { CostEstimate, CostRange } from "../../cost/estimate";
import type { PulumiFile } from "../../cost/files";
import { pricesOf } from "../../cost/prices";
import { type CostReport, reportOf } from "../../cost/report";
import { account } from "../account";
import { contentOf } from "../arguments";
import { below } from "../help";
import { CommandError, jsonOf, print, table } from "../output";

const examples = `
Estimates by list prices, in USD; a month has 730 hours. A range depends on the load, on where a pod
lands, or on what the program leaves to the service, such as the tier of a volume. After the \`up\`,
the state has place, tier and sizes, so only the load stays open.

Examples:
  pulumi stack export | podlumi cost
  pulumi preview --json --show-sames | podlumi cost
  podlumi cost preview.json --json`;

/** `podlumi cost`: what the resources of a stack cost, or the resources after the changes of a preview. */
export function cost(program: Command): void {
  program
    .command("cost")
    .description("estimate the cost of a stack or of a preview")
    .argument(
      "[file]",
      "what `pulumi stack export` or `pulumi preview --json` wrote (default: standard input)",
    )
    .option("--json", "as JSON")
    .addHelpText("after", below(examples))
    .action(async (file: string | undefined, options: { json?: true }) =>
      print(await costCommand(file, options)),
    );
}

/** The text to print for a file, or for standard input (`-`). */
export async function costCommand(file = "-", { json }: { json?: boolean } = {}): Promise<string> {
  if (file === "-" && process.stdin.isTTY) throw new CommandError(`nothing to estimate: ${how}`);
  const source = file === "-" ? "standard input" : file;
  const stated = parsed(await contentOf(file), source);
  const report = reportOf(stated, await pricesOf({ api: account(), functions }));
  return json ? jsonOf(report, 2) : tableOf(report);
}

const how =
  "run `pulumi stack export | npx podlumi cost` in the folder of the project, or give a file that `pulumi stack export` or `pulumi preview --json` wrote";

function parsed(content: string, source: string): PulumiFile {
  let value: PulumiFile | null;
  try {
    value = JSON.parse(content);
  } catch {
    throw new CommandError(`${source} ${content.trim() === "" ? "is empty" : "holds no JSON"}: ${how}`);
  }
  if (value?.deployment === undefined && !isRecord(value?.changeSummary))
    throw new CommandError(`${source} is neither a stack nor a preview: ${how}`);
  if (value?.diagnostics?.some(({ severity }) => severity === "error"))
    throw new CommandError(
      `${source} is of a preview that failed, so it lacks resources: its \`diagnostics\` have the error`,
    );
  return value as PulumiFile;
}

/** The report as a table, with notes. */
export function tableOf({ resources, total, before, notCounted, leftOut }: CostReport): string {
  const labelled = resources.map((one) => (one.toBeDeleted ? { ...one, name: `${one.name} (old)` } : one));
  const row = (name: string, kind: string, { hourly, monthly }: CostEstimate) => [
    name,
    kind,
    usd(hourly, 4),
    usd(monthly, 2),
  ];
  const rows = [
    ...labelled.map(({ name, kind, cost }) => row(name, kind, cost)),
    row("total", "", total),
    ...(before ? [row("before", "", before)] : []),
  ];
  const heading = ["NAME", "KIND", "USD/HOUR", "USD/MONTH"];
  const missing = labelled.filter(({ cost }) => cost.hourly === undefined);
  const open = labelled.filter(({ cost, exact }) => cost.hourly !== undefined && !exact);
  const old = labelled.filter(({ toBeDeleted }) => toBeDeleted);
  const notes = [
    ...missing.map(({ name, cost }) => `${name} is not in the total: ${cost.why}.`),
    ...notCounted.map(
      (name) => `${name} is not in the total: a global volume costs by what it stores and by requests.`,
    ),
    ...open.map(({ name, cost }) => `The cost of ${name} is open: ${cost.why}.`),
    ...old.map(({ name }) => `${name} was replaced, and costs until \`pulumi up\` has deleted it.`),
  ];
  if (leftOut > 0)
    notes.push(`Not in the file: ${leftOut} unchanged; pulumi preview --json --show-sames has them.`);
  return [
    table({ heading, rows, numbers: heading.slice(2) }),
    "",
    ...notes,
    "By list prices; a month has 730 hours.",
  ].join("\n");
}

function usd(range: CostRange | undefined, digits: number): string {
  if (range === undefined) return "?";
  const [atLeast, atMost] = [range.atLeast.toFixed(digits), range.atMost.toFixed(digits)];
  return atLeast === atMost ? atMost : `${atLeast} – ${atMost}`;
}
