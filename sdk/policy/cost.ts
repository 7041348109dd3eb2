import type { ReportViolation, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";
import { kindOfType } from "../../provider/identity";
import type { CostEstimate, CostKind, Prices } from "../cost/estimate";
import { basis, basisOf, estimate, isCostKind, total } from "../cost/estimate";
import { getPrices } from "../cost/prices";
import type { PolicyOptions, Properties } from "./define";
import { resourcePolicy } from "./define";

/** The most that something may cost. */
export interface CostCapOptions extends PolicyOptions {
  /** USD an hour, by list prices: of all workers that an endpoint may have, of the dearest place of a pod. */
  usd: number;
}

/**
 * No resource costs more than so much an hour. Asks the catalog, with `RUNPOD_API_KEY` of the environment: Pulumi gives
 * policies no configuration of the stack. A resource whose cost cannot be told violates the policy as well.
 *
 * @example
 * ```ts
 * new PolicyPack("budget", { policies: [maxHourlyCost({ usd: 5 })] });
 * ```
 */
export function maxHourlyCost({ usd, ...options }: CostCapOptions): ResourceValidationPolicy {
  const look = (kind: CostKind) => async (properties: Properties) => {
    const prices = await pricesOrReason();
    if (typeof prices === "string") return [prices];
    const violation = tooDear(estimate(kind, basisOf(kind, properties), prices), usd);
    return violation === undefined ? [] : [violation];
  };
  return resourcePolicy(
    { name: "max-hourly-cost", description: `A resource costs at most ${usd} USD an hour.`, ...options },
    Object.fromEntries((Object.keys(basis) as CostKind[]).map((kind) => [kind, look(kind)])),
  );
}

/**
 * All resources of a stack together cost no more than so much an hour.
 *
 * @example
 * ```ts
 * new PolicyPack("budget", { policies: [maxStackHourlyCost({ usd: 20, enforcementLevel: "advisory" })] });
 * ```
 */
export function maxStackHourlyCost({ usd, enforcementLevel }: CostCapOptions): StackValidationPolicy {
  return {
    name: "max-stack-hourly-cost",
    description: `The resources of a stack cost at most ${usd} USD an hour together.`,
    ...(enforcementLevel && { enforcementLevel }),
    async validateStack({ resources }, report: ReportViolation) {
      const costing = resources.flatMap(({ type, name, props }) => {
        const kind = kindOfType(type);
        return isCostKind(kind) ? [{ kind, name, props }] : [];
      });
      if (costing.length === 0) return;
      const prices = await pricesOrReason();
      if (typeof prices === "string") return report(prices);
      const parts = costing.map(({ kind, name, props }) => ({
        name,
        cost: estimate(kind, basisOf(kind, props), prices),
      }));
      const violation = tooDear(total(parts), usd);
      if (violation !== undefined) report(violation);
    },
  };
}

/** The prices, or why there are none. */
async function pricesOrReason(): Promise<Prices | string> {
  try {
    return await getPrices();
  } catch (error) {
    if (pulumi.RunError.isInstance(error)) return `the cost cannot be told: ${error.message}`;
    throw error;
  }
}

function tooDear({ hourly, why }: CostEstimate, cap: number): string | undefined {
  if (hourly === undefined)
    return `the cost cannot be told, so it may be more than ${cap} USD an hour: ${why}`;
  if (hourly.atMost <= cap) return undefined;
  return `costs up to ${hourly.atMost} USD an hour, more than the ${cap} that are allowed: ${why}`;
}
