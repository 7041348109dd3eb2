import type { ReportViolation, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";
import { kindOfType } from "../../provider/identity";
import type { CostKind, Prices } from "../cost/basis";
import { basis, basisOf, isCostKind } from "../cost/basis";
import type { CostEstimate } from "../cost/estimate";
import { estimate, total } from "../cost/estimate";
import { pricesOf } from "../cost/prices";
import { attempted } from "../functions/function";
import { serviceOfEnvironment } from "../service";
import type { PolicyOptions, Properties } from "./define";
import { resourcePolicy } from "./define";
import { checked } from "./options";

/** The limit of a cost policy. */
export interface CostCapOptions extends PolicyOptions {
  /**
   * USD an hour by list prices. An endpoint counts with all workers that it may have, a pod with its most expensive
   * place.
   */
  usd: number;
}

/**
 * No resource may cost more than `usd` an hour. The policy asks the catalog with `RUNPOD_API_KEY` of the environment,
 * because Pulumi gives policies no stack configuration. A resource without an estimate violates the policy too, such as
 * an adopted one for which the program leaves out what decides its cost.
 *
 * @example
 * ```ts
 * new PolicyPack("budget", { policies: [maxHourlyCost({ usd: 5 })] });
 * ```
 */
export function maxHourlyCost(options: CostCapOptions): ResourceValidationPolicy {
  const { usd, ...rest } = checked("maxHourlyCost", options, { usd: "number" });
  const look = (kind: CostKind) => async (properties: Properties) => {
    const prices = await pricesOrReason();
    if (typeof prices === "string") return [prices];
    const violation = tooDear(estimate(kind, basisOf(kind, properties), prices), usd);
    return violation === undefined ? [] : [violation];
  };
  return resourcePolicy(
    { name: "max-hourly-cost", description: `A resource costs at most ${usd} USD an hour.`, ...rest },
    Object.fromEntries((Object.keys(basis) as CostKind[]).map((kind) => [kind, look(kind)])),
  );
}

/**
 * All resources of a stack together may cost no more than `usd` an hour.
 *
 * @example
 * ```ts
 * new PolicyPack("budget", { policies: [maxStackHourlyCost({ usd: 20, enforcementLevel: "advisory" })] });
 * ```
 */
export function maxStackHourlyCost(options: CostCapOptions): StackValidationPolicy {
  const { usd, enforcementLevel } = checked("maxStackHourlyCost", options, { usd: "number" });
  /** Arguments by URN: a stack has outputs only, and a preview of the plugin does not know all of them. */
  const declared = new Map<string, Properties>();
  const policy: StackValidationPolicy & ResourceValidationPolicy = {
    name: "max-stack-hourly-cost",
    description: `The resources of a stack cost at most ${usd} USD an hour together.`,
    ...(enforcementLevel && { enforcementLevel }),
    validateResource({ urn, props }) {
      declared.set(urn, props);
    },
    async validateStack({ resources }, report: ReportViolation) {
      const costing = resources.flatMap(({ type, name, urn, props }) => {
        const kind = kindOfType(type);
        return isCostKind(kind)
          ? [{ kind, name, declared: declared.get(urn) ?? props, had: readable(props) }]
          : [];
      });
      if (costing.length === 0) return;
      const prices = await pricesOrReason();
      if (typeof prices === "string") return report(prices);
      const parts = costing.map(({ kind, name, declared, had }) => ({
        name,
        cost: estimate(kind, basisOf(kind, declared, had), prices),
      }));
      const violation = tooDear(total(parts), usd);
      if (violation !== undefined) report(violation);
    },
  };
  return policy;
}

/** The outputs that are known, at any depth. Pulumi throws where another one is read. */
function readable(outputs: Properties): Properties {
  const entries = Object.keys(outputs).flatMap((name) => {
    try {
      const value = outputs[name];
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return [[name, isObject ? readable(value as Properties) : value]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(entries);
}

/** The prices, or the reason why there are none. */
async function pricesOrReason(): Promise<Prices | string> {
  try {
    return await attempted("prices of the catalog", async () => pricesOf(serviceOfEnvironment()));
  } catch (error) {
    if (pulumi.RunError.isInstance(error))
      return `the cost is not known (a policy has the environment, not the configuration of the stack): ${error.message}`;
    throw error;
  }
}

function tooDear({ hourly, why }: CostEstimate, cap: number): string | undefined {
  if (hourly === undefined) return `the cost is not known, so it may be more than ${cap} USD an hour: ${why}`;
  if (hourly.atMost <= cap) return undefined;
  return `costs up to ${hourly.atMost} USD an hour, more than the ${cap} that are allowed: ${why}`;
}
