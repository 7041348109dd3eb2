import { allowanceIn } from "../../client/allowance";
import type { Api } from "../../client/api";
import { ServiceError } from "../../client/errors";
import { keysOf } from "../../resources/ssh-keys";
import type { Definitions } from "../definition";
import type { Account } from "./types";

/** Empty where the service is older, or does not answer the key. */
async function answerOf(api: Api, address: string): Promise<Record<string, unknown>> {
  const answer = api.rest.get<object>(address).catch((error) => {
    if (error instanceof ServiceError && [403, 404].includes(error.status)) return {};
    throw error;
  });
  return Object(await answer);
}

/** (API: Account; Account limits; Balance; Account, SSH keys) */
export const account = {
  getAccount: {
    args: {},
    async ask(api) {
      const [{ id, email }, limits, { balanceAmount, billingMode }] = await Promise.all([
        answerOf(api, "/account"),
        answerOf(api, "/account/limits"),
        answerOf(api, "/billing/balance"),
      ]);
      const { spendRate, workers } = allowanceIn(limits, {});
      const owner = { id, email, balance: balanceAmount, billingMode } as Account;
      return { ...owner, spendRate, serverlessWorkers: workers };
    },
  },
  getSshKeys: { args: {}, list: "keys", ask: keysOf },
} satisfies Partial<Definitions>;
