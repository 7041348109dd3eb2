import { Argument, type Command, Option } from "commander";
import type { BillingArgs, BillingBucketSize } from "../../functions/billing";
import { account } from "../account";
import { dayOrMoment, oneKindOf, oneOfThese } from "../arguments";
import {
  type Bill,
  type BilledKind,
  type Bills,
  billedKinds,
  billsOfAccount,
  billsOfKind,
  merged,
  type Part,
  sum,
} from "../bills/bill";
import { below } from "../help";
import { minuteOf, print, printJson, table } from "../output";

const examples = `
The service bills whole hours or days: the line below the table shows the period, in UTC. Without
--since, it is the last 30 days. With a kind, each object has a line; NAME is empty for objects that
are gone. PublicEndpoint is the cost of RunPod's own endpoints.

Examples:
  podlumi bills
  podlumi bills pods --since 7d
  podlumi bills pods trainer --since 2d --by hour
  podlumi bills --since 2026-10-01 --until 2026-11-01
  podlumi bills volumes --json | jq -r '.bills[] | select(.total > 10) | .id'`;

const lengths: readonly BillingBucketSize[] = ["hour", "day", "week", "month", "year"];

interface Options {
  readonly since?: string;
  readonly until?: string;
  readonly by?: BillingBucketSize;
  readonly json?: true;
}

/** `podlumi bills`: what the account was billed. */
export function bills(program: Command): void {
  program
    .command("bills")
    .description("show what the account was billed, by kind or by object")
    .addArgument(oneKindOf(new Argument("[kind]", "one kind only, by object"), billedKinds))
    .argument("[object]", "only this object, by its id or its name")
    .option("--since <time>", "start of the period: 7d, 2026-10-01, or 2026-10-01T12:00:00Z", dayOrMoment)
    .option("--until <time>", "end of the period, default now", dayOrMoment)
    .addOption(oneOfThese(new Option("--by <time>", "one line for each"), lengths))
    .option(
      "--json",
      "as JSON: startTime, endTime, total, and bills with their time, kind, id, name, total and parts",
    )
    .addHelpText("after", below(examples))
    .action(
      async (
        kind: BilledKind | undefined,
        object: string | undefined,
        options: Options,
        command: Command,
      ) => {
        const query = queryOf(options, command);
        const api = account();
        const found =
          kind === undefined ? await billsOfAccount(api, query) : await billsOfKind(api, kind, query, object);
        const shown = (options.by === undefined ? merged(found) : [...found.all])
          .filter(({ total }) => Math.abs(total) >= least)
          .sort((a, b) => a.startTime.localeCompare(b.startTime) || b.total - a.total);
        const { startTime, endTime } = found.time;
        const total = totalOf(found.all);
        if (options.json) printJson({ startTime, endTime, total, bills: shown });
        else print(asText({ ...found, all: shown }, total, options.by));
      },
    );
}

const day = 24 * 3_600_000;

function queryOf({ since, until, by }: Options, command: Command): BillingArgs {
  const end = until === undefined ? Date.now() : Date.parse(until);
  const begin = since === undefined ? end - 30 * day : Date.parse(since);
  if (begin >= end) command.error(`error: --since must be before ${until === undefined ? "now" : "--until"}`);
  // Whole days would add much to a short time.
  const bucketSize = by ?? (end - begin >= 3 * day ? "day" : "hour");
  return { startTime: new Date(begin).toISOString(), endTime: until, bucketSize };
}

/** The least amount that the table does not show as 0. */
const least = 0.00005;

const totalOf = (all: readonly Bill[]) => sum(all.map(({ total }) => total));

const titles: Readonly<Record<Part, string>> = {
  gpu: "GPU",
  cpu: "CPU",
  disk: "DISK",
  fee: "FEE",
  standard: "STANDARD",
  highPerformance: "HIGH PERFORMANCE",
  networking: "NETWORKING",
};

/** A table with a line for each bill, and a column for each thing that was billed. */
function asText({ time, all }: Bills, total: number, by: BillingBucketSize | undefined): string {
  const isOver = Date.parse(time.endTime) <= Date.now();
  const [begin, end] = [minuteOf(time.startTime), minuteOf(time.endTime)];
  const covered = isOver ? `from ${begin} to ${end} UTC` : `since ${begin} UTC`;
  const [first] = all;
  const usd = (amount: number | undefined) => (amount === undefined ? "" : amount.toFixed(4));
  if (first === undefined)
    return total < least
      ? `nothing was billed ${covered}`
      : `USD ${usd(total)}, ${covered}, in parts below ${least}`;
  const used = (Object.keys(titles) as Part[])
    .map((part) => ({ part, total: sum(all.map(({ parts }) => parts[part] ?? 0)) }))
    .filter(({ total }) => total >= least);
  const what = ({ kind, id, name }: Bill) => (id === null ? [kind ?? "other"] : [id, name ?? ""]);
  const when = ({ startTime }: Bill) =>
    by === undefined ? [] : [by === "hour" ? minuteOf(startTime) : startTime.slice(0, 10)];
  const rows = all.map((bill) => [
    ...when(bill),
    ...what(bill),
    ...used.map(({ part }) => usd(bill.parts[part])),
    usd(bill.total),
  ]);
  const numbers = [...used.map(({ part }) => titles[part]), "TOTAL"];
  const heading = [
    ...(by === undefined ? [] : ["TIME"]),
    ...(first.id === null ? ["KIND"] : ["ID", "NAME"]),
    ...numbers,
  ];
  const texts = heading.length - numbers.length;
  const last = [...["total", "", ""].slice(0, texts), ...used.map(({ total }) => usd(total)), usd(total)];
  return [table({ heading, rows: [...rows, last], free: ["NAME"], numbers }), "", `USD, ${covered}`].join(
    "\n",
  );
}
