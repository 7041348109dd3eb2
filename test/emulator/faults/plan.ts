import type { LoggedRequest } from "../emulator";
import { remember } from "../recent";
import { type Fault, faultSchema } from "./fault";
import { matches } from "./match";
import { seededRandom } from "./random";

/** A request that has met a fault. */
export interface Injection {
  /** Of the fault. */
  id: string;
  fault: Fault;
  request: LoggedRequest;
}

export interface Planned {
  id: string;
  fault: Fault;
  /** Requests that matched, and how many of them met the fault. */
  matched: number;
  injected: number;
}

/** Whether it has struck as often as it was to. */
export const isOver = ({ fault: { times = 1 }, injected }: Planned) => times > 0 && injected >= times;

/** What goes wrong. A request meets at most one fault: the first that matches it and is not over yet. */
export class Faults {
  /** The latest injections, oldest first. They outlive the faults. */
  readonly injected: Injection[] = [];
  private planned: Planned[] = [];
  private added = 0;
  private readonly random: () => number;

  constructor(faults: Fault[] = [], seed = 1) {
    this.random = seededRandom(seed);
    for (const fault of faults) this.add(fault);
  }

  /** Returns the fault's id. */
  add(fault: Fault): string {
    this.added += 1;
    const id = `fault-${this.added}`;
    this.planned.push({ id, fault: faultSchema.parse(fault), matched: 0, injected: 0 });
    return id;
  }

  /** Returns whether there was such a fault. */
  remove(id: string): boolean {
    const before = this.planned.length;
    this.planned = this.planned.filter((planned) => planned.id !== id);
    return this.planned.length < before;
  }

  clear(): void {
    this.planned = [];
  }

  /** Every fault that is planned or over, with what has become of it. */
  get plan(): readonly Planned[] {
    return this.planned;
  }

  /** Milliseconds; 0 when no fault that lags is still to strike. */
  get longestLag(): number {
    const lags = this.planned.map((planned) =>
      "lag" in planned.fault.what && !isOver(planned) ? planned.fault.what.lag : 0,
    );
    return Math.max(0, ...lags);
  }

  /** The fault that a request meets, if any. */
  take(request: LoggedRequest): Fault | undefined {
    const planned = this.planned.find((candidate) => this.strikes(candidate, request));
    if (!planned) return undefined;
    const { id, fault } = planned;
    planned.injected += 1;
    request.fault = id;
    remember(this.injected, { id, fault, request });
    return fault;
  }

  private strikes(planned: Planned, request: LoggedRequest): boolean {
    const { match, skip = 0, probability = 1 } = planned.fault;
    if (isOver(planned) || !matches(match, request)) return false;
    planned.matched += 1;
    return planned.matched > skip && this.random() < probability;
  }
}
