import type { Account, Finding, Takes } from "../core/kind";
import type { Properties } from "../value";
import { noBalance } from "../words/limits";
import { countWorkers, retryUntilGivenUp } from "./serverless-endpoint/quota";

/** (API: Pods, create and actions; Balance) */
export const podTakes: Takes = {
  about: ["desiredStatus"],
  find: async (account, inputs, before) =>
    inputs.desiredStatus === "EXITED" ? [] : unpaid(account, isCreated(inputs, before)),
};

/** (API: Clusters, create; Balance) */
export const clusterTakes: Takes = {
  about: ["compute"],
  find: async (account, inputs, before) => unpaid(account, isCreated(inputs, before)),
};

/** Workers start when there is work, so an endpoint is created without any balance. (API: Serverless, create and limits; Balance) */
export const endpointTakes: Takes = {
  about: ["workers"],
  find: async (account, inputs, before) => [
    ...(await countWorkers(account, inputs, before)),
    ...unpaid(account, false),
  ],
  retry: retryUntilGivenUp,
};

const isCreated = ({ adopt }: Properties, before: Properties | undefined) =>
  before === undefined && adopt === undefined;

/** Without balance, no pod and no worker starts. No property causes it. */
function unpaid({ allowance: { prepaid } }: Account, certain: boolean): Finding[] {
  if (prepaid === undefined || prepaid > 0) return [];
  const reason = noBalance(`${prepaid.toFixed(2)} USD`);
  return [{ property: "", reason, code: "PODLUMI-NO-BALANCE", certain }];
}
