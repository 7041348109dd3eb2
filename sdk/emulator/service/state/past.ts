import { accountAt, type Moment, momentOf } from "./past-account";
import type { Service } from "./service";

/** Milliseconds of the past to keep for faults: a fault that is planned later may lag more than the present ones. */
const FOR_FAULTS = 5 * 60_000;

/** The account before each write, for reads that lag behind. Empty while nothing lags. */
export class Past {
  /** Oldest first. */
  private moments: Moment[] = [];

  /** `longestFault` returns the largest lag of the planned faults. */
  constructor(
    private readonly service: Service,
    private readonly longestFault: () => number,
  ) {}

  /** Must be called before every write. */
  note(): void {
    const kept = this.kept();
    const now = this.service.clock.now();
    this.moments = kept > 0 ? this.moments.filter(({ until }) => until > now - kept) : [];
    if (kept > 0) this.moments.push(momentOf(this.service));
  }

  forget(): void {
    this.moments = [];
  }

  /** The account as lists show it. */
  listed(lag = this.service.timings.listLag): Service {
    return this.ago(lag);
  }

  /** The account as reads of single objects show it. */
  read(lag = this.service.timings.readLag): Service {
    return this.ago(lag);
  }

  private ago(ms: number): Service {
    const then = this.service.clock.now() - ms;
    const moment = ms > 0 ? this.moments.find(({ until }) => until > then) : undefined;
    return moment ? accountAt(this.service, moment) : this.service;
  }

  /** For how many milliseconds moments are kept. */
  private kept(): number {
    const { listLag, readLag } = this.service.timings;
    const fault = this.longestFault();
    return Math.max(listLag, readLag, fault > 0 ? Math.max(fault, FOR_FAULTS) : 0);
  }
}
