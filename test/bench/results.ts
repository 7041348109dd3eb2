import type { Call, Role } from "./calls";
import type { Face, Phase, Provider } from "./life";
import type { KindCalls } from "./measure-kinds";

/** All results of a run of the benchmark. */
export interface Results {
  machine: Machine;
  lives: Life[];
  /** The requests for one resource of each kind. */
  kinds: Record<Face, KindCalls>;
  waiting: Waiting;
  quotas: Quota[];
  simulated: SimulatedQuota[];
  /** Both faces beside another provider. Undefined without `--peer`. */
  peer?: Life<string>[] | undefined;
  /** Milliseconds of the import in each new process, beyond that of `@pulumi/pulumi`. */
  imports: number[];
  typeCheck: TypeCheck;
}

export interface Machine {
  date: string;
  command: string;
  cpu: string;
  cores: number;
  /** GB. */
  memory: number;
  /** Load average of the minute before the first measurement. Other work on the machine distorts the results. */
  load: number;
  node: string;
  engine: string;
}

/** A stack of one size that went through its whole life several times. */
export interface Life<By extends string = Provider> {
  provider: By;
  /** Number of resources. */
  size: number;
  /** Latency of the service, in milliseconds. */
  latency: number;
  /** Seconds of each run, by phase. */
  seconds: Record<Phase, number[]>;
  /** Seconds of processor time of each run, of all processes together. */
  processor: Record<Phase, number[]>;
  /** The most requests of the last run that followed one another. */
  trips: Record<Phase, number>;
  /** Requests of the last run, by role and name. */
  calls: Record<Phase, Record<Role, Record<string, number>>>;
  /** Peak resident memory of the provider's process in each run, in bytes. */
  memory: number[];
  stateBytes: number;
  /** Bytes of the largest `__provider` in the state. */
  providerText: number;
}

/** Pods that boot at the same time. */
export interface Waiting {
  pods: number;
  /** Seconds from the first create to the last list or read. */
  seconds: number;
  lists: number;
  reads: number;
}

/** A stack that was created under an enforced quota. */
export interface Quota {
  size: number;
  face: Face;
  /** The interface whose quota it is. */
  of: Call["interface"];
  /** Requests that the service accepts in one window. */
  quota: number;
  /** Length of a window in seconds. */
  window: number;
  /** The requests that count against the quota. `at` is in seconds after the first one. */
  calls: Pick<Call, "at" | "status" | "role">[];
  /** Seconds from the first request to the end of the first window. */
  firstWindow: number;
  /** The least number of requests that can do it: the changes, and one of each list. */
  needed: number;
  /** Seconds from the first request to the last. */
  seconds: number;
  /** The least number of seconds that the quota allows for the needed requests, after those in the first window. */
  least: number;
}

/** The time of a run with simulated clock and service, against the least time, for windows of a length. */
export interface SimulatedQuota {
  /** Seconds. */
  window: number;
  /** How many beginnings in a window were tried. */
  phases: number;
  /** The worst of them: its time divided by the least time. */
  ratio: number;
  refused: number;
}

export interface TypeCheck {
  size: number;
  /** Seconds that the compiler took in each run. */
  typed: number[];
  untyped: number[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

export function lifeOf({ lives }: Results, provider: Provider, size: number, latency: number): Life {
  const found = lives.find(
    (life) => life.provider === provider && life.size === size && life.latency === latency,
  );
  if (found === undefined) throw new Error(`nothing measured of ${provider} at ${size}, ${latency} ms`);
  return found;
}

/** The latencies and sizes that were measured. The provider that does nothing waits for no answer. */
export const latenciesOf = ({ lives }: Results) => [
  ...new Set(lives.filter(({ provider }) => provider !== "idle").map((life) => life.latency)),
];
export const sizesOf = ({ lives }: Results) => [...new Set(lives.map((life) => life.size))];

export const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
export const most = (counts: Record<string, number>) => Math.max(0, ...Object.values(counts));
