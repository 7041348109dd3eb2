import type { Basis, CostKind, Prices } from "./basis";
import { month, NoPrice, rates } from "./rates";

/** The least and the most that something costs, in USD. Both are equal when nothing is open. */
export interface CostRange {
  /** Counts the fewest workers of an endpoint, and the cheapest of several places, GPU types or tiers. */
  atLeast: number;
  /** Counts the most workers of an endpoint, and the most expensive of several places, GPU types or tiers. */
  atMost: number;
}

/** A cost by list prices. Discounts of the account, requests, traffic and taxes are not counted. */
export interface CostEstimate {
  /** The currency of the catalog's prices. */
  currency: "USD";
  /**
   * Cost of an hour. Undefined, and never 0, when a price is missing, when the catalog cannot be asked, or when a
   * preview does not know what an adopted object has and the program leaves out. A disk is not counted while a preview
   * does not know its size, and `mounts.persistent` of a template only after an `up`.
   */
  hourly: CostRange | undefined;
  /** Cost of a month of 730 hours; undefined when `hourly` is. */
  monthly: CostRange | undefined;
  /** Names the parts that are counted and those that are not, or the reason why there is no estimate. */
  why: string;
}

export function estimate(kind: CostKind, basis: Basis, prices: Prices): CostEstimate {
  try {
    const { atLeast, atMost, counted } = rates[kind](basis, prices);
    if (!Number.isFinite(atLeast) || !Number.isFinite(atMost)) return noEstimate(notUnderstood);
    return { ...priced({ atLeast, atMost }), why: counted.join(", ") };
  } catch (error) {
    if (error instanceof NoPrice) return noEstimate(error.message);
    // Nobody has checked the properties of a program or of a file yet, so they may have any form.
    if (error instanceof TypeError) return noEstimate(notUnderstood);
    throw error;
  }
}

/** The sum of several estimates. If one has no price, the sum has none. */
export function total(parts: readonly { name: string; cost: CostEstimate }[]): CostEstimate {
  const missing = parts.filter(({ cost }) => cost.hourly === undefined);
  if (missing.length > 0)
    return noEstimate(missing.map(({ name, cost }) => `${name}: ${cost.why}`).join("; "));
  const sum = (end: keyof CostRange) => parts.reduce((usd, { cost }) => usd + (cost.hourly?.[end] ?? 0), 0);
  const range = { atLeast: sum("atLeast"), atMost: sum("atMost") };
  const each = parts.map(({ name, cost: { hourly, why } }) => {
    const most = hourly?.atLeast === hourly?.atMost ? "" : "at most ";
    return `${most}${hourly?.atMost} USD an hour for ${name} (${why})`;
  });
  return { ...priced(range), why: each.length === 0 ? "nothing" : each.join("; ") };
}

export function noEstimate(why: string): CostEstimate {
  return { currency: "USD", hourly: undefined, monthly: undefined, why };
}

function priced({ atLeast, atMost }: CostRange): Omit<CostEstimate, "why"> {
  const rounded = (factor: number, digits: number): CostRange => ({
    atLeast: Number((atLeast * factor).toFixed(digits)),
    atMost: Number((atMost * factor).toFixed(digits)),
  });
  return { currency: "USD", hourly: rounded(1, 6), monthly: rounded(month, 2) };
}

const notUnderstood = "its properties do not have the form that podlumi knows";
