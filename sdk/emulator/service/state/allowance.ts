import { rounded } from "../prices";
import { type PodRecord, rateOf } from "./pod";
import { badRequest, Problem } from "./problem";
import type { Service } from "./service";
import { workerList, workerRate } from "./workers";

export type BillingMode = "PREPAID" | "POSTPAID";

/** The limits of the account, and how much of them is used (API: Account limits; Balance). */
export class Allowance {
  constructor(private readonly service: Service) {}

  /** Current use. The names of the members are a guess: the documentation does not show them. */
  limits() {
    const { spendLimit, workersQuota, endpoints } = this.service;
    const most = endpoints.records().reduce((sum, { settings }) => sum + settings.workers.max, 0);
    return {
      spendRate: { limit: spendLimit, current: this.spendRate() },
      serverlessWorkers: { limit: workersQuota, current: most },
    };
  }

  balance() {
    const { balance, billingMode } = this.service;
    return { balanceAmount: balance, billingMode };
  }

  /** Refuses what starts and costs `rate` USD an hour, if the account cannot pay it or may not spend so much. */
  check(rate: number): void {
    const { balance, billingMode, spendLimit } = this.service;
    if (billingMode === "PREPAID" && (balance <= 0 || balance < rate))
      throw new Problem(402, "insufficient balance");
    const present = this.spendRate();
    if (present + rate > spendLimit)
      throw badRequest(
        `The hourly spend limit of ${spendLimit} USD would be exceeded: ${rounded(present)} USD are spent, and this adds ${rounded(rate)} USD.`,
      );
  }

  /** USD an hour of all pods and workers that run. */
  private spendRate(): number {
    const { pods, endpoints, clock } = this.service;
    const now = clock.now();
    const running = (pod: PodRecord) => !["EXITED", "TERMINATED"].includes(pod.status.at(now));
    const ofPods = pods
      .records()
      .filter(running)
      .reduce((sum, pod) => sum + rateOf(pod), 0);
    const ofWorkers = endpoints.records().reduce((sum, record) => {
      const { throttled, total } = workerList(record, this.service).summary;
      return sum + (total - throttled) * workerRate(record.settings);
    }, 0);
    return rounded(ofPods + ofWorkers);
  }
}
