import type { LoggedRequest } from "../emulator";
import { remember } from "../recent";
import { type Fault, faultSchema } from "./fault";
import { matches } from "./match";
import { seededRandom } from "./random";

/** A request that met a fault. */
export interface Injection {
  /** The id of the fault. */
  id: string;
  fault: Fault;
  request: LoggedRequest;
}

export interface Planned {
  id: string;
  fault: Fault;
  /** Requests that matched before the fault was over. `injected` counts those that met it. */
  matched: number;
  injected: number;
}

/** It has struck as many times as planned. */
export const isOver = ({ fault: { times = 1 }, injected }: Planned) => times > 0 && injected >= times;

/** The planned faults. A request meets at most one of them: the first that strikes it. */
export class Faults {
  /** The latest injections, oldest first. They stay when their faults are removed. */
  readonly injected: Injection[] = [];
  private planned: Planned[] = [];
  private added = 0;
  private random: () => number;

  constructor(
    faults: Fault[] = [],
    private readonly seed = 1,
  ) {
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

  /** Returns whether the fault existed. */
  remove(id: string): boolean {
    const before = this.planned.length;
    this.planned = this.planned.filter((planned) => planned.id !== id);
    return this.planned.length < before;
  }

  clear(): void {
    this.planned = [];
  }

  /** Forgets all faults, also those that have struck: what comes next strikes as in a new emulator. */
  forget(): void {
    this.clear();
    this.injected.length = 0;
    this.added = 0;
    this.random = seededRandom(this.seed);
  }

  /** All faults that were not removed, with their counts. Some may be over. */
  get plan(): readonly Planned[] {
    return this.planned;
  }

  /** Milliseconds. 0 when no planned fault lags. */
  get longestLag(): number {
    const lags = this.planned.map((planned) =>
      "lag" in planned.fault.what && !isOver(planned) ? planned.fault.what.lag : 0,
    );
    return Math.max(0, ...lags);
  }

  /** The fault that strikes the request, if any. Counts it. */
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
