import * as z from "zod";
import type { Api } from "../../client/api";
import { query } from "../../client/rest";
import { rule } from "../../schema/rule";
import { type Definitions, text, time } from "../definition";

const period = {
  startTime: time.optional(),
  endTime: time.optional(),
  bucketSize: z.enum(["hour", "day", "week", "month", "year"]).optional(),
  lastN: z.int().min(1).optional(),
};

const rules = [
  rule(["lastN", "startTime", "endTime"], ({ lastN, startTime, endTime }) =>
    lastN !== undefined && (startTime ?? endTime) !== undefined
      ? { property: "lastN", reason: "counts back from now: give it, or startTime and endTime" }
      : undefined,
  ),
  rule(["startTime", "endTime"], ({ startTime, endTime }) =>
    Date.parse(String(startTime)) >= Date.parse(String(endTime))
      ? { property: "startTime", reason: "must be before endTime" }
      : undefined,
  ),
];

/** Bills grow, so no answer is kept. `of` limits a bill to one object. */
function bill<Of extends object, Report extends { readonly records: unknown }>(path: string, of: Of) {
  const ask = (api: Api, args: object) =>
    api.rest.getListed<Report>(`/billing${path}${query(args)}`, "records");
  return { args: { ...period, ...of }, rules, ask };
}

/** (API: Billing) */
export const billing = {
  getBilling: bill("", {}),
  getPodBilling: bill("/pods", { podId: text.optional() }),
  getServerlessBilling: bill("/serverless", { serverlessId: text.optional() }),
  getPublicEndpointBilling: bill("/endpoints", {}),
  getNetworkVolumeBilling: bill("/network-volumes", { networkVolumeId: text.optional() }),
  getClusterBilling: bill("/clusters", { clusterId: text.optional() }),
} satisfies Partial<Definitions>;
