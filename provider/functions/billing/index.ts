import * as z from "zod";
import type { Api } from "../../client/api";
import { query } from "../../client/query";
import { type Definitions, text } from "../definition";
import type { BillingFunctions } from "../signatures";

const period = {
  startTime: text.optional(),
  endTime: text.optional(),
  bucketSize: z.enum(["hour", "day", "week", "month", "year"]).optional(),
  lastN: z.int().min(1).optional(),
};

/** Bills grow, so every call asks the service. */
function bill<Report extends { readonly records: unknown }>(path: string) {
  return (api: Api, args: object) => api.rest.getListed<Report>(`/billing${path}${query(args)}`, "records");
}

/** (API: Billing) */
export const billing: Definitions<BillingFunctions> = {
  getBilling: { args: period, ask: bill("") },
  getPodBilling: { args: { ...period, podId: text.optional() }, ask: bill("/pods") },
  getServerlessBilling: { args: { ...period, serverlessId: text.optional() }, ask: bill("/serverless") },
  getPublicEndpointBilling: { args: period, ask: bill("/endpoints") },
  getNetworkVolumeBilling: {
    args: { ...period, networkVolumeId: text.optional() },
    ask: bill("/network-volumes"),
  },
  getClusterBilling: { args: { ...period, clusterId: text.optional() }, ask: bill("/clusters") },
};
