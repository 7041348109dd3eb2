import type { Api } from "./api";
import { hasStatus, type ServiceError, undefinedIfExpected } from "./errors";

/** A limit of the account, and the used part of it. Either may be missing. */
export interface Limit {
  readonly limit?: number;
  readonly current?: number;
}

export interface Allowance {
  /** USD an hour of all pods and workers. */
  readonly spendRate: Limit;
  /** Sum of `workers.max` over all endpoints. */
  readonly workers: Limit;
  /** USD; undefined unless the account pays beforehand. */
  readonly prepaid?: number;
}

/** Members of the limits are not documented, so an unexpected one counts as missing. (API: Account limits; Balance) */
export function allowanceIn(limits: unknown, balance: unknown): Allowance {
  const { spendRate, serverlessWorkers } = Object(limits) as Record<string, unknown>;
  const { balanceAmount, billingMode } = Object(balance) as Record<string, unknown>;
  const isPrepaid = billingMode === "PREPAID" && Number.isFinite(balanceAmount);
  return {
    spendRate: limitIn(spendRate),
    workers: limitIn(serverlessWorkers),
    ...(isPrepaid && { prepaid: Number(balanceAmount) }),
  };
}

function limitIn(response: unknown): Limit {
  const { limit, current } = Object(response) as Record<string, unknown>;
  const isAmount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;
  return { ...(isAmount(limit) && { limit }), ...(isAmount(current) && { current }) };
}

/** Asked for once. A part that the service does not answer, for whatever reason, is missing. */
export function allowanceOf(api: Api): Promise<Allowance> {
  return api.once("what the account allows", async () => {
    const ask = (path: string) =>
      api.rest.get<unknown>(path).catch((error) => {
        if (isWrongKey(error)) throw error;
        return undefined;
      });
    return allowanceIn(...(await Promise.all([ask("/account/limits"), ask("/billing/balance")])));
  });
}

/** The account of the key, asked for once. */
export function accountOf(api: Api): Promise<{ id?: unknown } | null> {
  return api.once("the account", () => api.rest.get("/account"));
}

/** The account's workers. Empty when the service does not answer. */
export async function workersAllowed(api: Api): Promise<Limit> {
  const limits = await api.rest.get<unknown>("/account/limits").catch(undefinedIfExpected);
  return allowanceIn(limits, undefined).workers;
}

export function isWrongKey(error: unknown): error is ServiceError {
  return hasStatus(error, 401);
}
