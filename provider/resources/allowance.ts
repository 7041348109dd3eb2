import type { Api } from "../client/api";
import type { Account, Takes } from "../core/kind";
import type { Finding } from "../core/kind/account";
import { basisOf, type CostKind } from "../cost/basis";
import { estimate, type Prices } from "../cost/estimate";
import { at } from "../path";
import { hasUnknown, isRecord, type Properties } from "../value";
import { lowBalance, noBalance, spendLimit } from "../words/limits";
import { cpus, gpus } from "./catalog";
import { keepsPlace } from "./pod/placement";
import { countWorkers, noteTaken, sum } from "./serverless-endpoint/quota";

type PlaceOf = (inputs: Properties) => string;

/** Where the inputs of a pod or an endpoint say what it runs on. */
const compute: PlaceOf = ({ gpu, cpu, placements }) => {
  if (placements !== undefined) return "placements";
  return cpu === undefined ? (at(gpu, "id") === undefined ? "gpu.pools" : "gpu.id") : "cpu";
};

/** (API: Pods, create and actions; Account limits; Balance) */
export const podTakes: Takes = {
  about: ["gpu", "cpu", "cloud", "placements", "desiredStatus"],
  async find(account, inputs, before) {
    const goesOn = before?.desiredStatus === "RUNNING" && keepsPlace(before, inputs);
    const stops = before !== undefined && inputs.desiredStatus === "EXITED";
    if (goesOn || stops) return noteTaken(account, inputs, {});
    return countRent(account, "Pod", inputs, before, compute(inputs));
  },
};

/** (API: Clusters, create) */
export const clusterTakes: Takes = {
  about: ["compute"],
  find: (account, inputs, before) => countRent(account, "Cluster", inputs, before, "compute.gpuTypeId"),
};

/** (API: Serverless, create and limits) */
export const endpointTakes: Takes = {
  about: ["gpu", "cpu", "workers"],
  async find(account, inputs, before) {
    const [quota, rent] = await Promise.all([
      countWorkers(account, inputs, before),
      countRent(account, "ServerlessEndpoint", inputs, before, compute(inputs)),
    ]);
    return [...quota, ...rent];
  },
};

/** Counts what an object costs, and finds what the balance and the spend limit mean for it. */
async function countRent(
  account: Account,
  kind: CostKind,
  inputs: Properties,
  before: Properties | undefined,
  property: string,
): Promise<Finding[]> {
  const { allowance, api } = account;
  const [after, earlier] = await Promise.all([
    atLeast(api, kind, inputs),
    before && kind === "ServerlessEndpoint" ? atLeast(api, kind, before) : 0,
  ]);
  const usd = Math.max(0, after - earlier);
  noteTaken(account, inputs, { usd });
  // Workers start when there is work, so an endpoint is created without any balance.
  const creates = before === undefined && kind !== "ServerlessEndpoint" && inputs.adopt === undefined;
  const spent = overLimit(account, usd, property);
  const { prepaid } = allowance;
  if (prepaid === undefined) return spent;
  if (prepaid <= 0) {
    const reason = noBalance(dollars(prepaid));
    // No property causes it.
    return [{ property: "", reason, code: "PODLUMI-NO-BALANCE", certain: creates }];
  }
  if (usd <= prepaid) return spent;
  const reason = lowBalance(dollars(usd), dollars(prepaid));
  return [...spent, { property, reason, code: "PODLUMI-NO-BALANCE", certain: false }];
}

/** Prices are list prices, so this is never certain. Only the first resource above the limit warns. */
function overLimit({ allowance, run }: Account, usd: number, property: string): Finding[] {
  const { limit, current = 0 } = allowance.spendRate;
  const added = sum([...run.taken.values()].map((taken) => taken.usd ?? 0));
  const isFirst = current + added - usd <= Number(limit);
  if (limit === undefined || usd === 0 || current + added <= limit || !isFirst) return [];
  const reason = spendLimit(dollars(added), dollars(current), dollars(limit));
  return [{ property, reason, code: "PODLUMI-SPEND-LIMIT", certain: false }];
}

/** USD an hour at least; 0 when nobody knows. */
async function atLeast(api: Api, kind: CostKind, inputs: Properties): Promise<number> {
  // What an adopted object has beyond the program's word only costs more.
  const known = Object.entries(basisOf(kind, { ...inputs, adopt: undefined })).filter(
    ([, value]) => value !== undefined && !hasUnknown(value),
  );
  const needs = (name: string) => JSON.stringify(known).includes(`"${name}"`);
  const priced = async (list: typeof gpus) => (await list(api)).filter(({ price }) => isRecord(price));
  const prices = {
    gpus: needs("gpu") || kind === "Cluster" ? await priced(gpus) : [],
    cpus: needs("cpu") ? await priced(cpus) : [],
  };
  return estimate(kind, Object.fromEntries(known), prices as unknown as Prices).hourly?.atLeast ?? 0;
}

const dollars = (usd: number) => `${usd.toFixed(2)} USD`;
