import type { Api } from "../../../provider/client/api";
import { ExpectedError, errorText } from "../../../provider/client/errors";
import { surveyed } from "../../../provider/core/kind";
import { nearestName } from "../../../provider/did-you-mean";
import { functions } from "../../../provider/functions";
import type { BillingArgs, BillingRange } from "../../functions/billing";
import { definitionOf } from "../kinds";
import { CommandError, counted, tell } from "../output";

export type Part = "gpu" | "cpu" | "disk" | "fee" | "standard" | "highPerformance" | "networking";

interface Billed {
  readonly parts: readonly Part[];
  /** How the names of its amounts begin in the bill of the account. */
  readonly prefix: string;
  /** Its own bill, and the id of the object in the records of that. */
  readonly own: {
    readonly ask: (
      api: Api,
      args: BillingArgs,
    ) => Promise<{ readonly records: object[]; readonly metadata: { readonly query: BillingRange } }>;
  };
  readonly id: string;
}

const computing: readonly Part[] = ["gpu", "cpu", "disk"];

/** The kinds whose bills tell the objects. */
const ofObjects = {
  Pod: { parts: computing, prefix: "pod", own: functions.getPodBilling, id: "podId" },
  ServerlessEndpoint: {
    parts: [...computing, "fee"],
    prefix: "serverless",
    own: functions.getServerlessBilling,
    id: "serverlessId",
  },
  NetworkVolume: {
    parts: ["standard", "highPerformance"],
    prefix: "storage",
    own: functions.getNetworkVolumeBilling,
    id: "networkVolumeId",
  },
  Cluster: {
    parts: ["gpu", "disk", "networking"],
    prefix: "cluster",
    own: functions.getClusterBilling,
    id: "clusterId",
  },
} satisfies Record<string, Billed>;

export type BilledKind = keyof typeof ofObjects;

export const billedKinds = Object.keys(ofObjects) as readonly BilledKind[];

const billed: Readonly<Record<BilledKind, Billed>> = ofObjects;

/** The cost of an object, or of all objects of a kind, in a time, in USD. */
export interface Bill extends BillingRange {
  /** PublicEndpoint: RunPod's own endpoints. Null for what the service counts in its total alone. */
  readonly kind: BilledKind | "PublicEndpoint" | null;
  /** Null in the bill of the account. */
  readonly id: string | null;
  /** Null there, and for what is gone. */
  readonly name: string | null;
  readonly total: number;
  readonly parts: { readonly [part in Part]?: number };
}

/** Bills, and the time that they cover: the service takes whole hours or days. */
export interface Bills {
  readonly time: BillingRange;
  readonly all: readonly Bill[];
}

/** The amounts of a kind, such as `podGpuAmount` in a record of the account, and `gpuAmount` in that of a pod. */
function partsOf(kind: BilledKind, record: object, prefix = ""): Bill["parts"] {
  const nameOf = (part: Part) =>
    prefix === "" ? part : `${prefix}${part.charAt(0).toUpperCase()}${part.slice(1)}`;
  return Object.fromEntries(
    billed[kind].parts.map((part) => [part, Number(Object(record)[`${nameOf(part)}Amount`] ?? 0)]),
  );
}

export const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);

/** The bill of the account, by kind. */
export async function billsOfAccount(api: Api, query: BillingArgs): Promise<Bills> {
  const { records, metadata } = await functions.getBilling.ask(api, query);
  const all = records.flatMap((record): Bill[] => {
    const { startTime, endTime, totalAmount, endpointAmount } = record;
    const bill = { startTime, endTime, id: null, name: null, parts: {} };
    const known: Bill[] = billedKinds.map((kind) => {
      const parts = partsOf(kind, record, billed[kind].prefix);
      return { ...bill, kind, parts, total: sum(Object.values(parts)) };
    });
    known.push({ ...bill, kind: "PublicEndpoint", total: endpointAmount });
    return [...known, { ...bill, kind: null, total: totalAmount - sum(known.map(({ total }) => total)) }];
  });
  return { time: metadata.query, all };
}

/** The bill of a kind, by object; or of one object, by its id or its name. */
export async function billsOfKind(
  api: Api,
  kind: BilledKind,
  query: BillingArgs,
  idOrName?: string,
): Promise<Bills> {
  const { own, id: idName } = billed[kind];
  const { records, metadata } = await own.ask(api, query);
  const present = await presentOf(api, kind);
  const all = records.map((record): Bill => {
    const { startTime, endTime, totalAmount: total, [idName]: id } = Object(record);
    const name = present?.find((one) => one.id === id)?.name;
    const parts = partsOf(kind, record);
    return { startTime, endTime, kind, id, name: typeof name === "string" ? name : null, total, parts };
  });
  const time = metadata.query;
  if (idOrName === undefined) return { time, all };
  const noun = definitionOf(kind).noun;
  const candidates = [...(present ?? []), ...all];
  const id = candidates.find((one) => one.id === idOrName)?.id;
  const named = new Set(candidates.filter(({ name }) => name === idOrName).map((one) => one.id));
  if (id === undefined && named.size > 1)
    throw new CommandError(
      `${counted(named.size, noun)} are called "${idOrName}", ${[...named].join(", ")}: give an id`,
    );
  if (id === undefined && named.size === 0)
    throw new CommandError(
      `there is no ${noun} "${idOrName}", and no bill of it in this time${nearestName(idOrName, present ?? [])}`,
    );
  const [meant] = id === undefined ? named : [id];
  return { time, all: all.filter((one) => one.id === meant) };
}

/** The objects of a kind, for their names; undefined where they cannot be listed. */
async function presentOf(api: Api, kind: BilledKind) {
  try {
    return await surveyed(definitionOf(kind), api);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    tell(
      `podlumi: the names are missing, since ${definitionOf(kind).noun}s cannot be listed: ${errorText(error)}`,
    );
    return undefined;
  }
}

/** The same without a difference of times: one bill of each object, or of each kind. */
export function merged({ time: { startTime, endTime }, all }: Bills): Bill[] {
  const found = new Map<string, Bill>();
  for (const bill of all) {
    const key = bill.id ?? `${bill.kind}`;
    const before = found.get(key) ?? { ...bill, startTime, endTime, total: 0, parts: {} };
    const parts = Object.entries(bill.parts).map(([part, one]) => [
      part,
      one + (before.parts[part as Part] ?? 0),
    ]);
    found.set(key, { ...before, total: before.total + bill.total, parts: Object.fromEntries(parts) });
  }
  return [...found.values()];
}
