import * as z from "zod";
import type { Api } from "../../client/api";
import { query } from "../../client/rest";
import { rule } from "../../schema/rule";
import { type SomeDefinitions, text, time } from "../definition";

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

/** Bills grow, so no answer is kept. */
function bill<Report extends { readonly records: unknown }>(path: string) {
  return (api: Api, args: object) => api.rest.getListed<Report>(`/billing${path}${query(args)}`, "records");
}

/** (API: Billing) */
export const billing = {
  getBilling: { args: period, rules, ask: bill("") },
  getPodBilling: { args: { ...period, podId: text.optional() }, rules, ask: bill("/pods") },
  getServerlessBilling: {
    rules,
    args: { ...period, serverlessId: text.optional() },
    ask: bill("/serverless"),
  },
  getPublicEndpointBilling: { args: period, rules, ask: bill("/endpoints") },
  getNetworkVolumeBilling: {
    args: { ...period, networkVolumeId: text.optional() },
    rules,
    ask: bill("/network-volumes"),
  },
  getClusterBilling: { args: { ...period, clusterId: text.optional() }, rules, ask: bill("/clusters") },
} satisfies SomeDefinitions;
