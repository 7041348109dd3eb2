import type { CostKind, Prices } from "./basis";
import type { CostEstimate } from "./estimate";
import { total } from "./estimate";
import type { Priced, PulumiFile } from "./files";
import { estimateOf, leftOut, notCounted, resourcesOf } from "./files";

interface CostRow {
  name: string;
  kind: CostKind;
  cost: CostEstimate;
  /** Nothing is open, neither the place, the load or the tier, nor the size of a disk. */
  exact: boolean;
  /** The object was replaced and is still to be deleted. Until then it costs, beside the one that took its place. */
  toBeDeleted?: true;
}

/** The costs of a stack, or those after the changes of a preview. */
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
  const costs = (priced: Priced[]) =>
    priced.map((resource): CostRow => {
      const { basis, ...rest } = resource;
      const cost = estimateOf(resource, prices);
      return { ...rest, cost, exact: isExact(resource, cost) };
    });
  const known = (priced: CostReport["resources"]) =>
    total(priced.filter(({ cost }) => cost.hourly !== undefined));
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

function isExact({ basis }: Priced, { hourly }: CostEstimate): boolean {
  const sizesKnown = !("disk" in basis) || basis.disk !== undefined;
  return sizesKnown && hourly !== undefined && hourly.atLeast === hourly.atMost;
}
