import type { CostKind } from "../../provider/cost/basis";
import type { CostEstimate, CostRange, Prices } from "../../provider/cost/estimate";
import { total } from "../../provider/cost/estimate";
import type { Listed, PulumiFile } from "./files";
import { estimateOf, leftOut, notCounted, resourcesOf } from "./files";

/** What an object costs. */
interface CostRow {
  name: string;
  kind: CostKind;
  cost: CostEstimate;
  /** Nothing is open, neither the place, the load or the tier, nor the size of a disk. */
  exact: boolean;
  /** The object was replaced and is still to be deleted. Until then it costs, beside the one that took its place. */
  toBeDeleted?: true;
}

/** What a stack costs, or what it costs after the changes of a preview. */
export interface CostReport {
  resources: CostRow[];
  /** The sum of the resources that have a price; `why` names them. */
  total: CostEstimate;
  /** The same sum before the changes. Only for a preview. */
  before?: CostEstimate;
  /** The global volumes: what they cost goes by what they store and by requests. */
  notCounted: string[];
  /** How many unchanged resources, of any kind, a preview leaves out: none with `--show-sames`. */
  leftOut: number;
}

export function reportOf(file: PulumiFile, prices: Prices): CostReport {
  const { now, before } = resourcesOf(file);
  const costs = (listed: Listed[]) =>
    listed.map((resource): CostRow => {
      const { basis, ...rest } = resource;
      const cost = estimateOf(resource, prices);
      return { ...rest, cost, exact: isExact(resource, cost) };
    });
  const known = (listed: CostReport["resources"]) =>
    total(listed.filter(({ cost }) => cost.hourly !== undefined));
  const resources = costs(now).sort((a, b) => a.name.localeCompare(b.name));
  const then = before && { before: known(costs(before)) };
  return {
    resources,
    total: known(resources),
    ...then,
    notCounted: notCounted(file),
    leftOut: leftOut(file),
  };
}

function isExact({ basis }: Listed, { hourly }: CostEstimate): boolean {
  const sizesKnown = !("disk" in basis) || basis.disk !== undefined;
  return sizesKnown && hourly !== undefined && hourly.atLeast === hourly.atMost;
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
    ["NAME", "KIND", "USD/HOUR", "USD/MONTH"],
    ...labelled.map(({ name, kind, cost }) => row(name, kind, cost)),
    row("total", "", total),
    ...(before ? [row("before", "", before)] : []),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
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
  return [...lines, "", ...notes, "By list prices; a month has 730 hours."].join("\n");
}

function usd(range: CostRange | undefined, digits: number): string {
  if (range === undefined) return "?";
  const [atLeast, atMost] = [range.atLeast.toFixed(digits), range.atMost.toFixed(digits)];
  return atLeast === atMost ? atMost : `${atLeast} – ${atMost}`;
}
