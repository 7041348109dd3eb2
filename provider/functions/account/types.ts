/** A limit of the account, and how much of it is used. Either is missing where the service does not tell it. */
export interface AccountLimit {
  /** The most that the account may use. */
  limit?: number;
  /** The present use. */
  current?: number;
}

/** An account: its owner, its balance, and its limits. */
export interface Account {
  /** Id of the account. For the key of a team, that of its owner. Undefined where the service does not tell. */
  id: string | undefined;
  /** Address of its owner; null where there is none, undefined where the service does not tell. */
  email: string | null | undefined;
  /** USD. Undefined where the service does not tell, or the key may not read it (scope `billing:read`). */
  balance: number | undefined;
  /** `PREPAID`: without balance, no pod and no worker starts. `POSTPAID`: billed afterwards. Undefined like `balance`. */
  billingMode: "PREPAID" | "POSTPAID" | undefined;
  /** USD an hour of all pods and workers. Empty where the service does not tell, or the key may not read it (`account:read`). */
  spendRate: AccountLimit;
  /** Sum of `workers.max` over all endpoints. Empty like `spendRate`. */
  serverlessWorkers: AccountLimit;
}
