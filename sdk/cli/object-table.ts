import type { Listed } from "./kinds";
import { coloured, minuteOf, table } from "./output";
import type { Marked } from "./states/stack";

/** A table of objects, with the sum of their costs. On a terminal, it cuts long names; `whole` leaves them. */
export function asTable(all: readonly (Listed | Marked)[], whole?: "whole"): string {
  const rows = all.map((one) => [
    one.kind,
    one.id,
    one.name,
    one.status ?? "",
    one.cost === null ? "" : one.cost.toFixed(2),
    one.createdAt === null ? "" : minuteOf(one.createdAt),
    ...("mark" in one ? [one.mark ?? "", one.resource ?? "", stateOf(one)] : []),
  ]);
  const ofStack = all.some((one) => "mark" in one) ? ["MARK", "MADE FOR", "STATE"] : [];
  const heading = ["KIND", "ID", "NAME", "STATUS", "$/H", "CREATED", ...ofStack];
  const shown = table({ heading, rows, free: whole ? [] : ["NAME", "MADE FOR"], numbers: ["$/H"] });
  const costs = all.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0) return shown;
  const sum = costs.reduce((total, cost) => total + cost, 0);
  return `${shown}\n${coloured("dim", `${sum.toFixed(2)} $/h as far as the service reports`)}`;
}

function stateOf({ inState, otherStack }: Marked): string {
  if (otherStack !== null) return `in the state of ${otherStack}`;
  return inState === null ? "no state found" : inState ? "in the state" : "not in the state";
}
