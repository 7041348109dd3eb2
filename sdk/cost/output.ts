import * as pulumi from "@pulumi/pulumi";
import { ofOutputs, plain } from "../functions/function";
import { declarationOf } from "../resource";
import type { Known } from "../service";
import { expectedText } from "../service";
import type { Service } from "../toolkit";
import type { Basis, CostKind } from "./basis";
import { basis, filled, valueAt } from "./basis";
import type { CostEstimate } from "./estimate";
import { estimate, noEstimate, total } from "./estimate";
import { pricesOf } from "./prices";

interface Question {
  readonly kind: CostKind;
  readonly basis: Basis;
  /** Of an object whose place the program does not tell. */
  readonly id: string | undefined;
}

/** Asks the catalog once per run. */
const priced = plain<Question, CostEstimate>(
  "prices of the catalog",
  async (service, { kind, basis, id }) => {
    const isPlaced = id === undefined || basis.gpu !== undefined || basis.cpu !== undefined;
    const [prices, whole] = await Promise.all([
      pricesOf(service),
      isPlaced ? basis : placed(service, id, basis),
    ]);
    return estimate(kind, whole, prices);
  },
);

/** A pod that stays keeps its place and its disks, of which a preview of its change knows nothing. Without an answer, they stay open. */
async function placed({ api, functions }: Service, id: string, open: Basis): Promise<Basis> {
  const pod = await functions.getPod.ask(api, { id }).catch((error: unknown) => {
    if (expectedText(error) === undefined) throw error;
    return {};
  });
  const has = ["gpu", "cpu", "cloud", "disk", "mounts.persistent"].map((path) => [
    path,
    filled(open[path], valueAt({ ...pod }, path)),
  ]);
  return { ...open, ...Object.fromEntries(has) };
}

/** An estimate must not fail a program. Without a key or an answer, it has no price and says why. */
const estimated = ofOutputs<Question, CostEstimate>((args, opts) =>
  priced(args, opts).catch((error) => {
    const told = expectedText(error);
    if (told === undefined) throw error;
    return noEstimate(told);
  }),
);

/**
 * The estimated cost of a resource. It waits for the arguments of the program. What they leave out comes from the
 * outputs. Outputs that a preview does not know count as left out, so a preview has an estimate too.
 */
export function estimatedCost(kind: CostKind, resource: pulumi.Resource): pulumi.Output<CostEstimate> {
  const { args, provider } = declarationOf(resource);
  const outputs = resource as unknown as Record<string, unknown>;
  const values = basis[kind].map((path) => {
    const both = pulumi.all([inside(args, path), whenKnown(inside(outputs, path))]);
    return [path, both.apply(([declared, had]) => filled(declared, had))];
  });
  const known = { ...Object.fromEntries(values), adopts: args.adopt !== undefined };
  // A replacement, which may be elsewhere, has no id in a preview.
  const isOpen = kind === "Pod" && args.placements !== undefined && pulumi.runtime.isDryRun();
  const id = isOpen ? (whenKnown(outputs.id) as pulumi.Output<string | undefined>) : undefined;
  if (kind !== "NetworkVolume") return estimated({ kind, basis: known, id }, { provider });
  // The catalog has no prices of storage, so it is not asked.
  return pulumi.output(known).apply((basis) => estimate(kind, basis, { gpus: [], cpus: [] }));
}

/** The value at a path. It does not wait for the values beside it. */
function inside(values: Readonly<Record<string, unknown>>, path: string): unknown {
  const [name = ""] = path.split(".");
  const value = values[name];
  const later = pulumi.Output.isInstance(value) || value instanceof Promise;
  return later
    ? pulumi.output(value).apply((known) => valueAt({ [name]: known }, path))
    : valueAt(values, path);
}

/** An output, or undefined while a preview does not know it. */
function whenKnown(value: unknown): pulumi.Output<unknown> | undefined {
  const output = value as (pulumi.Output<unknown> & Known) | undefined;
  return output && pulumi.output(output.isKnown.then((known) => (known ? output : undefined)));
}

/** A resource with an estimate: a {@link Pod}, {@link ServerlessEndpoint}, {@link NetworkVolume} or {@link Cluster}. */
export interface Costed {
  /** Its URN, whose name `why` of a sum tells. */
  readonly urn: pulumi.Output<string>;
  /** Its cost by list prices. */
  readonly estimatedCost: pulumi.Output<CostEstimate>;
}

/**
 * The estimated cost of several resources together. When one of them has no price, the sum has none and `why` names it.
 *
 * @example
 * ```ts
 * export const mostAMonth = podlumi.totalCost(data, trainer, llm).monthly.apply((usd) => usd?.atMost);
 * ```
 */
export function totalCost(...resources: Costed[]): pulumi.Output<CostEstimate> {
  const parts = resources.map(({ urn, estimatedCost }) => ({
    name: urn.apply((known) => known.split("::").at(-1) ?? known),
    cost: estimatedCost,
  }));
  return pulumi.output(parts).apply(total);
}
